//! `[stop]`: a rule that ends an event before its last round.
//!
//! May not: read files, know TOML, decide anything.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Rounds;
use swissmatch_stats::stop::SurePlaces;

/// `[stop]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StopKeys {
    /// The places that are to be sure, and how sure; `None`: that is not looked at.
    pub when: Option<SurePlaces>,
    /// The first round after which that is looked at, in a format of cycles the one that ends a cycle from it on; `None`
    /// (`"auto"`): ⌈log2 N⌉ for N players.
    pub from_round: Option<u32>,
    /// Games of the event at most; `None`: any number.
    pub games: Option<u32>,
    /// Once the players have thought so long, both sides of all games together, no further round begins; `None`: any time.
    #[serde(with = "swissmatch_game::time_control::written::option")]
    pub time: Option<Duration>,
}

impl StopKeys {
    /// Whether there is a rule.
    pub const fn is_set(&self) -> bool {
        self.when.is_some() || self.games.is_some() || self.time.is_some()
    }

    /// The first round after which it is looked at whether places are sure, in an event of so many players and this format: where
    /// it is not given, as many as a knockout of them has, before which the best need not have met. A cycle is played to its end.
    pub fn first_look(&self, players: usize, format: Rounds) -> u32 {
        let players = u32::try_from(players).unwrap_or(u32::MAX).max(1);
        let log2 = players.checked_next_power_of_two().map_or(32, u32::trailing_zeros);
        let cycle = format.rounds_of_cycle(players).max(1);
        self.from_round.unwrap_or(log2).max(1).next_multiple_of(cycle)
    }
}
