//! One search: iterative deepening, its bookkeeping and its reports.

use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::{Chess, Move, MoveList, Position};

use super::budget::Budget;
use super::evaluation::evaluate;
use super::ordering::Memory;
use super::score::{self, INFINITE, MATE_FLOOR, MAX_PLY};
use super::skill::Skill;
use super::table::Table;
use super::tree::Window;
use crate::game::Game;

/// Half the width of the first window around the last score.
const ASPIRATION: i32 = 30;

/// How many nodes are searched between looks at the clock.
const NODES_PER_LOOK: u64 = 64;

/// The state of one search.
pub(super) struct Searcher<'a> {
    pub(super) table: &'a mut Table,
    pub(super) memory: Memory,
    pub(super) root_moves: MoveList,
    /// The depth that the present iteration set out with.
    pub(super) iteration: i32,
    /// Set when a limit was hit; from then on no score means anything.
    pub(super) broken_off: bool,
    game: &'a Game,
    budget: Budget,
    skill: Skill,
    stop: &'a AtomicBool,
    /// Keys of the game and of the line being searched.
    keys: Vec<u64>,
    nodes: u64,
    deepest: usize,
    /// `lines[ply]` is the best line found from that ply on.
    lines: Vec<Vec<Move>>,
}

/// The outcome of an iteration.
#[derive(Clone, Debug)]
struct Found {
    depth: i32,
    score: i32,
    line: Vec<Move>,
}

impl<'a> Searcher<'a> {
    /// Prepares a search of the moves given, or of all legal moves.
    pub(super) fn new(
        game: &'a Game,
        table: &'a mut Table,
        budget: Budget,
        skill: Skill,
        stop: &'a AtomicBool,
        only: &[Move],
    ) -> Self {
        table.forget();
        let mut root_moves = game.sorted_moves();
        if root_moves.iter().any(|mv| only.contains(mv)) {
            root_moves.retain(|mv| only.contains(mv));
        }
        Self {
            table,
            memory: Memory::new(),
            root_moves,
            iteration: 0,
            broken_off: false,
            game,
            budget,
            skill,
            stop,
            keys: game.keys().to_vec(),
            nodes: 0,
            deepest: 0,
            lines: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Searches until a limit is hit, reporting on the way, and gives the move
    /// to play; none if there is no legal move.
    pub(super) fn run(mut self, report: &mut dyn FnMut(&str)) -> Option<Move> {
        let fallback = Found {
            depth: 0,
            score: 0,
            line: vec![*self.root_moves.first()?],
        };
        let mut best = fallback;
        for depth in 1..=self.budget.depth {
            self.iteration = depth;
            let score = self.deepen(depth, best.score);
            let line = self.lines[0].clone();
            if !line.is_empty() {
                // Also when broken off: the best move so far was searched
                // first, so what replaced it is better.
                let score = if self.broken_off { best.score } else { score };
                best = Found { depth, score, line };
            }
            report(&self.report(&best));
            if self.broken_off || self.is_settled(&best) || !self.budget.allows_another() {
                break;
            }
        }
        best.line.first().copied()
    }

    /// Searches one iteration in a narrow window around the last score, wider
    /// if the score falls outside.
    fn deepen(&mut self, depth: i32, last: i32) -> i32 {
        let narrow = depth >= 5 && !score::is_mate(last);
        let mut below = if narrow { ASPIRATION } else { 2 * INFINITE };
        let mut above = below;
        loop {
            let window = Window {
                depth,
                ply: 0,
                alpha: (last - below).max(-INFINITE),
                beta: (last + above).min(INFINITE),
                null_allowed: false,
            };
            self.lines[0].clear();
            let score = self.search(self.game.position(), window);
            if self.broken_off || (score > window.alpha && score < window.beta) {
                return score;
            }
            if score <= window.alpha {
                below *= 4;
            } else {
                above *= 4;
            }
        }
    }

    /// Whether further search is a waste of clock time: there is no choice, or
    /// the mate found cannot be bettered at this depth.
    fn is_settled(&self, best: &Found) -> bool {
        if !self.budget.is_from_clock() {
            return false;
        }
        let mate = best.score >= MATE_FLOOR && best.depth > 2 * best.line.len() as i32 + 2;
        self.root_moves.len() == 1 || mate
    }

    fn report(&self, found: &Found) -> String {
        let elapsed = self.budget.elapsed();
        let per_second = u128::from(self.nodes) * 1_000_000 / elapsed.as_micros().max(1);
        let mut line = format!(
            "info depth {} seldepth {} score {} nodes {} nps {per_second} hashfull {} time {} pv",
            found.depth,
            self.deepest.max(1),
            score::write(found.score),
            self.nodes,
            self.table.fullness(),
            elapsed.as_millis(),
        );
        for mv in &found.line {
            line.push(' ');
            line.push_str(&mv.to_uci(self.game.notation()).to_string());
        }
        line
    }

    /// Counts a node, unless a limit is hit: then it must not be searched.
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        if self.broken_off
            || self.nodes >= self.budget.nodes
            || self.stop.load(Ordering::Relaxed)
            || (self.nodes.is_multiple_of(NODES_PER_LOOK) && self.budget.is_over())
        {
            self.broken_off = true;
            return false;
        }
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        if ply > 0 {
            self.lines[ply].clear();
        }
        true
    }

    /// The static score for the side to move, with the errors of the skill.
    pub(super) fn evaluate(&self, position: &Chess, key: u64) -> i32 {
        evaluate(position) + self.skill.error(key)
    }

    /// The key of the position being searched.
    pub(super) fn key(&self) -> u64 {
        self.keys[self.keys.len() - 1]
    }

    pub(super) fn push_key(&mut self, key: u64) {
        self.keys.push(key);
    }

    pub(super) fn pop_key(&mut self) {
        self.keys.pop();
    }

    /// Puts a move in front of the best line of the next ply.
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// Draws by repetition, by the fifty-move rule and for want of material.
    pub(super) fn is_draw(&self, position: &Chess) -> bool {
        if position.halfmoves() >= 100 {
            // Mate on the hundredth move counts.
            return !position.is_checkmate();
        }
        position.is_insufficient_material() || self.is_repetition(position)
    }

    /// One repetition within the search is a draw, as what was good once is
    /// good again; of positions from before the search it takes two.
    fn is_repetition(&self, position: &Chess) -> bool {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let root = self.game.keys().len() - 1;
        let reversible = (position.halfmoves() as usize).min(last);
        let mut met = 0;
        for back in (4..=reversible).step_by(2) {
            if self.keys[last - back] == key {
                met += if last - back >= root { 2 } else { 1 };
                if met >= 2 {
                    return true;
                }
            }
        }
        false
    }
}
