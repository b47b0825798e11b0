//! The history of a league: what was played on which night, by which builds.
//!
//! A game that a night took from an earlier one counts once, in the night in which it was played. May not: touch files; know how the
//! history is stored.

mod changes;
pub mod ladder;
mod series;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub(crate) use changes::plays_since;
pub use changes::{NightChanges, changes, still_weaker};
pub use series::{BuildId, NightSeries, with_noise};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::words;

use swissmatch_game::record::{GameId, is_zero};
use swissmatch_game::termination::Outcome;
use swissmatch_tournament::collected;
use swissmatch_tournament::log::TakenFrom;
use swissmatch_tournament::noise::Noise;
use swissmatch_tournament::setup::LadderRating;
use swissmatch_tournament::state::{EndedGame, State};

/// Version of the shape of a night.
pub const VERSION: u32 = 1;

/// All nights of a league.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// In the order in which they began.
    pub nights: Vec<Night>,
}

/// How a night ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NightEnd {
    /// All of its games were played.
    Complete,
    /// Its time was up.
    Time,
    /// It had as many games as it may have.
    Games,
}

words!(NightEnd {
    Complete => "complete",
    Time => "time",
    Games => "games",
});

/// A night.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Night {
    /// Version of this shape.
    pub version: u32,
    /// Which run: the hash of the first entry of its log.
    pub run: String,
    /// What it is called, such as its date.
    pub name: String,
    /// The directory of its run, among those of all nights.
    pub dir: String,
    /// When it began.
    pub began: Timestamp,
    /// The class of the machine.
    pub machine: String,
    /// How it ended.
    pub ended: NightEnd,
    /// What the machine was busy with.
    pub noise: Noise,
    /// Whether its games depend on how fast the machine is: any of them by time.
    pub by_time: bool,
    /// Its time control and openings, in words.
    pub conditions: String,
    /// Who played, by the number that its games have.
    pub builds: Vec<NightBuild>,
    /// Builds of the roster of which there was no program, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenBuild>,
    /// What changed in it: each build that was compared with the one before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<BuildComparison>,
    /// Who was paired, where it is a round of a ladder: by their places in [`Night::builds`], White of the first game first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<[u16; 2]>,
    /// Its games, in schedule order.
    pub games: Vec<NightGame>,
}

/// A build as it was compared with the one before it of the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildComparison {
    /// The name of both.
    pub name: String,
    /// The night in which the older one played last.
    pub since: String,
    /// What people call them, the older first.
    pub versions: [String; 2],
    /// How far the newer is ahead, in Elo.
    pub ahead: f64,
    /// Half of the width of the interval, in Elo.
    pub bound: f64,
    /// The night that marked it already; it is marked once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked_in: Option<String>,
}

impl BuildComparison {
    /// Whether it is marked as a change.
    pub(crate) fn is_marked(&self) -> bool {
        self.marked_in.is_none() && self.ahead.abs() > self.bound
    }
}

/// A build as it played in a night.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NightBuild {
    /// Its name in the league file.
    pub name: String,
    /// What it is, all that decides how it plays: a hash.
    pub build: String,
    /// What people call that build: the beginning of a commit or of a hash.
    pub version: String,
    /// Why it is of an older commit than the one that was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
    /// Its rating, where it is an anchor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<i32>,
    /// Whether it is there for others to be measured against: whether it changed is not asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opponent: bool,
    /// Games of the night that it lost by a fault. Such a game is not taken from an earlier night.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub faults: u32,
    /// Other games of the night in which it gave an alarm.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub alarms: u32,
    /// Games of the night that tell nothing of its strength: a fault ended them before both sides had made a move.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unrated: u32,
    /// Whether it was at fault in more games than `run.max_faults` allows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_many_faults: bool,
    /// Its rating after the round, where that is one of a ladder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<LadderRating>,
}

impl NightBuild {
    /// One that is this, of which nothing else is known yet.
    pub fn new(name: &str, build: String) -> Self {
        Self {
            name: name.to_owned(),
            build,
            version: String::new(),
            instead: None,
            elo: None,
            opponent: false,
            faults: 0,
            alarms: 0,
            unrated: 0,
            too_many_faults: false,
            ladder: None,
        }
    }
}

/// A build that there was not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenBuild {
    /// Its name.
    pub name: String,
    /// What went wrong.
    pub why: String,
}

/// A game of a night that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NightGame {
    /// Which.
    pub id: GameId,
    /// Who had White, by its place in [`Night::builds`].
    pub white: u16,
    /// Who had Black.
    pub black: u16,
    /// What it gave.
    pub result: Outcome,
    /// What defines it, as a hash: an equal game need not be played again. `None` where it has to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Whether a fault ended it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fault: bool,
    /// Where it was played, if not in this night.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<TakenFrom>,
}

impl Night {
    /// Whether any of its games were played in it.
    pub(crate) fn has_played(&self) -> bool {
        self.games.iter().any(|game| game.from.is_none())
    }

    /// How many of its games were taken from earlier nights.
    pub fn taken(&self) -> usize {
        self.games.iter().filter(|game| game.from.is_some()).count()
    }

    /// The build of this name.
    pub fn build(&self, name: &str) -> Option<&NightBuild> {
        self.builds.iter().find(|build| build.name == name)
    }

    /// The games of the build of this name.
    pub fn games_of(&self, name: &str) -> impl Iterator<Item = &NightGame> {
        let found = self.builds.iter().zip(0_u16..).find(|(build, _)| build.name == name);
        let number = found.map(|(_, number)| number);
        let is_of_it = move |game: &&NightGame| [game.white, game.black].map(Some).contains(&number);
        self.games.iter().filter(is_of_it)
    }

    /// Where one of its games was played.
    pub fn origin(&self, game: &NightGame) -> TakenFrom {
        game.from.clone().unwrap_or_else(|| TakenFrom {
            run: self.run.clone(),
            game: game.id,
        })
    }
}

/// What a game of its own gave a build, in half points; the build has this number in the night.
pub(crate) fn result_of(game: &NightGame, build: u16) -> u32 {
    match (game.result, game.white == build) {
        (Outcome::WhiteWins, true) | (Outcome::BlackWins, false) => 2,
        (Outcome::Draw, _) => 1,
        (Outcome::WhiteWins | Outcome::BlackWins | Outcome::BothLose | Outcome::Void, _) => 0,
    }
}

impl History {
    /// The night that this run is.
    pub fn night_of_run(&self, run: &str) -> Option<&Night> {
        self.nights.iter().find(|night| night.run == run)
    }

    /// The last night of this name, or that whose run is in the directory of this name.
    pub fn night(&self, name: &str) -> Option<&Night> {
        let mut nights = self.nights.iter().rev();
        nights.find(|night| night.name == name || night.dir == name)
    }

    /// How many games the builds of each name have in all nights but those that are called `but`.
    pub fn games_by_name(&self, but: &str) -> BTreeMap<&str, usize> {
        let mut games = BTreeMap::new();
        for night in self.nights.iter().filter(|night| night.name != but) {
            let mut of_builds = vec![0; night.builds.len()];
            for number in night.games.iter().flat_map(|game| [game.white, game.black]) {
                of_builds[usize::from(number)] += 1;
            }
            for (build, of_build) in night.builds.iter().zip(of_builds) {
                *games.entry(build.name.as_str()).or_default() += of_build;
            }
        }
        games
    }

    /// Adds a night, unless its run is there already; whether it was added.
    pub fn add(&mut self, night: Night) -> bool {
        let is_new = self.night_of_run(&night.run).is_none();
        if is_new {
            let at = self.nights.partition_point(|other| other.began <= night.began);
            self.nights.insert(at, night);
        }
        is_new
    }
}

/// Plies after which both sides have made a move.
const BOTH_MOVED: u32 = 2;

/// Whether a fault ended a game before both sides had made a move: it tells nothing of how strong they are.
pub fn is_unrated(game: &EndedGame) -> bool {
    game.finished.termination.is_fault() && game.finished.plies < BOTH_MOVED
}

/// The games of a run that are rated, by `is_rated` and because they have a result, each with what `known` says of it: its key, and where
/// it was played, if not in this run.
///
/// # Errors
/// What `known` says.
///
/// # Panics
/// When an event has more than 65,535 players.
pub fn games_of<E>(
    state: &State,
    is_rated: impl Fn(&EndedGame) -> bool,
    mut known: impl FnMut(&EndedGame) -> Result<(Option<String>, Option<TakenFrom>), E>,
) -> Result<Vec<NightGame>, E> {
    let number = |player: PairingNumber| u16::try_from(player.index()).expect("a league has few builds");
    let mut games = Vec::new();
    for game in state.finished_games() {
        if collected::counts(&game).is_err() || !is_rated(&game) {
            continue;
        }
        let finished = &game.finished;
        let (key, from) = known(&game)?;
        games.push(NightGame {
            id: finished.id,
            white: number(finished.white),
            black: number(finished.black),
            result: game.outcome(),
            key,
            fault: finished.termination.is_fault(),
            from,
        });
    }
    Ok(games)
}
