//! The keys of a log's games, as it is followed from its beginning; and which games may be taken.
//!
//! May not: read a record's hash as right; whoever takes a record compares it.

use serde::Deserialize;

use swissmatch_game::opening::Opening;
use swissmatch_game::record::{FailedAttempt, GameRecord, GameSpec};
use swissmatch_game::termination::Termination;
use swissmatch_host::host::AgentSpec;
use swissmatch_host::host::key::{Identity, key};
use swissmatch_tournament::limits::{bounds_of, limits_of};
use swissmatch_tournament::log::{Act, Entry, GameFinished};
use swissmatch_tournament::state::{BrokenLogError, State};

/// The keys of a log's games, up to an entry.
#[derive(Debug)]
pub(crate) struct Keys {
    state: State,
    /// The class of the runner's machine.
    machine: String,
    /// By pairing number.
    agents: Vec<Option<Identity>>,
}

impl Keys {
    /// Those of a log that begins with this entry.
    ///
    /// # Errors
    /// When it is no first entry.
    pub(crate) fn begin(created: &Entry) -> Result<Self, BrokenLogError> {
        let state = State::fold([created])?;
        Ok(Self {
            agents: agents(&state),
            machine: state.created().machine.clone().unwrap_or_default(),
            state,
        })
    }

    /// The next entry.
    ///
    /// # Errors
    /// When it cannot have happened then.
    pub(crate) fn apply(&mut self, entry: &Entry) -> Result<(), BrokenLogError> {
        self.state.apply(entry)?;
        match entry {
            Entry::Resumed(resumed) => {
                self.machine = resumed.machine.clone().unwrap_or_default();
                self.agents = agents(&self.state);
            }
            Entry::Acted(acted) if matches!(acted.act, Act::Enter { .. }) => self.agents = agents(&self.state),
            _ => {}
        }
        Ok(())
    }

    /// What follows from the log.
    pub(super) const fn state(&self) -> &State {
        &self.state
    }

    /// The key of a game that has just ended, and began with this opening.
    pub(crate) fn of(&self, finished: &GameFinished, opening: Opening) -> Option<String> {
        let players = [finished.white, finished.black];
        let [Some(white), Some(black)] = players.map(|player| self.agents.get(player.index())?.as_ref()) else {
            return None;
        };
        let spec = GameSpec {
            id: finished.id,
            white: finished.white,
            black: finished.black,
            opening,
            limits: limits_of(&self.state, finished.id, players),
            bounds: bounds_of(&self.state, finished.id, players),
            adjudication: self.state.setup().adjudication.rules(),
        };
        let machine = finished.played_on.as_ref().map_or(&self.machine, |on| &on.class);
        Some(key(machine, [white, black], &spec))
    }
}

/// The agents of a run by pairing number, as its host was told of them.
fn agents(state: &State) -> Vec<Option<Identity>> {
    let created = state.created();
    let agents = created.order.iter().map(|&entry| {
        let (player, agent) = (&created.setup.players[entry], &created.agents[entry]);
        let spec = AgentSpec::of_player(player, &created.setup);
        Identity::of(&spec.with_files(&agent.files, &agent.program))
    });
    agents.collect()
}

/// Whether a game, by what the log says of it, is one that would go as it went: no fault or flag ended it, nor the arbiter, and no
/// answer was in time by doubt.
pub(crate) fn may_be_taken(finished: &GameFinished) -> bool {
    let termination = finished.termination;
    termination.was_played()
        && !termination.is_fault()
        && !matches!(
            termination,
            Termination::ArbiterAdjudication | Termination::FlagFallDraw { .. }
        )
        && finished.alarms.is_empty()
        && finished.in_doubt == [0, 0]
}

/// What is read of a record to find the game's key.
#[derive(Debug, Deserialize)]
pub(super) struct RecordForKey {
    version: u32,
    pub(super) opening: Opening,
    #[serde(default)]
    failed_attempts: Vec<FailedAttempt>,
    #[serde(default)]
    late_us: Option<u64>,
}

impl RecordForKey {
    /// That of a game which may be taken: no engine had to be killed in it, and its first clock did not run before it began.
    pub(super) fn read(text: &str) -> Option<Self> {
        let kept: Self = serde_json::from_str(text).ok()?;
        let was_killed = kept.failed_attempts.iter().any(|attempt| attempt.end.is_killed());
        (kept.version == GameRecord::VERSION && kept.late_us.is_none() && !was_killed).then_some(kept)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::row;
    use super::*;
    use swissmatch_host::store::{Store, StoreError};
    use swissmatch_tournament::log::{PlayedOn, WorkerAdmitted};

    /// On machines of one class agents play alike, whoever's they are.
    #[test]
    fn a_game_of_a_worker_has_the_key_of_its_class() {
        let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/kept-run/run.sqlite");
        let store = Store::open_to_read(&log).expect("a log");
        let mut entries = Vec::new();
        store
            .each_entry(|logged| {
                entries.push(logged.entry);
                Ok::<(), StoreError>(())
            })
            .expect("entries");
        // The key of the first game that has one, on a machine of this class.
        let of = |runner: &str, worker: Option<&str>| {
            let mut created = entries[0].clone();
            let Entry::Created(begun) = &mut created else {
                panic!("it begins so")
            };
            begun.machine = Some(runner.to_owned());
            let mut keys = Keys::begin(&created).expect("an event");
            entries[1..].iter().find_map(|entry| {
                let mut entry = entry.clone();
                if let (Entry::GameFinished(finished), Some(class)) = (&mut entry, worker) {
                    let admitted = WorkerAdmitted {
                        worker: "UA".to_owned(),
                        class: class.to_owned(),
                        machine: serde_json::json!({}),
                    };
                    keys.apply(&Entry::WorkerAdmitted(Box::new(admitted)))
                        .expect("any may be");
                    finished.played_on = Some(Box::new(PlayedOn {
                        worker: "UA".to_owned(),
                        class: class.to_owned(),
                        issue: 1,
                    }));
                }
                keys.apply(&entry).expect("as it happened");
                let Entry::GameFinished(finished) = &entry else {
                    return None;
                };
                Some(row(&store, &keys, "run", finished)?.key)
            })
        };
        let local = of("fast", None).expect("a game with a key");
        assert_eq!(of("fast", Some("slow")), of("slow", None));
        assert_eq!(of("slow", Some("fast")), Some(local.clone()));
        assert_ne!(of("slow", None), Some(local));
    }
}
