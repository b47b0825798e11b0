//! The history of a league: what was played on each night, by which builds.
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

#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// In the order in which they began.
    pub nights: Vec<Night>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NightEnd {
    Complete,
    Time,
    /// It had as many games as it may have.
    Games,
}

words!(NightEnd {
    Complete => "complete",
    Time => "time",
    Games => "games",
});

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Night {
    /// Version of this shape.
    pub version: u32,
    /// Identifies the run: the hash of the first entry of its log.
    pub run: String,
    /// Such as its date.
    pub name: String,
    /// The directory of its run, relative to that of all nights.
    pub dir: String,
    pub began: Timestamp,
    pub machine: String,
    pub ended: NightEnd,
    /// How busy the machine was with other things.
    pub noise: Noise,
    /// Whether any of its games has limits of time, so that its games depend on the speed of the machine.
    pub by_time: bool,
    /// Its time control and openings, in words.
    pub conditions: String,
    /// Its players, by the number that its games have.
    pub builds: Vec<NightBuild>,
    /// Builds of the roster that had no program, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenBuild>,
    /// Changes: each build that was compared with the one before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<BuildComparison>,
    /// The pairs of a round of a ladder: places in [`Night::builds`], White of the first game first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<[u16; 2]>,
    /// In schedule order.
    pub games: Vec<NightGame>,
}

/// A build compared with the one before it of the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildComparison {
    /// The name of both.
    pub name: String,
    /// The night in which the older one played last.
    pub since: String,
    /// What people call them, the older first.
    pub versions: [String; 2],
    /// The lead of the newer one, in Elo.
    pub ahead: f64,
    /// Half the width of the interval, in Elo.
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
    /// A hash of all that decides how it plays.
    pub build: String,
    /// What people call that build: the beginning of a commit or of a hash.
    pub version: String,
    /// Why it is of an older commit than the one that was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
    /// Its rating, if it is an anchor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<i32>,
    /// Whether it only serves to measure others, so that its own changes are not examined.
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
    /// Its rating after the round, in a ladder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<LadderRating>,
}

impl NightBuild {
    /// A build with this name and hash, of which nothing else is known yet.
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

/// A build that had no program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenBuild {
    pub name: String,
    pub why: String,
}

/// A game of a night that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NightGame {
    pub id: GameId,
    /// The place of White in [`Night::builds`].
    pub white: u16,
    /// The place of Black in [`Night::builds`].
    pub black: u16,
    pub result: Outcome,
    /// A hash of what defines it: an equal game need not be played again. `None` where it has to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
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

/// The result of a game for the build with this number in the night, in half points.
pub(crate) fn result_of(game: &NightGame, build: u16) -> u32 {
    match (game.result, game.white == build) {
        (Outcome::WhiteWins, true) | (Outcome::BlackWins, false) => 2,
        (Outcome::Draw, _) => 1,
        (Outcome::WhiteWins | Outcome::BlackWins | Outcome::BothLose | Outcome::Void, _) => 0,
    }
}

impl History {
    /// The night of this run.
    pub fn night_of_run(&self, run: &str) -> Option<&Night> {
        self.nights.iter().find(|night| night.run == run)
    }

    /// The last night of this name, or the one whose run is in the directory of this name.
    pub fn night(&self, name: &str) -> Option<&Night> {
        let mut nights = self.nights.iter().rev();
        nights.find(|night| night.name == name || night.dir == name)
    }

    /// The number of games of each name's builds, in all nights except those called `but`.
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

    /// Adds a night, unless its run is there already. Gives whether it was added.
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

/// Whether a fault ended a game before both sides had made a move, so that it tells nothing of their strength.
pub fn is_unrated(game: &EndedGame) -> bool {
    game.finished.termination.is_fault() && game.finished.plies < BOTH_MOVED
}

/// The games of a run that have a result and are rated according to `is_rated`. `known` gives the key of each, and where it was played, if
/// not in this run.
///
/// # Errors
/// An error of `known`.
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
