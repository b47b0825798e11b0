//! Who met whom, who had White, who had a bye: the only input of every pairing system.
//!
//! May not: know games, clocks, files or names of agents.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::score::Points;

/// A player's number in the starting order, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairingNumber(pub u32);

impl PairingNumber {
    /// The number of the entry at `index` (from 0) of the starting order.
    ///
    /// # Panics
    /// When `index` is not below `u32::MAX`; no tournament is that large.
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index + 1).expect("fewer than 2^32 players"))
    }

    /// The place in the starting order, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Display for PairingNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which colour a player had in a game; in a mini-match: in its first game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FirstColor {
    /// Had White in the first game.
    White,
    /// Had Black in the first game.
    Black,
}

/// What one earlier round was for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PastRound {
    /// Paired with `opponent`, and at least one game of the meeting was played.
    Met {
        /// The opponent.
        opponent: PairingNumber,
        /// The player's own colour in the first game.
        color: FirstColor,
    },
    /// Paired with `opponent`, but nothing was played: not a meeting, no colour.
    Forfeit {
        /// The opponent of the pairing.
        opponent: PairingNumber,
    },
    /// The pairing-allocated bye.
    PairingAllocatedBye,
    /// Not paired and without points.
    Absent,
}

/// One player as a pairing system sees it before a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastPlayer {
    /// Match points so far (game points where a round is one game).
    pub points: Points,
    /// What each earlier round was, in order; `rounds.len()` is the number of rounds played so far.
    pub rounds: Vec<PastRound>,
    /// Whether the player is to be paired in the coming round.
    pub present: bool,
    /// The player's place in the order of submission, from 0, no two alike.
    pub submission: u32,
    /// The place (from 1, shared by those still tied) in the standings after the previous round; `None` before round 1.
    pub previous_place: Option<u32>,
}

/// The tournament before a round: players in order of their pairing numbers, so `players[0]` has number 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// All players, also those who are absent.
    pub players: Vec<PastPlayer>,
}

/// One pair of a round. With one game a round `white` has White; in a mini-match in its first game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pair {
    /// White in the (first) game.
    pub white: PairingNumber,
    /// Black in the (first) game.
    pub black: PairingNumber,
    /// Whether the two have met before in this tournament: allowed only where no other pairing exists.
    pub repeat: bool,
}

/// The pairing of one round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPairing {
    /// The pairs in board order, first board first.
    pub pairs: Vec<Pair>,
    /// Who has the pairing-allocated bye.
    pub bye: Option<PairingNumber>,
}
