//! How long a search may last.

#![expect(clippy::disallowed_methods, reason = "a searcher has to watch the clock")]

use std::time::{Duration, Instant};

use shakmaty::Color;

use super::score::MAX_PLY;
use super::skill::Skill;
use crate::protocol::Limits;

/// Moves that the rest of a game is thought to last when nobody says.
const MOVES_EXPECTED: i64 = 28;

/// Longer times, in milliseconds, are taken for this: some thirty years, with
/// which one can still calculate.
const LONGEST: i64 = 1_000_000_000_000;

/// The limits of one search.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    started: Instant,
    /// The search stops at this many nodes, exactly.
    pub(super) nodes: u64,
    pub(super) depth: i32,
    /// No new iteration is begun after this.
    soft: Option<Duration>,
    /// The search is broken off at this.
    hard: Option<Duration>,
}

impl Budget {
    /// Works out the budget of a `go`. The clock starts now.
    ///
    /// With `nodes` or `depth` the clocks are left out of account, because they
    /// would make the move depend on how busy the machine is. A `movetime` is
    /// kept all the same: it is an order, not a hint.
    pub(super) fn new(limits: &Limits, turn: Color, skill: Skill) -> Self {
        let fixed = limits.nodes.is_some() || limits.depth.is_some() || limits.infinite;
        let (soft, hard) = match (limits.move_time, fixed) {
            (Some(time), _) => {
                let time = time.clamp(0, LONGEST);
                (None, Some(millis(time - margin(time))))
            }
            (None, true) => (None, None),
            (None, false) => clock_share(limits, turn),
        };
        let deepest = MAX_PLY as i32 - 20;
        Self {
            started: Instant::now(),
            nodes: limits.nodes.min_some(skill.nodes).unwrap_or(u64::MAX).max(1),
            depth: limits.depth.min_some(skill.depth).unwrap_or(deepest).clamp(1, deepest),
            soft,
            hard,
        }
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search must be broken off.
    pub(super) fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether another iteration is worth beginning. One that is likely to be
    /// broken off only wastes clock time; a `movetime` cannot be saved up.
    pub(super) fn allows_another(&self) -> bool {
        self.soft.is_none_or(|soft| self.elapsed() < soft)
    }

    /// Whether time spent on this move is missing later.
    pub(super) fn is_from_clock(&self) -> bool {
        self.soft.is_some()
    }
}

/// The lesser of two limits, of which either may be missing.
trait MinSome: Sized {
    fn min_some(self, other: Self) -> Self;
}

impl<T: Ord> MinSome for Option<T> {
    fn min_some(self, other: Self) -> Self {
        match (self, other) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// Time kept back for the answer to reach the runner, also when the machine is
/// busy; of very short times at most half.
fn margin(time: i64) -> i64 {
    (5 + time / 25).min(25).min(time / 2)
}

/// Soft and hard share of the clock of the side to move; none without a clock.
fn clock_share(limits: &Limits, turn: Color) -> (Option<Duration>, Option<Duration>) {
    let Some(clock) = turn.fold_wb(limits.wtime, limits.btime) else {
        return (None, None);
    };
    let clock = clock.clamp(0, LONGEST);
    let increment = turn.fold_wb(limits.winc, limits.binc).clamp(0, LONGEST);
    let usable = (clock - 2 * margin(clock)).max(1);
    let moves = limits.moves_to_go.unwrap_or(MOVES_EXPECTED).clamp(1, MOVES_EXPECTED);
    let most = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
    let share = usable / moves + increment * 3 / 4;
    let hard = (share * 5 / 2).min(most);
    // An iteration takes as long as all before it or longer: beginning one
    // after half the share overruns it about as often as not.
    let soft = (share * 11 / 20).min(hard);
    (Some(millis(soft)), Some(millis(hard)))
}

fn millis(time: i64) -> Duration {
    Duration::from_millis(u64::try_from(time).unwrap_or(0).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabeta::skill::FULL;

    fn budget(limits: &Limits) -> Budget {
        Budget::new(limits, Color::White, Skill::new(FULL, 1))
    }

    #[test]
    fn movetime_keeps_a_margin() {
        for time in [1, 10, 100, 10_000] {
            let limits = Limits {
                move_time: Some(time),
                ..Limits::default()
            };
            let hard = budget(&limits).hard.expect("a hard limit");
            assert!(hard <= millis(time) && (time < 3 || hard < millis(time)));
        }
    }

    #[test]
    fn clock_is_never_used_up() {
        for clock in [i64::MIN, -50, 0, 1, 20, 500, 60_000, 3_600_000, i64::MAX] {
            for moves_to_go in [None, Some(1), Some(40)] {
                let limits = Limits {
                    wtime: Some(clock),
                    winc: if clock > 500 { clock } else { 2_000 },
                    moves_to_go,
                    ..Limits::default()
                };
                let budget = budget(&limits);
                assert!(budget.soft <= budget.hard);
                assert!(budget.hard <= Some(millis(clock)), "{clock}");
            }
        }
    }

    #[test]
    fn nodes_shut_out_the_clock() {
        let limits = Limits {
            wtime: Some(1),
            nodes: Some(500),
            ..Limits::default()
        };
        let budget = budget(&limits);
        assert_eq!((budget.nodes, budget.hard), (500, None));
    }
}
