//! What a play-off is computed from: ties, lots, boards, decisions.
//!
//! May not: hold what follows from other facts.

use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::{FirstColor, PairingNumber};

use crate::log::{Decision, Lot, PlayoffBoard, Purpose, TieKey};
use swissmatch_game::termination::{Outcome, Termination};

/// Players who are level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tie {
    /// Which; it has as many places as players.
    pub key: TieKey,
    /// The players in the order of the numbering criteria; those of one group are level in them all. Where numbers come
    /// by lot ([`Numbers::Lot`](crate::playoff_rules::Numbers::Lot)) the order says nothing.
    pub groups: Vec<Vec<PairingNumber>>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// What it gave.
    pub outcome: Outcome,
    /// Why it ended.
    pub termination: Termination,
}

/// A board of a round that was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunBoard {
    /// As it was due.
    pub board: PlayoffBoard,
    /// Its games in order; `None` while not over.
    pub games: Vec<Option<Ended>>,
}

/// A game of the event itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventGame {
    /// Who had White.
    pub white: PairingNumber,
    /// Who had Black.
    pub black: PairingNumber,
    /// How it ended.
    pub ended: Ended,
}

/// A lot to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DueLot {
    /// What for.
    pub purpose: Purpose,
    /// Among whom, by pairing number of the event.
    pub among: Vec<PairingNumber>,
}

/// Everything that a play-off is computed from. Facts that were not due when they happened are not looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Lots drawn, without those that are void.
    pub lots: Vec<Lot>,
    /// How many drawings after the round are void.
    pub void_drawings: u32,
    /// Boards of play-off rounds, the present one included.
    pub boards: Vec<BegunBoard>,
    /// What the arbiter directed.
    pub decisions: Vec<Decision>,
    /// The games of the event's last day, for head-to-head results.
    pub that_day: Vec<EventGame>,
    /// Who, having won the coin, chooses which colour; whoever is not named chooses Black.
    pub choices: Vec<(PairingNumber, FirstColor)>,
}

impl BegunBoard {
    /// Whether every game has ended.
    pub fn is_over(&self) -> bool {
        self.games.iter().all(Option::is_some)
    }
}
