//! Processor time of an engine: for its moves, and while the other side was to move.
//!
//! It is made of the counts of threads that are taken anyhow where a side takes its time; what is over in an instant is not
//! measured. May not: judge.

use super::Engine;
use super::tree::Ran;
use super::watch::DoubtWatch;

/// What is known so far.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// For the move that it is asked for, or was asked for last.
    on_turn: Option<Ran>,
    off_turn: Ran,
}

impl Work {
    /// So much was for its move.
    pub(super) fn on_turn(&mut self, ran: Option<Ran>) {
        if let Some(ran) = ran {
            *self.on_turn.get_or_insert_default() += ran;
        }
    }

    /// So much was while it rested.
    pub(super) fn off_turn(&mut self, ran: Option<Ran>) {
        self.off_turn += ran.unwrap_or_default();
    }
}

impl Engine {
    /// A game begins: what was before is nobody's turn.
    pub(crate) fn forget_work(&mut self) {
        self.work = Work::default();
        (self.watch, self.resting) = (DoubtWatch::default(), DoubtWatch::default());
    }

    /// The processor time for the move that it was asked for last, once, where it was measured.
    pub(crate) const fn take_work(&mut self) -> Option<Ran> {
        self.work.on_turn.take()
    }

    /// The processor time while the other side was to move, since the game began, as far as it was measured.
    pub const fn off_turn(&self) -> Ran {
        self.work.off_turn
    }
}
