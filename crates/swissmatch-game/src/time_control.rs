//! Time controls: what limits the moves of one side. docs/time-controls.md has every form and what it means.
//!
//! May not: ask what time it is, use floats.

mod cursor;
mod parse;
mod stored;
mod words;
mod write;

#[cfg(test)]
mod tests;

use std::time::Duration;

pub use cursor::{TimeTextError, parse_duration};
use serde::{Deserialize, Serialize};
pub use stored::written;
pub use words::duration_in_words;
pub use write::write_duration;

/// The limit for a move if a control has bounds alone: 60 seconds.
pub const GUARD: Duration = Duration::from_mins(1);
/// The largest bound on nodes.
pub const MOST_NODES: u64 = 1_000_000_000_000;
/// The deepest bound, in plies.
pub const MOST_DEPTH: u32 = 1_000;

/// Bounds on the search of one side, beside the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// `go nodes`
    pub nodes: Option<u64>,
    /// `go depth`
    pub depth: Option<u32>,
}

impl Bounds {
    /// Fills what is left open from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.or(other.nodes),
            depth: self.depth.or(other.depth),
        }
    }

    pub const fn is_empty(self) -> bool {
        self.nodes.is_none() && self.depth.is_none()
    }
}

/// The limit on the moves of one side, with bounds that its searches are also told.
///
/// Read with [`str::parse`]; [`Display`](std::fmt::Display) writes the canonical form, which reads as the same value and
/// is what logs hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    pub limit: Limit,
    /// Bounds that the engine is told, but not judged by.
    pub bounds: Bounds,
}

/// The limit that judges a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A fixed time for every move: `"30s/move"`.
    MoveTime(Duration),
    /// A clock that runs through the game: `"10+0.1"`, `"40/90 SD/30 d5"`.
    Clock(Clock),
    /// Both sides begin with this time, and each side gets what the other uses: `"hourglass 1:00"`.
    Hourglass(Duration),
    /// No limit but [`GUARD`] for every move, which the engine is not told: `"nodes=5000"`.
    Guard,
}

/// A clock with one or several stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The stages before the last.
    pub earlier: Vec<ClockStage>,
    /// The moves of the last stage, which then repeats; `None` if it lasts for the rest of the game.
    pub moves: Option<u32>,
    /// The time that the last stage adds; if it is the only stage, the starting time.
    pub base: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The first move that earns the increment, from 1.
    pub increment_from: u32,
    /// The part of each move that the clock does not count.
    pub delay: Delay,
}

/// A stage that is followed by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockStage {
    /// The number of moves in the stage, at least 1.
    pub moves: u32,
    /// The time that the stage adds.
    pub base: Duration,
}

/// The part of each move that a clock does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// The clock counts everything.
    None,
    /// `d5`: "a given number of seconds will pass before it resumes counting down" (City Chess).
    Simple(Duration),
    /// `b5`: the clock counts everything, but after the move gives back the time used, at most this much.
    Bronstein(Duration),
}

impl Delay {
    /// The length of the delay, whatever its kind.
    pub const fn time(self) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Simple(time) | Self::Bronstein(time) => time,
        }
    }
}

impl From<Limit> for TimeControl {
    fn from(limit: Limit) -> Self {
        Self {
            limit,
            bounds: Bounds::default(),
        }
    }
}

/// The most time on the clock at the start of a short game.
const SHORT_BASE: Duration = Duration::from_secs(10);
/// The most time for a move in a short game.
const SHORT_MOVE: Duration = Duration::from_secs(1);

impl TimeControl {
    /// A shorter version of the control: at most one second per move, or ten seconds per stage of a clock; increments
    /// and delays stay.
    #[must_use]
    pub fn cut_short(&self) -> Self {
        let limit = match &self.limit {
            Limit::MoveTime(time) => Limit::MoveTime(SHORT_MOVE.min(*time)),
            Limit::Hourglass(base) => Limit::Hourglass(SHORT_BASE.min(*base)),
            Limit::Guard => Limit::Guard,
            Limit::Clock(clock) => {
                let short = |stage: &ClockStage| ClockStage {
                    base: SHORT_BASE.min(stage.base),
                    ..*stage
                };
                Limit::Clock(Clock {
                    earlier: clock.earlier.iter().map(short).collect(),
                    base: SHORT_BASE.min(clock.base),
                    ..clock.clone()
                })
            }
        };
        Self {
            limit,
            bounds: self.bounds,
        }
    }

    /// The time that a side has for its first move, not counting a delay.
    pub fn at_first(&self) -> Duration {
        match &self.limit {
            Limit::MoveTime(time) | Limit::Hourglass(time) => *time,
            Limit::Clock(clock) => clock.first_base(),
            Limit::Guard => GUARD,
        }
    }

    /// True if a clock runs through the whole game, so that a flag fall loses at once.
    pub const fn runs_through(&self) -> bool {
        matches!(self.limit, Limit::Clock(_) | Limit::Hourglass(_))
    }

    /// The longest that a game can take when both sides have this control, make `moves` moves each and fail no
    /// attempt.
    pub fn longest(&self, moves: u32) -> Duration {
        match &self.limit {
            // Each move may take all the time on both clocks, except for the first one.
            Limit::Hourglass(base) => base.saturating_mul(moves.saturating_mul(4).saturating_sub(1)),
            _ => self.longest_of_side(moves).saturating_mul(2),
        }
    }

    /// The longest that one side can think in `moves` moves without failed attempts; for an hourglass, half of what
    /// both can.
    pub fn longest_of_side(&self, moves: u32) -> Duration {
        match &self.limit {
            Limit::MoveTime(limit) => limit.saturating_mul(moves),
            Limit::Guard => GUARD.saturating_mul(moves),
            Limit::Clock(clock) => clock.longest(moves),
            Limit::Hourglass(_) => self.longest(moves) / 2,
        }
    }
}

impl Clock {
    /// A clock with `base` for the whole game.
    pub const fn sudden_death(base: Duration) -> Self {
        Self {
            earlier: Vec::new(),
            moves: None,
            base,
            increment: Duration::ZERO,
            increment_from: 1,
            delay: Delay::None,
        }
    }

    /// True if the game's total time is bounded whatever the number of moves.
    pub fn is_bounded(&self) -> bool {
        self.moves.is_none() && self.increment.is_zero() && self.delay == Delay::None
    }

    /// The time on the clock before the first move.
    pub fn first_base(&self) -> Duration {
        self.earlier.first().map_or(self.base, |stage| stage.base)
    }

    /// The number of moves left in the stage after `made` moves; `None` if it lasts for the rest of the game.
    pub fn moves_to_go(&self, made: u32) -> Option<u32> {
        let mut into = made;
        for stage in &self.earlier {
            if into < stage.moves {
                return Some(stage.moves - into);
            }
            into -= stage.moves;
        }
        self.moves.map(|moves| moves - into % moves)
    }

    /// The time added after the move with this number (from 1): its increment, and the time of a stage that begins
    /// after it.
    pub(crate) fn earned_by(&self, number: u32) -> Duration {
        self.increment_of(number) + self.stage_after(number)
    }

    pub(crate) const fn increment_of(&self, number: u32) -> Duration {
        if number >= self.increment_from {
            self.increment
        } else {
            Duration::ZERO
        }
    }

    /// The time added by the stage that begins after `made` moves; `made` is at least one.
    fn stage_after(&self, made: u32) -> Duration {
        let mut begins_after = 0;
        for (at, stage) in self.earlier.iter().enumerate() {
            begins_after += stage.moves;
            if begins_after == made {
                return self.earlier.get(at + 1).map_or(self.base, |next| next.base);
            }
        }
        let comes_again = |moves| made > begins_after && (made - begins_after).is_multiple_of(moves);
        if self.moves.is_some_and(comes_again) {
            self.base
        } else {
            Duration::ZERO
        }
    }

    /// The longest that a side can think in `moves` moves.
    fn longest(&self, moves: u32) -> Duration {
        let mut rest = moves;
        let mut time = Duration::ZERO;
        for stage in &self.earlier {
            time = time.saturating_add(stage.base);
            if rest <= stage.moves {
                return self.with_bonus(time, moves);
            }
            rest -= stage.moves;
        }
        let stages = self.moves.map_or(1, |of_stage| rest.div_ceil(of_stage).max(1));
        self.with_bonus(time.saturating_add(self.base.saturating_mul(stages)), moves)
    }

    /// `time` plus the increments and delays of `moves` moves.
    fn with_bonus(&self, time: Duration, moves: u32) -> Duration {
        let earning = moves.saturating_sub(self.increment_from - 1);
        time.saturating_add(self.increment.saturating_mul(earning))
            .saturating_add(self.delay.time().saturating_mul(moves))
    }
}
