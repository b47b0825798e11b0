//! A game that has ended, and what the arbiter made of it.

use crate::game::termination::Outcome;
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
}

impl From<GameFinished> for Game {
    fn from(finished: GameFinished) -> Self {
        Self { finished, ruled: None }
    }
}
