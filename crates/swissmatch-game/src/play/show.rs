//! What is seen of a game while it is played.
//!
//! May not: change it.

use std::time::Duration;

use super::{Game, GamePhase, micros};
use crate::Side;
use crate::seen::{GameView, Running};
use crate::uci;

impl Game {
    /// Plies played since the opening.
    pub const fn plies(&self) -> usize {
        self.record.time_us.len()
    }

    /// Which attempt of a side at its move it is, from 1.
    pub const fn attempt(&self, side: Side) -> u32 {
        self.overruns[side.index()] + self.illegal[side.index()] + 1
    }

    /// Whether a word is a legal move of the side to move, in UCI notation.
    pub fn is_legal(&self, word: &[u8]) -> bool {
        uci::read_move(word).is_some_and(|uci| self.board.legal(&uci).is_some())
    }

    /// Since when the side to move has been looking for its move, where it has been asked for one.
    pub const fn runs_since(&self) -> Option<Duration> {
        match self.phase {
            GamePhase::Thinking { sent, .. } | GamePhase::SendStop { sent, .. } | GamePhase::Stopping { sent, .. } => {
                Some(sent)
            }
            _ => None,
        }
    }

    /// Brings what is seen of it up to date: `seen` is of this game, and may be of any time of it. It costs what has been played
    /// since.
    pub fn show(&self, seen: &mut GameView) {
        seen.follow(&self.record);
        for side in Side::BOTH {
            seen.sides[side.index()].clock_us = self.clocks.left(side).map(micros);
        }
        seen.running = self.runs_since().map(|since| Running {
            since,
            limit: self.clocks.limit(seen.turn),
        });
    }
}
