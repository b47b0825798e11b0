//! Time controls: what limits a move.
//!
//! May not: ask what time it is.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limit a move is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeControl {
    /// So much for every move: `"30s/move"`.
    MoveTime(Duration),
    /// A clock: `"10+0.1"` (seconds), `"40/60+0.6"`.
    Clock {
        /// Moves of the stage, after which `base` is added again; `None`: the whole game.
        moves: Option<u32>,
        /// Time at the start.
        base: Duration,
        /// Added after each move.
        increment: Duration,
    },
}
