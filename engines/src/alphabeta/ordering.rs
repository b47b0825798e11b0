//! Move ordering: which moves to try first.

use shakmaty::{Color, Move, MoveList, Position, Role, Square};

use super::exchange;
use super::score::MAX_PLY;
use super::squares::price;

const TABLE_MOVE: i32 = 4_000_000;
const GOOD_CAPTURE: i32 = 2_000_000;
const KILLERS: [i32; 2] = [1_900_000, 1_800_000];
const BAD_CAPTURE: i32 = -1_000_000;

/// History scores stay within plus and minus this.
const HISTORY_LIMIT: i32 = 16_384;

/// A move in sixteen bits. Never zero, as no move stays where it is.
pub(super) fn code(mv: Move) -> u16 {
    let from = mv.from().map_or(0, |square| square as u16);
    let promotion = mv.promotion().map_or(0, |role| role as u16);
    from | (mv.to() as u16) << 6 | promotion << 12
}

/// What the search learnt about quiet moves.
pub(super) struct Memory {
    killers: [[u16; 2]; MAX_PLY + 1],
    history: Box<[[[i32; 64]; 64]; 2]>,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self {
            killers: [[0; 2]; MAX_PLY + 1],
            history: Box::new([[[0; 64]; 64]; 2]),
        }
    }

    /// A quiet move refuted its node: prefer it, and think less of the quiet
    /// moves that were tried before it in vain.
    pub(super) fn reward(&mut self, color: Color, ply: usize, depth: i32, mv: Move, in_vain: &[Move]) {
        let killers = &mut self.killers[ply];
        let best = code(mv);
        if killers[0] != best {
            *killers = [best, killers[0]];
        }
        let bonus = (depth * depth * 8).min(1_600);
        self.shift_history(color, mv, bonus);
        for failed in in_vain {
            self.shift_history(color, *failed, -bonus);
        }
    }

    fn shift_history(&mut self, color: Color, mv: Move, bonus: i32) {
        let entry = &mut self.history[color as usize][from(mv) as usize][mv.to() as usize];
        // The pull towards zero keeps the entry within its limit.
        *entry += bonus - *entry * bonus.abs() / HISTORY_LIMIT;
    }

    /// The history score of a quiet move.
    pub(super) fn history(&self, color: Color, mv: Move) -> i32 {
        self.history[color as usize][from(mv) as usize][mv.to() as usize]
    }

    /// Whether a quiet move is a killer here.
    pub(super) fn is_killer(&self, ply: usize, mv: Move) -> bool {
        self.killers[ply].contains(&code(mv))
    }

    fn rank(&self, position: &impl Position, ply: usize, table_move: u16, mv: Move) -> i32 {
        let code = code(mv);
        if code == table_move {
            return TABLE_MOVE;
        }
        if is_noisy(mv) {
            return noisy_rank(position, mv);
        }
        match self.killers[ply].iter().position(|killer| *killer == code) {
            Some(index) => KILLERS[index],
            None => self.history(position.turn(), mv),
        }
    }
}

/// Captures and promotions to queen, which change material at once.
pub(super) fn is_noisy(mv: Move) -> bool {
    mv.is_capture() || mv.promotion() == Some(Role::Queen)
}

/// The most valuable victim first, then the cheapest attacker; captures that
/// lose material come after all quiet moves.
fn noisy_rank(position: &impl Position, mv: Move) -> i32 {
    let victim = mv.capture().map_or(0, price);
    let promotion = mv.promotion().map_or(0, price);
    let order = 16 * (victim + promotion) - price(mv.role()) / 16;
    let losing = victim < price(mv.role()) && mv.is_capture() && exchange::outcome(position, mv) < 0;
    order + if losing { BAD_CAPTURE } else { GOOD_CAPTURE }
}

fn from(mv: Move) -> Square {
    mv.from().unwrap_or(mv.to())
}

/// Hands out moves from the best rank down, sorting no more than it must.
pub(super) struct Picker {
    moves: MoveList,
    ranks: [i32; 256],
    next: usize,
}

impl Picker {
    /// Ranks all moves of a node.
    pub(super) fn new(moves: MoveList, position: &impl Position, memory: &Memory, ply: usize, table_move: u16) -> Self {
        Self::ranked(moves, |mv| memory.rank(position, ply, table_move, mv))
    }

    /// Ranks captures and promotions only.
    pub(super) fn noisy(moves: MoveList, position: &impl Position) -> Self {
        Self::ranked(moves, |mv| noisy_rank(position, mv))
    }

    fn ranked(moves: MoveList, rank: impl Fn(Move) -> i32) -> Self {
        let mut ranks = [0; 256];
        for (slot, mv) in ranks.iter_mut().zip(&moves) {
            *slot = rank(*mv);
        }
        Self { moves, ranks, next: 0 }
    }

    /// Whether the move handed out last loses material by capturing.
    pub(super) fn last_is_losing(&self) -> bool {
        self.next > 0 && self.ranks[self.next - 1] <= BAD_CAPTURE / 2
    }
}

impl Iterator for Picker {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let here = self.next;
        // The first of equals, so that the order is the same everywhere.
        let mut best = here;
        for index in here + 1..self.moves.len() {
            if self.ranks[index] > self.ranks[best] {
                best = index;
            }
        }
        let mv = *self.moves.get(best)?;
        self.moves.swap(here, best);
        self.ranks.swap(here, best);
        self.next += 1;
        Some(mv)
    }
}
