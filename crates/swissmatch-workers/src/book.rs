//! The games given to workers, and which of their results count.
//!
//! The first possible record of a game counts, whichever of the workers that were given the game sends it. A task may
//! be played twice: by a worker that was thought lost, and by the next one. Later records are superseded. What no
//! record can show is taken on trust: that its times are true, its moves are those of the agents, and its faults really
//! happened. May not: ask the time, know what carries a message, or keep what the log keeps.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use swiss_system::text::{harmless, shortened};
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::seen::GameView;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_host::host::{GameReport, HostReport, IssuedGame, NotPlayedCause, Task};
use swissmatch_tournament::log::PlayedOn;

use crate::wire::{Came, ResultMessage, TaskMessage, VERSION};

/// The most characters repeated of what a worker says.
const REPEATED: usize = 300;

#[derive(Debug)]
pub struct Book {
    /// The number of this runner of the event.
    runner: u64,
    /// The most bytes of evidence in a game.
    most_evidence: usize,
    games: BTreeMap<GameId, GivenGame>,
    /// How many games have been given out.
    turns: u64,
    /// For each issue of a game without a result: when it was first given out, and the workers that have been given it.
    first: BTreeMap<(GameId, u32), (Duration, BTreeSet<String>)>,
    /// There was a runner before this one, and it is not known which games it gave to whom.
    has_earlier: bool,
}

/// A game that is with a worker or waits for one.
#[derive(Debug)]
struct GivenGame {
    slot: usize,
    /// Its number among all games given out.
    turn: u64,
    issued: IssuedGame,
    agents: [String; 2],
    /// The worker that plays it, or is to.
    worker: String,
    /// When it was given out; `None` if by the runner before this one.
    at: Option<Duration>,
    /// The result with which the arbiter ends it.
    ending: Option<Outcome>,
}

/// What happens to a message.
#[derive(Debug)]
pub enum MessageFate {
    /// The message counts as this report.
    Tells(Box<HostReport>),
    /// Nothing: the game already has a result, or has been given out again since.
    Superseded,
    /// The message is impossible; says why, as a sentence without its end. The game is still due.
    Refused(String),
}

impl Book {
    /// The book of a runner whose games may have this many bytes of evidence.
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

    /// True if there was a runner before this one.
    pub(crate) const fn has_earlier(&self) -> bool {
        self.has_earlier
    }

    /// Gives games to a worker's slot. `agents` are the hashes of the players' bundles, White of the first game first.
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

    /// Like [`Self::give`], for a game that the runner before gave to the worker, which plays it or has played it.
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
            // A worker that was thought lost may have had it before.
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

    /// The worker that has a game, and the game's issue.
    pub fn holder(&self, game: GameId) -> Option<(&str, u32)> {
        let given = self.games.get(&game)?;
        Some((&given.worker, given.issued.issue))
    }

    /// The games that a worker has, and for each whether the worker may be playing it now: it is the first at its slot.
    pub(crate) fn games_of(&self, worker: &str) -> Vec<(GameId, bool)> {
        let mut its: Vec<_> = self.games.iter().filter(|(_, given)| given.worker == worker).collect();
        its.sort_by_key(|(_, given)| given.turn);
        let mut slots = BTreeSet::new();
        its.into_iter()
            .map(|(game, given)| (*game, slots.insert(given.slot)))
            .collect()
    }

    /// The slot of a worker's game that is seen like this; `None` if the game is not its own, or cannot stand like
    /// this.
    pub(crate) fn slot_of(&self, worker: &str, seen: &GameView) -> Option<usize> {
        let given = self.games.get(&seen.id).filter(|given| given.worker == worker)?;
        seen.is_of(&given.issued.spec).then_some(given.slot)
    }

    /// Games that the arbiter has ended, with the workers that have them.
    pub fn endings(&self) -> impl Iterator<Item = (&str, GameId, Outcome)> {
        let games = self.games.iter();
        games.filter_map(|(game, given)| Some((given.worker.as_str(), *game, given.ending?)))
    }

    /// Games that a worker should have had since before `before` but does not have, as tasks of one game each; also
    /// games of the runner before that it should have but does not.
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

    /// True if this issue of a game still needs a result: whoever is given it again need not play it otherwise.
    pub fn is_wanted(&self, game: GameId, issue: u32) -> bool {
        self.games.get(&game).is_some_and(|given| given.issued.issue == issue)
    }

    /// Ends a game with the arbiter's result; returns whether it is with a worker.
    pub fn is_to_end(&mut self, game: GameId, outcome: Outcome) -> bool {
        let given = self.games.get_mut(&game);
        given.map(|given| given.ending = Some(outcome)).is_some()
    }

    /// Gives up on a game: no worker has it, or those that had it are lost.
    pub fn gives_up(&mut self, game: GameId, whose: NotPlayedCause, why: String) -> Option<HostReport> {
        let GivenGame { slot, .. } = self.games.remove(&game)?;
        Some(HostReport::NotPlayed { slot, game, whose, why })
    }

    /// Takes a worker's result of a game; `class` is the worker's machine class. The carrier vouches for the sender.
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
            // Another worker has it by now.
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
        // A runner before this one knew things about the game that this one does not.
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
    /// Checks whether a record that comes at `now` can be one of this game.
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

/// True if a record has no more than a game of two programs can have: nothing about services, and no doubt twice.
fn is_bounded(record: &GameRecord) -> bool {
    let doubts: BTreeSet<_> = record.in_doubt.iter().map(|answer| (answer.ply, answer.side)).collect();
    let plies = record.time_us.len();
    doubts.len() == record.in_doubt.len()
        && doubts.len() <= plies + 2
        && record.failed_attempts.len() <= 10 * (plies + 2)
}

/// The least time that a game took.
fn took(record: &GameRecord) -> Duration {
    let failed = record.failed_attempts.iter().map(|attempt| attempt.time_us);
    let all = record.time_us.iter().copied().chain(failed);
    Duration::from_micros(all.fold(0, u64::saturating_add))
}
