//! Every limit of a game.
//!
//! May not: know keys or programs.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::flag_fall::FlagFall;
use crate::rules::{Claims, Ends, PliesFrom};
use crate::termination::BothFailed;
use crate::time_control::TimeControl;

/// How many failed attempts a move may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attempts {
    /// Overruns and illegal moves of one move count together.
    Shared(u32),
    /// Each kind has its own number.
    Apart {
        overruns: u32,
        /// Attempts that may be illegal or unparsable.
        illegal: u32,
    },
}

/// Every limit of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameLimits {
    /// The time control of each side, White first.
    pub time_controls: [TimeControl; 2],
    /// How far over its limit a move may be, White first.
    pub margins: [Duration; 2],
    /// How much less than its limit the engine is told under a time per move.
    pub move_overhead: Duration,
    /// Attempts at one move. Under a clock or an hourglass an overrun loses at once, whatever this says.
    pub attempts: Attempts,
    /// True if the attempts at a move share its limit, as under a clock; otherwise each has all of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub attempts_share: bool,
    /// The game is drawn after this many plies.
    pub max_plies: Option<u32>,
    /// From where `max_plies` counts.
    #[serde(default, skip_serializing_if = "PliesFrom::is_opening")]
    pub plies_from: PliesFrom,
    /// When repetition and fifty moves end the game.
    #[serde(default, skip_serializing_if = "Claims::is_automatic")]
    pub claims: Claims,
    /// From `isready` to `readyok` before a game: once for each process.
    pub ready_limit: Duration,
    /// From `isready` to `readyok` after an overrun; also the time that each game of a process adds to its
    /// `ready_limit`.
    pub step_limit: Duration,
    /// From the kill of a process in mid-game until the new one is ready, White first.
    pub restart_limits: [Duration; 2],
    /// The number of threads that each side declares, White first.
    pub threads: [u32; 2],
    /// From `stop` to `bestmove`.
    pub stop_grace: Duration,
    /// How often an engine that does not get ready for the game is started anew.
    pub start_attempts: u32,
    /// True for a side that ponders, White first.
    pub ponder: [bool; 2],
    /// True if a side that does not ponder is stopped while the other side is to move.
    #[serde(default)]
    pub freeze: bool,
    /// True for a side that may answer `resign` in place of a move, as players that are not engines may, White first.
    #[serde(default, skip_serializing_if = "nobody")]
    pub resigns: [bool; 2],
    /// The consequence of a flag fall.
    #[serde(default)]
    pub flag_fall: FlagFall,
    /// The outcome if both agents fail before a move.
    #[serde(default, skip_serializing_if = "BothFailed::is_lost")]
    pub both_failed: BothFailed,
}

impl GameLimits {
    /// What ends the game beyond the laws of chess.
    pub const fn ends(&self) -> Ends {
        Ends {
            max_plies: self.max_plies,
            plies_from: self.plies_from,
            claims: self.claims,
        }
    }
}

fn nobody(sides: &[bool; 2]) -> bool {
    *sides == [false; 2]
}
