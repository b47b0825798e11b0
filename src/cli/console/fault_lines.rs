//! Which faults and alarms are told: each, until one player has had many in a round.
//!
//! May not: say what a fault was.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_report::faults::{AlarmOfGame, Fault, alarms_of_game, of_game};
use swissmatch_run::conduct::CommittedEntry;
use swissmatch_tournament::log::GameFinished;
use swissmatch_tournament::state::State;

/// Faults of one player in a round that are told one by one, and as many alarms.
const TOLD: u32 = 5;

/// What has been told of faults.
#[derive(Debug, Default)]
pub(super) struct FaultLines {
    /// The round, and the play-off round, that is counted.
    of: (u32, u32),
    /// What each player had of each kind in it.
    counts: BTreeMap<(PairingNumber, &'static str), u32>,
}

/// What is told of a game.
#[derive(Debug, Default)]
pub(super) struct OfGame {
    /// Who is at fault that it ended.
    pub(super) faults: Vec<Fault>,
    /// Who gave an alarm.
    pub(super) alarms: Vec<AlarmOfGame>,
    /// Lines about it for people.
    pub(super) lines: Vec<String>,
}

impl FaultLines {
    /// What is told of a game that is in the log.
    pub(super) fn of_game(&mut self, state: &State, finished: &GameFinished, committed: &CommittedEntry) -> OfGame {
        if !finished.is_faulty() {
            return OfGame::default();
        }
        let bundle = &committed.bundle;
        let of_game_itself = |(hash, _): &&(String, String)| Some(hash) == finished.record.as_ref();
        let record = bundle.blobs.iter().find(of_game_itself);
        let record: Option<GameRecord> = record.and_then(|(_, text)| serde_json::from_str(text).ok());
        let said = bundle.evidence.as_ref().map(|evidence| evidence.text.as_str());
        let faults = of_game(state, finished, record.as_ref(), said);
        let alarms = record.map_or_else(Vec::new, |record| alarms_of_game(state, &record));
        let of_faults = faults
            .iter()
            .map(|fault| (fault.player, "fault", fault.sentence(state, finished.id)));
        let of_alarms = alarms
            .iter()
            .map(|alarm| (alarm.number, "alarm", alarm.sentence.clone()));
        let told = of_faults.chain(of_alarms);
        let lines =
            told.filter_map(|(player, kind, sentence)| self.line(state, finished.id, (player, kind), &sentence));
        let lines = lines.collect();
        OfGame { faults, alarms, lines }
    }

    /// The line about what a player had of a kind in a game; `None` where enough has been said.
    fn line(
        &mut self,
        state: &State,
        id: GameId,
        whose: (PairingNumber, &'static str),
        sentence: &str,
    ) -> Option<String> {
        let of = (id.round, id.playoff);
        if of != self.of {
            self.of = of;
            self.counts.clear();
        }
        let count = self.counts.entry(whose).or_default();
        *count += 1;
        let (player, kind) = whose;
        if *count <= TOLD {
            return Some(format!("  {kind}: {sentence}"));
        }
        let name = &state.player(player).name;
        (*count == TOLD + 1).then(|| format!("  {kind}: {name} … and so on; `swissmatch status` counts them"))
    }
}
