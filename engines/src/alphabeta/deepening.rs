//! Iterative deepening: one search from its first iteration to its move, and
//! what it reports on the way.

use shakmaty::Move;

use super::score::{self, INFINITE, MATE_FLOOR};
use super::searcher::Searcher;
use super::tree::Window;

/// Half the width of the first window around the last score.
const ASPIRATION: i32 = 30;

/// The outcome of an iteration.
#[derive(Clone, Debug)]
struct Found {
    depth: i32,
    score: i32,
    line: Vec<Move>,
}

impl Searcher<'_> {
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
}
