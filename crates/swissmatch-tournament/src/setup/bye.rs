//! Keys of `[bye]`: who has one, what it is worth, and how many may be asked for.
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
    /// The criteria by which the bye is given, in strict order.
    pub order: Vec<ByeCriterion>,
    pub match_points: Points,
    /// `None` means as follows from the match points and the games of a round.
    pub game_points: Option<Points>,
    /// What a player gets who is left over without a right to the bye.
    pub again: ByeAgain,
    /// How many half-point byes a player may ask for, by increasing numbers of rounds; empty means none.
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
    /// How many half-point byes a player may ask for in an event with this many rounds. Beyond the last line, its
    /// number applies.
    pub fn requests_in(&self, rounds: u32) -> u32 {
        let line = self.requests.iter().find(|limit| rounds <= limit.rounds);
        line.or(self.requests.last()).map_or(0, |limit| limit.byes)
    }
}

/// What a player gets who is left over without a right to the bye, `bye.again`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByeAgain {
    /// `"bye"`: the points of the bye.
    #[default]
    Bye,
    /// `"requested"`: the points of a requested bye, "not a second full point" (City Chess).
    Requested,
    /// `"zero"`: nothing: "you were not included in the matchmaking of a round: 0 point for this round" (Immortal
    /// Game).
    Zero,
}

words!(ByeAgain {
    Bye => "bye",
    Requested => "requested",
    Zero => "zero",
});

/// A line of `bye.requests`: how many half-point byes a player may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByeLimit {
    /// Applies to events of up to this many rounds.
    pub rounds: u32,
    /// The number of byes.
    pub byes: u32,
}
