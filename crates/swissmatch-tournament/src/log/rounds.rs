//! Rounds, stages and play-off rounds as they were paired.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::{PairingNumber, RoundPairing};

use super::playoff::PlayoffBoard;

/// A stage after the first begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageBegun {
    /// The number of the stage, from 2.
    pub stage: u32,
    /// Its players by their pairing numbers in the event, first seed first.
    pub players: Vec<PairingNumber>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPaired {
    /// From 1.
    pub round: u32,
    /// Its pairs in board order, and the bye.
    pub pairing: RoundPairing,
    /// The date of the pairing, by `schedule.time_zone`.
    pub day: Date,
    /// The scheduled start of its games; `None` means at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<Timestamp>,
}

/// A play-off round: all boards of play-offs that can be played at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayoffPaired {
    /// The round that it follows, from 1.
    pub round: u32,
    /// Its number among the play-off rounds after that round, from 1.
    pub playoff: u32,
    pub boards: Vec<PlayoffBoard>,
    /// Set for the first play-off round if it is not played on the day on which the last game ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub later: Option<Later>,
}

/// A play-off that begins on a later day than it should; dates by `schedule.time_zone`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Later {
    /// The date on which the last game ended.
    pub ended: Date,
    /// The date on which the play-off began.
    pub begun: Date,
}
