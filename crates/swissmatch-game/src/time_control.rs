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

/// What judges a move where a control has bounds alone: 60 seconds.
pub const GUARD: Duration = Duration::from_mins(1);
/// Most nodes of a bound.
pub const MOST_NODES: u64 = 1_000_000_000_000;
/// Deepest bound, in plies.
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
    /// These; what they leave open is as in `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.or(other.nodes),
            depth: self.depth.or(other.depth),
        }
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.nodes.is_none() && self.depth.is_none()
    }
}

/// What the moves of one side are judged by, and bounds that its searches are told beside it.
///
/// Read with [`str::parse`]; [`Display`](std::fmt::Display) writes the canonical form, which reads as the same value and
/// is what logs hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// What judges.
    pub limit: Limit,
    /// What is only told.
    pub bounds: Bounds,
}

/// What judges a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So much for every move: `"30s/move"`.
    MoveTime(Duration),
    /// A clock that runs through the game: `"10+0.1"`, `"40/90 SD/30 d5"`.
    Clock(Clock),
    /// Both sides begin with so much; what one side uses the other gets: `"hourglass 1:00"`.
    Hourglass(Duration),
    /// Bounds alone: [`GUARD`] for every move, which the engine is not told: `"nodes=5000"`.
    Guard,
}

/// A clock of one or several stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The stages before the last.
    pub earlier: Vec<ClockStage>,
    /// Moves of the last stage, which comes again and again; `None`: it lasts for the rest of the game.
    pub moves: Option<u32>,
    /// Time that the last stage adds: the first time of all where it is the only one.
    pub base: Duration,
    /// Added when a move has been made.
    pub increment: Duration,
    /// The first move of the side that earns the increment, from 1.
    pub increment_from: u32,
    /// What the clock does not count of each move.
    pub delay: Delay,
}

/// A stage that another one follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockStage {
    /// Its moves, at least 1.
    pub moves: u32,
    /// The time that it adds.
    pub base: Duration,
}

/// What a clock does not count of each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// It counts everything.
    None,
    /// `d5`: "a given number of seconds will pass before it resumes counting down" (City Chess).
    Simple(Duration),
    /// `b5`: it counts everything, and once the move is made gives back the time used, at most this much.
    Bronstein(Duration),
}

impl Delay {
    /// How long, whatever the kind.
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

/// The most that a clock has at the beginning where a game is to be short.
const SHORT_BASE: Duration = Duration::from_secs(10);
/// The most that a move has there.
const SHORT_MOVE: Duration = Duration::from_secs(1);

impl TimeControl {
    /// The same for a short game: a move has one second at most, a clock ten in each of its stages, beside increments and delays.
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

    /// How much time a side has for its first move, beside a delay.
    pub fn at_first(&self) -> Duration {
        match &self.limit {
            Limit::MoveTime(time) | Limit::Hourglass(time) => *time,
            Limit::Clock(clock) => clock.first_base(),
            Limit::Guard => GUARD,
        }
    }

    /// Whether a clock runs through the game: then a flag fall loses at once.
    pub const fn runs_through(&self) -> bool {
        matches!(self.limit, Limit::Clock(_) | Limit::Hourglass(_))
    }

    /// The longest that a game of two sides with this control can take, with so many moves of each side and no failed
    /// attempts.
    pub fn longest(&self, moves: u32) -> Duration {
        match &self.limit {
            // Each move may take all that both clocks have, but for the first one.
            Limit::Hourglass(base) => base.saturating_mul(moves.saturating_mul(4).saturating_sub(1)),
            _ => self.longest_of_side(moves).saturating_mul(2),
        }
    }

    /// The longest that one side can think in so many moves, without failed attempts; of an hourglass half of what both
    /// can.
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
    /// The whole game in `base`.
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

    /// Whether its time is bounded whatever the number of moves.
    pub fn is_bounded(&self) -> bool {
        self.moves.is_none() && self.increment.is_zero() && self.delay == Delay::None
    }

    /// What the clock has before the first move.
    pub fn first_base(&self) -> Duration {
        self.earlier.first().map_or(self.base, |stage| stage.base)
    }

    /// Moves from the one after `made` to the end of its stage; `None`: it lasts for the rest of the game.
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

    /// What is added once the move of this number (from 1) has been made: its increment, and the time of a stage that
    /// begins after it.
    pub(crate) fn earned_by(&self, number: u32) -> Duration {
        self.increment_of(number) + self.stage_after(number)
    }

    /// The increment that the move of this number (from 1) earns.
    pub(crate) const fn increment_of(&self, number: u32) -> Duration {
        if number >= self.increment_from {
            self.increment
        } else {
            Duration::ZERO
        }
    }

    /// The time of the stage that begins once so many moves, at least one, have been made.
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

    /// The longest that a side can think in so many moves.
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

    /// `time` with the increments and delays of so many moves.
    fn with_bonus(&self, time: Duration, moves: u32) -> Duration {
        let earning = moves.saturating_sub(self.increment_from - 1);
        time.saturating_add(self.increment.saturating_mul(earning))
            .saturating_add(self.delay.time().saturating_mul(moves))
    }
}
