//! Quiescence: plays captures out, so that no position is judged in the middle
//! of an exchange.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, MoveList, Position, Role};

use super::ordering::{Picker, is_noisy};
use super::score::{INFINITE, MATE_FLOOR, MAX_PLY, mated_at};
use super::searcher::Searcher;
use super::squares::price;
use crate::game::key_of;

/// What a capture may be worth beyond the captured piece.
const MARGIN: i32 = 150;

impl Searcher<'_> {
    /// Searches captures and promotions, and all moves out of check.
    pub(super) fn quiesce(&mut self, position: &Chess, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        if !self.enter(ply) {
            return 0;
        }
        if self.is_draw(position) {
            return 0;
        }
        let key = self.key();
        let in_check = position.is_check();
        let stand = if in_check {
            -INFINITE
        } else {
            self.evaluate(position, key)
        };
        if ply >= MAX_PLY {
            return self.evaluate(position, key);
        }
        if stand >= beta {
            return stand;
        }
        alpha = alpha.max(stand);

        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return if in_check { mated_at(ply) } else { 0 };
        }
        let picker = if in_check {
            Picker::new(moves, position, &self.memory, ply, 0)
        } else {
            keep_promising(&mut moves, stand, alpha);
            Picker::noisy(moves, position)
        };
        let mut best = stand;
        let mut picker = picker;
        while let Some(mv) = picker.next() {
            // Moves come in order: after the first losing capture all lose.
            if !in_check && picker.last_is_losing() {
                break;
            }
            if in_check && best > -MATE_FLOOR && picker.last_is_losing() {
                continue;
            }
            let mut after = position.clone();
            after.play_unchecked(mv);
            let after_key = position
                .update_zobrist_hash(Zobrist64(key), mv, EnPassantMode::Legal)
                .map_or_else(|| key_of(&after), |key| key.0);
            self.push_key(after_key);
            let score = -self.quiesce(&after, ply + 1, -beta, -alpha);
            self.pop_key();
            if self.broken_off {
                return 0;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.extend_line(ply, mv);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// Keeps captures and promotions that could lift the score to alpha.
fn keep_promising(moves: &mut MoveList, stand: i32, alpha: i32) {
    moves.retain(|mv| {
        let underpromotes = mv.promotion().is_some_and(|role| role != Role::Queen);
        if !is_noisy(*mv) || underpromotes {
            return false;
        }
        let gain = mv.capture().map_or(0, price) + mv.promotion().map_or(0, |role| price(role) - price(Role::Pawn));
        stand + gain + MARGIN > alpha
    });
}
