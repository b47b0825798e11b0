//! The facts that a play-off is worked out from: ties, lots, boards, decisions.
//!
//! May not: hold what follows from other facts.

use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::{FirstColor, PairingNumber};

use crate::log::{Decision, Lot, PlayoffBoard, Purpose, TieKey};
use swissmatch_game::termination::{Outcome, Termination};

/// Players who are level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tie {
    /// The key of the tie; it has as many places as players.
    pub key: TieKey,
    /// The players in the order of the numbering criteria; those in one group are level in all of them. If numbers are
    /// drawn by lot ([`Numbers::Lot`](crate::playoff_rules::Numbers::Lot)), the order means nothing.
    pub groups: Vec<Vec<PairingNumber>>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    pub outcome: Outcome,
    pub termination: Termination,
}

/// A board of a round that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunBoard {
    /// The board as it was due.
    pub board: PlayoffBoard,
    /// Its games in order; `None` for games that are not over.
    pub games: Vec<Option<Ended>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventGame {
    /// The player with White.
    pub white: PairingNumber,
    /// The player with Black.
    pub black: PairingNumber,
    pub ended: Ended,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DueLot {
    pub purpose: Purpose,
    /// The players, by pairing number of the event.
    pub among: Vec<PairingNumber>,
}

/// Everything that a play-off is worked out from. Facts that were not due when they happened are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Lots drawn, without void ones.
    pub lots: Vec<Lot>,
    /// How many drawings after the round are void.
    pub void_drawings: u32,
    /// Boards of play-off rounds, including the present one.
    pub boards: Vec<BegunBoard>,
    /// What the arbiter directed.
    pub decisions: Vec<Decision>,
    /// The games of the event's last day, for head-to-head results.
    pub that_day: Vec<EventGame>,
    /// The colours that players choose if they win the coin; a player who is not listed chooses Black.
    pub choices: Vec<(PairingNumber, FirstColor)>,
}

impl BegunBoard {
    /// True if every game has ended.
    pub fn is_over(&self) -> bool {
        self.games.iter().all(Option::is_some)
    }
}
