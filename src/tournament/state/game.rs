//! A game that has ended, and what the arbiter made of it.

use swiss_system::pairing::history::PairingNumber;

use crate::game::Side;
use crate::game::termination::{Outcome, Termination};
use crate::tournament::log::GameFinished;

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// As it ended by itself.
    pub finished: GameFinished,
    /// What it counts as by the arbiter, who set its result or annulled it.
    pub ruled: Option<Outcome>,
}

impl Game {
    /// What it counts as.
    pub fn outcome(&self) -> Outcome {
        self.ruled.unwrap_or(self.finished.outcome)
    }

    /// The side that a player of it has.
    pub fn side_of(&self, player: PairingNumber) -> Side {
        match self.finished.white == player {
            true => Side::White,
            false => Side::Black,
        }
    }

    /// Whether a player of it lost it by a fault of its agent, which was asked to play it. A game that is annulled counts for nobody.
    pub(super) fn is_fault_of(&self, player: PairingNumber) -> bool {
        let finished = &self.finished;
        let by_fault = finished.record.is_some() && finished.termination.is_fault_of(self.side_of(player));
        by_fault && self.outcome() != Outcome::Void
    }

    /// Whether the agent of a player of it failed to start when it was about to be played.
    pub(super) fn did_not_start(&self, player: PairingNumber) -> bool {
        let did_not = match self.finished.termination {
            Termination::NeitherStarted => true,
            Termination::DidNotStart { by } => by == self.side_of(player),
            _ => false,
        };
        did_not && self.finished.record.is_some()
    }
}

impl From<GameFinished> for Game {
    fn from(finished: GameFinished) -> Self {
        Self { finished, ruled: None }
    }
}
