//! `[stop]`: a rule that ends an event before its last round.
//!
//! May not: read files, know TOML, decide anything.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

use crate::stats::stop::SurePlaces;

/// `[stop]`
#[derive(Clone, Debug, PartialEq, Eq, SmartDefault, Serialize, Deserialize)]
#[serde(default)]
pub struct StopKeys {
    /// The places that are to be sure, and how sure; `None`: that is not looked at.
    pub when: Option<SurePlaces>,
    /// The first round after which that is looked at; `None` (`"auto"`): ⌈log2 N⌉ for N players.
    pub from_round: Option<u32>,
    /// Games of the event at most; `None`: any number.
    pub games: Option<u32>,
    /// Once the players have thought so long, both sides of all games together, no further round begins; `None`: any time.
    #[serde(with = "crate::game::time_control::written::option")]
    pub time: Option<Duration>,
}

impl StopKeys {
    /// Whether there is a rule.
    pub const fn is_set(&self) -> bool {
        self.when.is_some() || self.games.is_some() || self.time.is_some()
    }

    /// The first round after which it is looked at whether places are sure, in an event of so many players: where it is not
    /// given, as many as a knockout of them has, before which the best need not have met.
    pub fn first_look(&self, players: usize) -> u32 {
        let log2 = players.max(1).next_power_of_two().trailing_zeros();
        self.from_round.unwrap_or(log2).max(1)
    }
}
