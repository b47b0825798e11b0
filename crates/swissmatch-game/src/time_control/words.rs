//! Time controls and durations in words for people, with their units.
//!
//! May not: be read by a machine; that is `write`.

use std::time::Duration;

use swiss_system::count;

use super::{Clock, Delay, GUARD, Limit, TimeControl, write_duration};

impl TimeControl {
    /// The written form, explained in words if it has no unit: `480+3 (8 min for the whole game, 3s added after each
    /// move)`.
    pub fn with_words(&self) -> String {
        match self.limit {
            Limit::Clock(_) | Limit::Hourglass(_) => format!("{self} ({})", self.in_words()),
            Limit::MoveTime(_) | Limit::Guard => self.to_string(),
        }
    }

    /// The control in words, as the end of a sentence.
    pub fn in_words(&self) -> String {
        match &self.limit {
            Limit::MoveTime(limit) => format!("{} for every move", duration_in_words(*limit)),
            Limit::Guard => format!(
                "the engine is told no time; {} is the limit for every move",
                duration_in_words(GUARD)
            ),
            Limit::Hourglass(base) => format!(
                "each side begins with {}, and gets what the other uses",
                duration_in_words(*base)
            ),
            Limit::Clock(clock) => clock_in_words(clock),
        }
    }
}

fn clock_in_words(clock: &Clock) -> String {
    let mut parts: Vec<String> = clock
        .earlier
        .iter()
        .map(|stage| {
            format!(
                "{} for {}",
                duration_in_words(stage.base),
                count::of(stage.moves, "move", "moves")
            )
        })
        .collect();
    let base = duration_in_words(clock.base);
    parts.push(match (clock.moves, parts.is_empty()) {
        (Some(1), true) => format!("{base} for every move"),
        (Some(1), false) => format!("{base} for every move after them"),
        (Some(moves), true) => format!("{base} for every {moves} moves"),
        (Some(moves), false) => format!("{base} for every {moves} moves after them"),
        (None, true) => format!("{base} for the whole game"),
        (None, false) => format!("{base} more for the rest of the game"),
    });
    if clock.increment > Duration::ZERO {
        let from = match clock.increment_from {
            1 => String::new(),
            from => format!(" from move {from} on"),
        };
        parts.push(format!(
            "{} added after each move{from}",
            duration_in_words(clock.increment)
        ));
    }
    parts.extend(match clock.delay {
        Delay::None => None,
        Delay::Simple(delay) => Some(format!(
            "the first {} of each move not counted",
            duration_in_words(delay)
        )),
        Delay::Bronstein(delay) => Some(format!(
            "the time of each move given back up to {}",
            duration_in_words(delay)
        )),
    });
    parts.join(", ")
}

/// A duration for people: whole minutes from two on as such, `8 min` and `1 h 30 min`, else as it is written.
pub fn duration_in_words(duration: Duration) -> String {
    let minutes = duration.as_secs() / 60;
    let is_whole = minutes > 1 && duration == Duration::from_secs(60 * minutes);
    match (minutes / 60, minutes % 60) {
        _ if !is_whole => write_duration(duration),
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}
