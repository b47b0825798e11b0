//! One game as a function: a spec goes in, a record comes out. Sans-IO: the caller tells the time and passes the bytes.
//!
//! May not: ask the time, touch processes, files or sockets, know tournaments.

pub mod adjudicate;
pub mod alarm;
mod check;
pub mod claims;
pub mod clock;
mod columns;
pub mod conformance;
pub mod doubt;
pub mod eval;
pub mod evaluation;
pub mod excerpt;
pub mod flag_fall;
pub mod gz;
pub mod handshake;
pub mod isolation;
pub mod lines;
pub mod notation;
pub mod opening;
pub mod otherwise;
pub mod pgn_results;
pub mod play;
pub mod record;
pub mod resource;
pub mod rules;
mod said;
pub mod seen;
pub mod termination;
pub mod time_control;
pub mod transcript;
pub mod trials;
pub mod uci;
pub mod variant;
pub mod variations;
pub mod wanted;
pub mod well_known;

#[cfg(test)]
pub(crate) mod tests;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// One of the two sides of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    White,
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The index into an array of two, White first.
    pub const fn index(self) -> usize {
        self as usize
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        color.fold_wb(Self::White, Self::Black)
    }
}
