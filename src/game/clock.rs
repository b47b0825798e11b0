//! The clocks of a game: what a move may take, what is left.
//!
//! May not: ask the time.

use std::fmt::Write as _;
use std::time::Duration;

use super::Side;
use super::record::{Bounds, Limits};
use super::time_control::TimeControl;

/// The largest part of a limit that `game.move_overhead` may take: a tenth.
const OVERHEAD_PART: u32 = 10;

/// Time left and moves made of both sides.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
    moves: [u32; 2],
}

impl Clocks {
    /// Clocks before the first move.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        let base = match control {
            TimeControl::MoveTime(_) => Duration::ZERO,
            TimeControl::Clock { base, .. } => base,
        };
        Self {
            control,
            left: [base; 2],
            moves: [0; 2],
        }
    }

    /// Whether a clock runs through the game: then a flag fall loses at once.
    #[must_use]
    pub const fn runs_through(&self) -> bool {
        matches!(self.control, TimeControl::Clock { .. })
    }

    /// What `side` may take for its next attempt, margin not counted.
    #[must_use]
    pub const fn limit(&self, side: Side) -> Duration {
        match self.control {
            TimeControl::MoveTime(limit) => limit,
            TimeControl::Clock { .. } => self.left[side.index()],
        }
    }

    /// `side` made a legal move in `elapsed`. Returns what is left under a clock.
    pub fn moved(&mut self, side: Side, elapsed: Duration) -> Option<Duration> {
        let TimeControl::Clock { moves, base, increment } = self.control else {
            return None;
        };
        let made = &mut self.moves[side.index()];
        *made += 1;
        let refill = if moves.is_some_and(|stage| made.is_multiple_of(stage)) {
            base
        } else {
            Duration::ZERO
        };
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(elapsed) + increment + refill;
        Some(*left)
    }

    /// `side` spent `elapsed` on an attempt that gave no move: the same clock runs on.
    pub fn spent(&mut self, side: Side, elapsed: Duration) {
        if self.runs_through() {
            let left = &mut self.left[side.index()];
            *left = left.saturating_sub(elapsed);
        }
    }

    /// Appends the `go` line for `side`, newline included.
    pub fn write_go(&self, side: Side, limits: &Limits, bounds: Bounds, line: &mut Vec<u8>) {
        let mut go = String::with_capacity(80);
        match self.control {
            TimeControl::MoveTime(limit) => {
                let overhead = limits.move_overhead.min(limit / OVERHEAD_PART);
                write!(go, "go movetime {}", whole_millis(limit - overhead))
            }
            TimeControl::Clock { moves, increment, .. } => {
                let [white, black] = self.left.map(whole_millis);
                let increment = increment.as_millis();
                let clocks = write!(go, "go wtime {white} btime {black} winc {increment} binc {increment}");
                match moves {
                    Some(stage) => {
                        clocks.and_then(|()| write!(go, " movestogo {}", stage - self.moves[side.index()] % stage))
                    }
                    None => clocks,
                }
            }
        }
        .expect("writing to a String does not fail");
        if let Some(nodes) = bounds.nodes {
            write!(go, " nodes {nodes}").expect("writing to a String does not fail");
        }
        if let Some(depth) = bounds.depth {
            write!(go, " depth {depth}").expect("writing to a String does not fail");
        }
        go.push('\n');
        line.extend_from_slice(go.as_bytes());
    }
}

/// Whole milliseconds, rounded down, at least 1: engines take 0 for "no limit" or divide by it.
fn whole_millis(time: Duration) -> u128 {
    time.as_millis().max(1)
}
