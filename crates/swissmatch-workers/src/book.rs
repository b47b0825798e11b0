//! Which games were given to workers, and what of what they send counts.
//!
//! The first record of a game that can be one counts, whoever sends it: a task may be played twice, by a worker that was thought to be
//! lost and by the next. What comes later is superseded. What no record can show is taken on trust: that its times are those that were
//! taken, its moves those of the agents, and its faults true. May not: ask the time, know what carries a message, or keep what the log
//! keeps.

use std::collections::BTreeMap;
use std::time::Duration;

use swiss_system::text::{harmless, shortened};
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_host::host::{Issued, Played, Report, Task, Whose};
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
    games: BTreeMap<GameId, Given>,
}

/// A game that is with a worker, or waits for one.
#[derive(Debug)]
struct Given {
    slot: usize,
    issued: Issued,
    agents: [String; 2],
    /// When it was given out.
    at: Duration,
    /// How it is to end, where the arbiter has it ended.
    ending: Option<Outcome>,
}

/// What becomes of a message.
#[derive(Debug)]
pub enum Counts {
    /// This is told of it.
    Tells(Box<Report>),
    /// Nothing: the game has come already, or was given out again since.
    Superseded,
    /// It cannot be, and why, as a sentence without its end. The game is still to come.
    Refused(String),
}

impl Book {
    /// That of a runner, whose games may have so much evidence, in bytes.
    pub const fn new(runner: u64, most_evidence: usize) -> Self {
        Self {
            runner,
            most_evidence,
            games: BTreeMap::new(),
        }
    }

    /// A slot is given games of players with these agents, by the hashes of their bundles, White of the first game first.
    pub fn give(&mut self, slot: usize, task: Task, agents: [String; 2], now: Duration) -> TaskMessage {
        let white = task.games.first().map(|first| first.spec.white);
        for issued in &task.games {
            let mut agents = agents.clone();
            if Some(issued.spec.white) != white {
                agents.reverse();
            }
            let given = Given {
                slot,
                issued: issued.clone(),
                agents,
                at: now,
                ending: None,
            };
            self.games.insert(issued.spec.id, given);
        }
        TaskMessage {
            version: VERSION,
            runner: self.runner,
            games: task.games,
            agents,
        }
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
    pub fn gives_up(&mut self, game: GameId, whose: Whose, why: String) -> Option<Report> {
        let Given { slot, .. } = self.games.remove(&game)?;
        Some(Report::NotPlayed { slot, game, whose, why })
    }

    /// A worker of this class sends what came of a game. Whose message it is the carrier knows.
    pub fn comes(&mut self, (worker, class): (&str, &str), message: ResultMessage, now: Duration) -> Counts {
        let game = message.game;
        if !self.is_wanted(game, message.issue) {
            return Counts::Superseded;
        }
        let given = &self.games[&game];
        if message.version != VERSION {
            return Counts::Refused(format!(
                "its version is {}, and this program speaks {VERSION}",
                message.version
            ));
        }
        if message.agents != given.agents {
            return Counts::Refused("it was played by other agents than were given out".to_owned());
        }
        match message.came {
            Came::NotPlayed { whose, why } => {
                let why = shortened(harmless(&why).trim(), REPEATED);
                let told = self.gives_up(game, whose, format!("worker {}: {why}", harmless(worker)));
                told.map_or(Counts::Superseded, |told| Counts::Tells(Box::new(told)))
            }
            Came::Played {
                record,
                evidence,
                memory,
            } => match given.accepts(&record, evidence.as_deref(), self.most_evidence, now) {
                Err(why) => Counts::Refused(why),
                Ok(()) => {
                    let slot = given.slot;
                    self.games.remove(&game);
                    Counts::Tells(Box::new(Report::Played(Box::new(Played {
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
                    }))))
                }
            },
        }
    }
}

impl Given {
    /// That a record may be that of this game, which has come `now`.
    fn accepts(
        &self,
        record: &GameRecord,
        evidence: Option<&str>,
        most_evidence: usize,
        now: Duration,
    ) -> Result<(), String> {
        record.check(&self.issued.spec).map_err(|why| why.to_string())?;
        let is_adjudicated = record.termination == Termination::ArbiterAdjudication;
        if is_adjudicated && self.ending != Some(record.outcome) {
            return Err("it was ended by an arbiter who did not ask for that".to_owned());
        }
        if took(record) > now.saturating_sub(self.at) {
            return Err("its moves took longer than there was time since it was given out".to_owned());
        }
        match evidence.is_some_and(|text| text.len() > most_evidence) {
            true => Err("it has more evidence than is kept".to_owned()),
            false => Ok(()),
        }
    }
}

/// How long a game took at least.
fn took(record: &GameRecord) -> Duration {
    let failed = record.failed_attempts.iter().map(|attempt| attempt.time_us);
    let all = record.time_us.iter().copied().chain(failed);
    Duration::from_micros(all.fold(0, u64::saturating_add))
}
