//! The clocks of a game: what a move may take, what is left, what engines are told. Each side has its own control.
//!
//! May not: ask the time.

use std::time::Duration;

use super::Side;
use super::record::{Bounds, GameLimits};
use super::time_control::{Delay, GUARD, Limit, TimeControl};

/// The divisor of the largest part of a limit that `game.move_overhead` may take: a tenth.
const OVERHEAD_PART: u32 = 10;

/// Both sides' time left and moves made.
#[derive(Clone, Debug)]
pub struct Clocks {
    controls: [TimeControl; 2],
    left: [Duration; 2],
    moves: [u32; 2],
    /// The time that failed attempts have taken of each side's current move. They share the delay of the move.
    taken: [Duration; 2],
    /// True if attempts share the time per move, too.
    attempts_share: bool,
}

impl Clocks {
    pub fn new(limits: &GameLimits) -> Self {
        let controls = limits.time_controls.clone();
        let left = [0, 1].map(|side: usize| match &controls[side].limit {
            Limit::MoveTime(_) | Limit::Guard => Duration::ZERO,
            Limit::Clock(clock) => clock.first_base(),
            Limit::Hourglass(base) => *base,
        });
        Self {
            controls,
            left,
            moves: [0; 2],
            taken: [Duration::ZERO; 2],
            attempts_share: limits.attempts_share,
        }
    }

    const fn limit_of(&self, side: Side) -> &Limit {
        &self.controls[side.index()].limit
    }

    /// True if a clock of `side` runs through the game, so that a flag fall loses at once.
    pub const fn runs_through(&self, side: Side) -> bool {
        self.controls[side.index()].runs_through()
    }

    /// True if all attempts at a move of `side` share one limit, so that an overrun leaves nothing for another.
    pub(crate) const fn attempts_share(&self, side: Side) -> bool {
        self.attempts_share || self.runs_through(side)
    }

    /// The time left on the clock of `side`; `None` if it has a time per move.
    pub fn left(&self, side: Side) -> Option<Duration> {
        self.runs_through(side).then(|| self.left[side.index()])
    }

    /// The time that `side` has for its next attempt, without the margin.
    #[inline]
    pub fn limit(&self, side: Side) -> Duration {
        match self.limit_of(side) {
            Limit::MoveTime(limit) => self.unused(side, *limit),
            Limit::Guard => self.unused(side, GUARD),
            Limit::Clock(_) | Limit::Hourglass(_) => self.left[side.index()] + self.uncounted(side),
        }
    }

    /// What failed attempts have left of a time per move.
    fn unused(&self, side: Side, limit: Duration) -> Duration {
        match self.attempts_share {
            true => limit.saturating_sub(self.taken[side.index()]),
            false => limit,
        }
    }

    /// What is left of the delay before the clock of `side` runs.
    fn uncounted(&self, side: Side) -> Duration {
        match self.limit_of(side) {
            Limit::Clock(clock) => match clock.delay {
                Delay::Simple(delay) => delay.saturating_sub(self.taken[side.index()]),
                Delay::None | Delay::Bronstein(_) => Duration::ZERO,
            },
            _ => Duration::ZERO,
        }
    }

    /// Notes that `side` made a legal move in `elapsed`. Returns the time left if the side has a clock, its limit for
    /// a move if only the other side has one, and `None` without clocks.
    pub fn moved(&mut self, side: Side, elapsed: Duration) -> Option<Duration> {
        self.spent(side, elapsed);
        let made = &mut self.moves[side.index()];
        *made += 1;
        if let Limit::Clock(clock) = &self.controls[side.index()].limit {
            let given_back = match clock.delay {
                Delay::Bronstein(most) => self.taken[side.index()].min(most),
                Delay::None | Delay::Simple(_) => Duration::ZERO,
            };
            self.left[side.index()] += clock.earned_by(*made) + given_back;
        }
        self.taken[side.index()] = Duration::ZERO;
        let any_runs = Side::BOTH.into_iter().any(|side| self.runs_through(side));
        any_runs.then(|| self.limit_between_moves(side))
    }

    /// Notes that `side` spent `elapsed` on an attempt, whether it gave a move or not: the same clock runs on.
    #[inline]
    pub fn spent(&mut self, side: Side, elapsed: Duration) {
        let counted = elapsed.saturating_sub(self.uncounted(side));
        self.taken[side.index()] += elapsed;
        if !self.runs_through(side) {
            return;
        }
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(counted);
        let other = side.other();
        if let [Limit::Hourglass(_), Limit::Hourglass(_)] = [self.limit_of(side), self.limit_of(other)] {
            self.left[other.index()] += elapsed;
        }
    }

    /// The clock of `side` or, if it has none, its limit for a move.
    fn limit_between_moves(&self, side: Side) -> Duration {
        if self.runs_through(side) {
            self.left[side.index()]
        } else {
            self.limit(side)
        }
    }

    /// The increment that engines are told for the next move of `side`: it includes a delay, so that they can plan
    /// with it.
    fn told_increment(&self, side: Side) -> Duration {
        match self.limit_of(side) {
            Limit::Clock(clock) => clock.increment_of(self.moves[side.index()] + 1) + clock.delay.time(),
            Limit::MoveTime(_) | Limit::Hourglass(_) | Limit::Guard => Duration::ZERO,
        }
    }

    /// Appends the `go` line for `side`, newline included. Of a time per move, `waited` has passed already.
    pub(crate) fn write_go(
        &self,
        side: Side,
        waited: Duration,
        limits: &GameLimits,
        bounds: Bounds,
        line: &mut Vec<u8>,
    ) {
        line.extend_from_slice(b"go");
        let mut digits = itoa::Buffer::new();
        let mut tell = |what: &str, value: u64| {
            for part in [" ", what, " ", digits.format(value)] {
                line.extend_from_slice(part.as_bytes());
            }
        };
        match self.limit_of(side) {
            Limit::MoveTime(_) => {
                let limit = self.limit(side);
                let overhead = limits.move_overhead.min(limit / OVERHEAD_PART);
                tell("movetime", whole_millis((limit - overhead).saturating_sub(waited)));
            }
            Limit::Guard => (),
            Limit::Clock(_) | Limit::Hourglass(_) => {
                let [white, black] = Side::BOTH;
                tell("wtime", whole_millis(self.limit_between_moves(white)));
                tell("btime", whole_millis(self.limit_between_moves(black)));
                tell("winc", millis(self.told_increment(white)));
                tell("binc", millis(self.told_increment(black)));
            }
        }
        if let Limit::Clock(clock) = self.limit_of(side)
            && let Some(moves) = clock.moves_to_go(self.moves[side.index()])
        {
            tell("movestogo", moves.into());
        }
        let bounds = bounds.or(self.controls[side.index()].bounds);
        if let Some(nodes) = bounds.nodes {
            tell("nodes", nodes);
        }
        if let Some(depth) = bounds.depth {
            tell("depth", depth.into());
        }
        line.push(b'\n');
    }
}

/// Whole milliseconds, rounded down, at least 1: engines take 0 for "no limit" or divide by it.
fn whole_millis(time: Duration) -> u64 {
    millis(time).max(1)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
