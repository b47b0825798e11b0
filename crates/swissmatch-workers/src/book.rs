//! Which games were given to workers, and what of what they send counts.
//!
//! The first record of a game that can be one counts, whoever sends it of those who were given the game: a task may be played twice, by a
//! worker that was thought to be lost and by the next. What comes later is superseded. What no record can show is taken on trust: that its times are those that were
//! taken, its moves those of the agents, and its faults true. May not: ask the time, know what carries a message, or keep what the log
//! keeps.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use swiss_system::text::{harmless, shortened};
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::seen::GameView;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_host::host::{GameReport, HostReport, IssuedGame, NotPlayedCause, Task};
use swissmatch_tournament::log::PlayedOn;

use crate::wire::{Came, ResultMessage, TaskMessage, VERSION};

/// Most characters of what a worker says that are repeated.
const REPEATED: usize = 300;

/// Games that are with workers.
#[derive(Debug)]
pub struct Book {
    /// Which runner of the event this is.
    runner: u64,
    /// Most bytes of what was said in a game.
    most_evidence: usize,
    games: BTreeMap<GameId, GivenGame>,
    /// Games that were given out.
    turns: u64,
    /// When a game that has not come was given out first, by its issue, and to whom it was given since.
    first: BTreeMap<(GameId, u32), (Duration, BTreeSet<String>)>,
    /// Whether there was a runner before this one, of which it is not known to whom it gave what.
    has_earlier: bool,
}

/// A game that is with a worker, or waits for one.
#[derive(Debug)]
struct GivenGame {
    slot: usize,
    /// Which one it was of all that were given out.
    turn: u64,
    issued: IssuedGame,
    agents: [String; 2],
    /// Who plays it, or is to.
    worker: String,
    /// When it was given out; `None`: by the runner before this one.
    at: Option<Duration>,
    /// How it is to end, where the arbiter has it ended.
    ending: Option<Outcome>,
}

/// What becomes of a message.
#[derive(Debug)]
pub enum MessageFate {
    /// This is told of it.
    Tells(Box<HostReport>),
    /// Nothing: the game has come already, or was given out again since.
    Superseded,
    /// It cannot be, and why, as a sentence without its end. The game is still to come.
    Refused(String),
}

impl Book {
    /// That of a runner, whose games may have so much evidence, in bytes.
    pub const fn new(runner: u64, most_evidence: usize, has_earlier: bool) -> Self {
        Self {
            runner,
            most_evidence,
            games: BTreeMap::new(),
            turns: 0,
            first: BTreeMap::new(),
            has_earlier,
        }
    }

    /// Whether there was a runner before this one.
    pub(crate) const fn has_earlier(&self) -> bool {
        self.has_earlier
    }

    /// A slot, which is one of a worker's, is given games of players with these agents, by the hashes of their bundles, White of the first
    /// game first.
    pub fn give(
        &mut self,
        (slot, worker): (usize, &str),
        task: Task,
        agents: [String; 2],
        now: Duration,
    ) -> TaskMessage {
        self.note((slot, worker), &task.games, &agents, Some(now));
        TaskMessage {
            version: VERSION,
            runner: self.runner,
            games: task.games,
            agents,
        }
    }

    /// The same where the worker was given the game by the runner before, and plays it or has played it.
    pub(crate) fn adopt(&mut self, (slot, worker): (usize, &str), game: IssuedGame, agents: [String; 2]) {
        self.note((slot, worker), &[game], &agents, None);
    }

    fn note(
        &mut self,
        (slot, worker): (usize, &str),
        games: &[IssuedGame],
        agents: &[String; 2],
        at: Option<Duration>,
    ) {
        let white = games.first().map(|first| first.spec.white);
        for issued in games {
            let mut agents = agents.clone();
            if Some(issued.spec.white) != white {
                agents.reverse();
            }
            // A worker that was thought to be lost may have had it before.
            let of = (issued.spec.id, issued.issue);
            let at = at.map(|at| {
                let (first, to) = self.first.entry(of).or_insert_with(|| (at, BTreeSet::new()));
                to.insert(worker.to_owned());
                *first
            });
            self.turns += 1;
            let given = GivenGame {
                slot,
                turn: self.turns,
                issued: issued.clone(),
                agents,
                worker: worker.to_owned(),
                at,
                ending: None,
            };
            self.games.insert(issued.spec.id, given);
        }
    }

    /// Who has a game, and which issue of it.
    pub fn holder(&self, game: GameId) -> Option<(&str, u32)> {
        let given = self.games.get(&game)?;
        Some((&given.worker, given.issued.issue))
    }

    /// The games that a worker has, and of each whether it may be one that it plays: the first at a slot.
    pub(crate) fn games_of(&self, worker: &str) -> Vec<(GameId, bool)> {
        let mut its: Vec<_> = self.games.iter().filter(|(_, given)| given.worker == worker).collect();
        its.sort_by_key(|(_, given)| given.turn);
        let mut slots = BTreeSet::new();
        its.into_iter()
            .map(|(game, given)| (*game, slots.insert(given.slot)))
            .collect()
    }

    /// The slot at which a worker's game is seen so; `None` where it is not its game, or cannot stand so.
    pub(crate) fn slot_of(&self, worker: &str, seen: &GameView) -> Option<usize> {
        let given = self.games.get(&seen.id).filter(|given| given.worker == worker)?;
        seen.is_of(&given.issued.spec).then_some(given.slot)
    }

    /// Games that are to end as the arbiter has it, and who has them.
    pub fn endings(&self) -> impl Iterator<Item = (&str, GameId, Outcome)> {
        let games = self.games.iter();
        games.filter_map(|(game, given)| Some((given.worker.as_str(), *game, given.ending?)))
    }

    /// What a worker should have for longer than since `before`, and has not, as tasks of one game each; and games of the runner before
    /// that it should have and has not.
    pub fn missing(
        &self,
        worker: &str,
        has: &BTreeSet<(GameId, u32)>,
        before: Duration,
    ) -> (Vec<TaskMessage>, Vec<GameId>) {
        let (mut tasks, mut lost) = (Vec::new(), Vec::new());
        for (game, given) in &self.games {
            if given.worker != worker || has.contains(&(*game, given.issued.issue)) {
                continue;
            }
            match given.at {
                None => lost.push(*game),
                Some(at) if at < before => tasks.push(TaskMessage {
                    version: VERSION,
                    runner: self.runner,
                    games: vec![given.issued.clone()],
                    agents: given.agents.clone(),
                }),
                Some(_) => {}
            }
        }
        (tasks, lost)
    }

    /// Whether a game of this issue is still to come: whoever is given it again need not play it otherwise.
    pub fn is_wanted(&self, game: GameId, issue: u32) -> bool {
        self.games.get(&game).is_some_and(|given| given.issued.issue == issue)
    }

    /// The arbiter has a game ended so; whether it is with a worker.
    pub fn is_to_end(&mut self, game: GameId, outcome: Outcome) -> bool {
        let given = self.games.get_mut(&game);
        given.map(|given| given.ending = Some(outcome)).is_some()
    }

    /// A game will not come: no worker has it, or those that had it are lost.
    pub fn gives_up(&mut self, game: GameId, whose: NotPlayedCause, why: String) -> Option<HostReport> {
        let GivenGame { slot, .. } = self.games.remove(&game)?;
        Some(HostReport::NotPlayed { slot, game, whose, why })
    }

    /// A worker, whose machine is of this class, sends what came of a game. Whose message it is the carrier knows.
    pub fn comes(&mut self, (worker, class): (&str, &str), message: ResultMessage, now: Duration) -> MessageFate {
        let game = message.game;
        if !self.is_wanted(game, message.issue) {
            return MessageFate::Superseded;
        }
        let given = &self.games[&game];
        let is_its = given.worker == worker;
        let was_given = self
            .first
            .get(&(game, message.issue))
            .is_some_and(|(_, to)| to.contains(worker));
        if !is_its && !was_given && !self.has_earlier {
            return MessageFate::Superseded;
        }
        let refused = match message.came {
            // Another one has it by now.
            Came::NotPlayed { .. } if !is_its => return MessageFate::Superseded,
            Came::NotPlayed { whose, why } => {
                let why = shortened(harmless(&why).trim(), REPEATED);
                // A worker has no services, and nothing of the organizer's.
                let whose = match whose {
                    NotPlayedCause::Service | NotPlayedCause::Configuration | NotPlayedCause::Host => {
                        NotPlayedCause::Machine
                    }
                    whose => whose,
                };
                let told = self.gives_up(game, whose, format!("worker {}: {why}", harmless(worker)));
                return told.map_or(MessageFate::Superseded, |told| MessageFate::Tells(Box::new(told)));
            }
            Came::Played { .. } if message.version != VERSION => {
                let version = message.version;
                format!("its version is {version}, and this program speaks {VERSION}")
            }
            Came::Played { .. } if message.class != class => "it was played on a machine of another class".to_owned(),
            Came::Played { .. } if message.agents != given.agents => {
                "it was played by other agents than were given out".to_owned()
            }
            Came::Played {
                record,
                evidence,
                memory,
            } => match given.accepts(&record, evidence.as_deref(), self.most_evidence, now) {
                Err(why) => why,
                Ok(()) => {
                    let slot = given.slot;
                    self.games.remove(&game);
                    self.first.remove(&(game, message.issue));
                    return MessageFate::Tells(Box::new(HostReport::Played(Box::new(GameReport {
                        slot,
                        up: Vec::new(),
                        record: *record,
                        evidence,
                        doubtful: false,
                        memory,
                        taken_from: None,
                        played_on: Some(PlayedOn {
                            worker: worker.to_owned(),
                            class: class.to_owned(),
                            issue: message.issue,
                        }),
                    }))));
                }
            },
        };
        // What a runner before this one knew of it this one does not.
        match (is_its, given.at) {
            (true, Some(_)) => MessageFate::Refused(refused),
            (true, None) => {
                let told = self.gives_up(
                    game,
                    NotPlayedCause::Stop,
                    format!("worker {}: {refused}", harmless(worker)),
                );
                told.map_or(MessageFate::Superseded, |told| MessageFate::Tells(Box::new(told)))
            }
            (false, _) => MessageFate::Superseded,
        }
    }
}

impl GivenGame {
    /// That a record may be that of this game, which has come `now`.
    fn accepts(
        &self,
        record: &GameRecord,
        evidence: Option<&str>,
        most_evidence: usize,
        now: Duration,
    ) -> Result<(), String> {
        record.check(&self.issued.spec).map_err(|why| why.to_string())?;
        if !is_bounded(record) {
            return Err("it has more in it than a game of two programs has".to_owned());
        }
        let is_adjudicated = record.termination == Termination::ArbiterAdjudication;
        if is_adjudicated && self.ending != Some(record.outcome) {
            return Err("it was ended by an arbiter who did not ask for that".to_owned());
        }
        if self.at.is_some_and(|at| took(record) > now.saturating_sub(at)) {
            return Err("its moves took longer than there was time since it was given out".to_owned());
        }
        match evidence.is_some_and(|text| text.len() > most_evidence) {
            true => Err("it has more evidence than is kept".to_owned()),
            false => Ok(()),
        }
    }
}

/// Whether a record has no more than a game of two programs may have: nothing that is told of services, and each doubt once.
fn is_bounded(record: &GameRecord) -> bool {
    let doubts: BTreeSet<_> = record.in_doubt.iter().map(|answer| (answer.ply, answer.side)).collect();
    let plies = record.time_us.len();
    doubts.len() == record.in_doubt.len()
        && doubts.len() <= plies + 2
        && record.failed_attempts.len() <= 10 * (plies + 2)
}

/// How long a game took at least.
fn took(record: &GameRecord) -> Duration {
    let failed = record.failed_attempts.iter().map(|attempt| attempt.time_us);
    let all = record.time_us.iter().copied().chain(failed);
    Duration::from_micros(all.fold(0, u64::saturating_add))
}
