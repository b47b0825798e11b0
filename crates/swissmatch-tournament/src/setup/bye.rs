//! Keys of `[bye]`: who has one, what it is worth, and those that are asked for.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};
use swiss_system::pairing::bye::ByeCriterion;
use swiss_system::score::Points;
use swiss_system::word::words;

/// `[bye]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ByeKeys {
    /// Who gets the bye: criteria, strictly in turn.
    pub order: Vec<ByeCriterion>,
    /// Match points of a bye.
    pub match_points: Points,
    /// Game points of a bye; `None`: what follows from its match points and the games of a round.
    pub game_points: Option<Points>,
    /// What a player has who is left over without a right to the bye.
    pub again: ByeAgain,
    /// How many half-point byes a player may ask for, by growing numbers of rounds; empty: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<ByeLimit>,
}

impl Default for ByeKeys {
    fn default() -> Self {
        Self {
            order: vec![
                ByeCriterion::FewestByes,
                ByeCriterion::LowestMatchPoints,
                ByeCriterion::WorstPreviousPlace,
                ByeCriterion::EarliestSubmission,
            ],
            match_points: Points::ONE,
            game_points: None,
            again: ByeAgain::default(),
            requests: Vec::new(),
        }
    }
}

impl ByeKeys {
    /// How many half-point byes a player may ask for in an event of so many rounds; in a longer one than any line says as
    /// many as the last line does.
    pub fn requests_in(&self, rounds: u32) -> u32 {
        let line = self.requests.iter().find(|limit| rounds <= limit.rounds);
        line.or(self.requests.last()).map_or(0, |limit| limit.byes)
    }
}

/// What a player has who is left over without a right to the bye, `bye.again`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByeAgain {
    /// `"bye"`: what the bye gives.
    #[default]
    Bye,
    /// `"requested"`: what a requested bye gives, "not a second full point" (City Chess).
    Requested,
    /// `"zero"`: nothing: "you were not included in the matchmaking of a round: 0 point for this round" (Immortal Game).
    Zero,
}

words!(ByeAgain {
    Bye => "bye",
    Requested => "requested",
    Zero => "zero",
});

/// How many half-point byes a player may ask for, one line of `bye.requests`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByeLimit {
    /// In events of up to so many rounds.
    pub rounds: u32,
    /// So many.
    pub byes: u32,
}
