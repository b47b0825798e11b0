//! Processor time of an engine: for its moves, and while the other side was to move.
//!
//! It comes from thread counts that are taken anyway when a side takes its time; very short times are not measured. May
//! not: judge.

use super::Engine;
use super::tree::Ran;
use super::watch::DoubtWatch;

/// What is known so far.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// For the present or last move that it was asked for.
    on_turn: Option<Ran>,
    off_turn: Ran,
}

impl Work {
    /// Adds time for its move.
    pub(super) fn on_turn(&mut self, ran: Option<Ran>) {
        if let Some(ran) = ran {
            *self.on_turn.get_or_insert_default() += ran;
        }
    }

    /// Adds time while it rested.
    pub(super) fn off_turn(&mut self, ran: Option<Ran>) {
        self.off_turn += ran.unwrap_or_default();
    }
}

impl Engine {
    /// Begins a game: earlier time belongs to nobody's turn.
    pub(crate) fn forget_work(&mut self) {
        self.work = Work::default();
        (self.watch, self.resting) = (DoubtWatch::default(), DoubtWatch::default());
    }

    /// The processor time for its last move, given once, if it was measured.
    pub(crate) const fn take_work(&mut self) -> Option<Ran> {
        self.work.on_turn.take()
    }

    /// The processor time while the other side was to move, since the game began, as far as it was measured.
    pub const fn off_turn(&self) -> Ran {
        self.work.off_turn
    }
}
