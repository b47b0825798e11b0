//! The state of one search, and what every node asks of it.

use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::{Chess, Move, MoveList, Position};

use super::budget::Budget;
use super::evaluation::evaluate;
use super::ordering::Memory;
use super::score::MAX_PLY;
use super::skill::Skill;
use super::table::Table;
use crate::game::Game;

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
    pub(super) game: &'a Game,
    pub(super) budget: Budget,
    skill: Skill,
    stop: &'a AtomicBool,
    /// Keys of the game and of the line being searched.
    keys: Vec<u64>,
    pub(super) nodes: u64,
    pub(super) deepest: usize,
    /// `lines[ply]` is the best line found from that ply on.
    pub(super) lines: Vec<Vec<Move>>,
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
