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
    /// The places that must be sure, and how sure; `None` means that places do not end the event.
    pub when: Option<SurePlaces>,
    /// The first round after which places are looked at; in a format of cycles, the first end of a cycle from it on.
    /// `None` (`"auto"`) means ⌈log2 N⌉ for N players.
    pub from_round: Option<u32>,
    /// The most games of the event; `None` means any number.
    pub games: Option<u32>,
    /// No further round begins once the players have thought this long, both sides of all games together; `None` means
    /// no limit.
    #[serde(with = "swissmatch_game::time_control::written::option")]
    pub time: Option<Duration>,
}

impl StopKeys {
    /// True if there is a rule.
    pub const fn is_set(&self) -> bool {
        self.when.is_some() || self.games.is_some() || self.time.is_some()
    }

    /// The first round after which places are looked at, with this many players and this format. If it is not set, it
    /// is the number of rounds of a knockout with them, before which the best need not have met. A cycle is played to
    /// its end.
    pub fn first_look(&self, players: usize, format: Rounds) -> u32 {
        let players = u32::try_from(players).unwrap_or(u32::MAX).max(1);
        let log2 = players.checked_next_power_of_two().map_or(32, u32::trailing_zeros);
        let cycle = format.rounds_of_cycle(players).max(1);
        self.from_round.unwrap_or(log2).max(1).next_multiple_of(cycle)
    }
}
