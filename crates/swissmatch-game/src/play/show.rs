//! The view of a game while it is played.
//!
//! May not: change the game.

use std::time::Duration;

use super::{Game, GamePhase, micros};
use crate::Side;
use crate::seen::{GameView, Running};
use crate::uci;

impl Game {
    pub const fn plies(&self) -> usize {
        self.record.time_us.len()
    }

    /// The number of the side's attempt at its move, from 1.
    pub const fn attempt(&self, side: Side) -> u32 {
        self.overruns[side.index()] + self.illegal[side.index()] + 1
    }

    /// True if a word is a legal move of the side to move, in UCI notation.
    pub fn is_legal(&self, word: &[u8]) -> bool {
        uci::read_move(word).is_some_and(|uci| self.board.legal(&uci).is_some())
    }

    /// When the side to move began to look for its move, if it has been asked for one.
    pub const fn runs_since(&self) -> Option<Duration> {
        match self.phase {
            GamePhase::Thinking { sent, .. } | GamePhase::SendStop { sent, .. } | GamePhase::Stopping { sent, .. } => {
                Some(sent)
            }
            _ => None,
        }
    }

    /// Brings a view of this game up to date, however old it is. The cost grows with what has been played since.
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
