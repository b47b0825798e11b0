//! The inner nodes of the search.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Chess, EnPassantMode, Move, MoveList, Position};

use super::ordering::{Picker, code, is_noisy};
use super::score::{INFINITE, MATE_FLOOR, MAX_PLY, is_mate, mated_at};
use super::searcher::Searcher;
use super::table::{Bound, Known};
use crate::game::key_of;

/// A node to search: where, how deep and between which scores.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Two null moves in a row would only search the same position again.
    pub(super) null_allowed: bool,
}

impl Window {
    /// The window of a reply, with the scores seen from the other side.
    fn reply(self, depth: i32, alpha: i32, beta: i32) -> Self {
        Self {
            depth,
            ply: self.ply + 1,
            alpha: -beta,
            beta: -alpha,
            null_allowed: true,
        }
    }

    fn is_pv(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl Searcher<'_> {
    /// Searches a node and gives its score, which means nothing once the
    /// search was broken off.
    pub(super) fn search(&mut self, position: &Chess, mut window: Window) -> i32 {
        let Window { ply, beta, .. } = window;
        let in_check = position.is_check();
        if in_check && ply < 2 * self.iteration as usize {
            window.depth += 1;
        }
        if window.depth <= 0 {
            return self.quiesce(position, ply, window.alpha, beta);
        }
        if !self.enter(ply) {
            return 0;
        }
        let key = self.key();
        if ply > 0 {
            if self.is_draw(position) {
                return 0;
            }
            if ply >= MAX_PLY {
                return self.evaluate(position, key);
            }
            // No line through here can beat a shorter mate found elsewhere.
            window.alpha = window.alpha.max(mated_at(ply));
            window.beta = window.beta.min(-mated_at(ply + 1));
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }

        let known = self.table.probe(key, ply);
        if let Some(score) = known.and_then(|known| cutoff(known, window, position)) {
            return score;
        }
        let table_move = known.map_or(0, |known| known.mv);
        if table_move == 0 && window.depth >= 5 {
            // Without a move to try first a deep search is wasteful; this
            // shallower one finds the move for the next iteration.
            window.depth -= 1;
        }

        let eval = self.evaluate(position, key);
        if !in_check
            && !window.is_pv()
            && !is_mate(window.beta)
            && let Some(score) = self.prune_node(position, key, eval, window)
        {
            return score;
        }

        let moves = self.moves_at(position, ply);
        if moves.is_empty() {
            return if in_check { mated_at(ply) } else { 0 };
        }
        let node = Node {
            position,
            key,
            window,
            in_check,
            eval,
        };
        let (best, best_move) = self.try_moves(&node, moves, table_move);
        if self.broken_off {
            return 0;
        }

        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let known = Known {
            mv: if bound == Bound::Upper {
                0
            } else {
                best_move.map_or(0, code)
            },
            score: best,
            depth: window.depth,
            bound,
        };
        self.table.store(key, ply, known);
        best
    }

    fn moves_at(&self, position: &Chess, ply: usize) -> MoveList {
        if ply == 0 {
            self.root_moves.clone()
        } else {
            position.legal_moves()
        }
    }

    /// Gives a node up when even passing the move keeps it above beta.
    fn prune_node(&mut self, position: &Chess, key: u64, eval: i32, window: Window) -> Option<i32> {
        let Window { depth, beta, .. } = window;
        if depth <= 6 && eval - 80 * depth >= beta {
            return Some(eval);
        }
        // With pawns alone having to move is often the problem itself.
        let has_pieces = (position.us() & !position.board().pawns() & !position.board().kings()).any();
        if !window.null_allowed || depth < 3 || eval < beta || !has_pieces {
            return None;
        }
        let passed = position.clone().swap_turn().ok()?;
        let passed_key = match position.maybe_ep_square() {
            None => key ^ Zobrist64::zobrist_for_white_turn().0,
            Some(_) => key_of(&passed),
        };
        let less = 3 + depth / 5 + ((eval - beta) / 200).min(3);
        let mut reply = window.reply(depth - less, beta - 1, beta);
        reply.null_allowed = false;
        let score = self.below(&passed, passed_key, reply);
        if self.broken_off || score < beta {
            return None;
        }
        // A mate found by letting one side move twice proves nothing.
        Some(score.min(MATE_FLOOR - 1))
    }

    /// Tries the moves of a node, best first. Gives the best score and the
    /// move that reached it.
    fn try_moves(&mut self, node: &Node, moves: MoveList, table_move: u16) -> (i32, Option<Move>) {
        let Node { position, window, .. } = *node;
        let Window { depth, ply, beta, .. } = window;
        let mut alpha = window.alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut quiet_in_vain = MoveList::new();

        let mut picker = Picker::new(moves, position, &self.memory, ply, table_move);
        let mut index = 0;
        while let Some(mv) = picker.next() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let quiet = !is_noisy(mv);
            let gives_check = after.is_check();
            if best > -MATE_FLOOR && !gives_check && node.is_hopeless(index, quiet, alpha) {
                index += 1;
                continue;
            }
            let after_key = position
                .update_zobrist_hash(Zobrist64(node.key), mv, EnPassantMode::Legal)
                .map_or_else(|| key_of(&after), |key| key.0);

            let score = if index == 0 {
                self.below(&after, after_key, window.reply(depth - 1, alpha, beta))
            } else {
                let mut less = 0;
                if (quiet || picker.last_is_losing()) && !gives_check && !node.in_check {
                    less = self.reduction(node, index, mv);
                }
                let narrow = window.reply(depth - 1 - less, alpha, alpha + 1);
                let mut score = self.below(&after, after_key, narrow);
                if score > alpha && less > 0 {
                    let narrow = window.reply(depth - 1, alpha, alpha + 1);
                    score = self.below(&after, after_key, narrow);
                }
                if score > alpha && score < beta {
                    let full = window.reply(depth - 1, alpha, beta);
                    score = self.below(&after, after_key, full);
                }
                score
            };
            if self.broken_off {
                break;
            }
            index += 1;

            if score > best {
                best = score;
                if score > alpha || best_move.is_none() {
                    best_move = Some(mv);
                }
            }
            if score > alpha {
                alpha = score;
                self.extend_line(ply, mv);
                if alpha >= beta {
                    if quiet {
                        self.memory.reward(position.turn(), ply, depth, mv, &quiet_in_vain);
                    }
                    break;
                }
            }
            if quiet {
                quiet_in_vain.push(mv);
            }
        }
        (best, best_move)
    }

    /// Searches the position after a move and gives the mover's score.
    fn below(&mut self, after: &Chess, key: u64, window: Window) -> i32 {
        self.push_key(key);
        let score = -self.search(after, window);
        self.pop_key();
        score
    }

    /// By how much a late move is searched less deep.
    fn reduction(&self, node: &Node, index: usize, mv: Move) -> i32 {
        let Window { depth, ply, .. } = node.window;
        if depth < 3 || index < 3 {
            return 0;
        }
        let late = index.ilog2().cast_signed();
        let mut less = depth.ilog2().cast_signed() * late / 4 + 1;
        if node.window.is_pv() || self.memory.is_killer(ply, mv) {
            less -= 1;
        }
        less -= self.memory.history(node.position.turn(), mv) / 6_000;
        less.clamp(0, depth - 2)
    }
}

/// What trying the moves of a node needs to know about it.
struct Node<'a> {
    position: &'a Chess,
    key: u64,
    window: Window,
    in_check: bool,
    eval: i32,
}

impl Node<'_> {
    /// Whether a quiet move near the leaves is not worth a look: too far down
    /// the list, or too far below alpha to get back.
    fn is_hopeless(&self, index: usize, quiet: bool, alpha: i32) -> bool {
        let depth = self.window.depth;
        if !quiet || self.in_check || self.window.is_pv() || depth > 5 {
            return false;
        }
        let enough = 4 + (depth * depth).unsigned_abs() as usize;
        index >= enough || self.eval + 90 + 90 * depth <= alpha
    }
}

/// The score of a node that the table already answers. Lines of the principal
/// variation are always searched, so that they are reported in full, and so
/// are positions near the fifty-move rule, which the key does not know about.
fn cutoff(known: Known, window: Window, position: &Chess) -> Option<i32> {
    if window.ply == 0 || window.is_pv() || known.depth < window.depth || position.halfmoves() > 80 {
        return None;
    }
    let answers = match known.bound {
        Bound::Exact => true,
        Bound::Lower => known.score >= window.beta,
        Bound::Upper => known.score <= window.alpha,
    };
    answers.then_some(known.score)
}
