//! Writing time controls and durations: the canonical form, and that of the PGN tag.
//!
//! May not: read a text.

use std::fmt;
use std::time::Duration;

use super::{Bounds, Clock, Delay, Limit, TimeControl};

pub(super) const NANOS_PER_MS: u128 = 1_000_000;
pub(super) const NANOS_PER_S: u128 = 1_000 * NANOS_PER_MS;

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = match &self.limit {
            Limit::MoveTime(limit) => format!("{}/move", write_duration(*limit)),
            Limit::Clock(clock) => write_clock(clock),
            Limit::Hourglass(base) => format!("hourglass {}", minutes_and_seconds(*base)),
            Limit::Guard => String::new(),
        };
        f.pad(format!("{limit}{}", write_bounds(self.bounds)).trim_start())
    }
}

impl TimeControl {
    /// The value of the PGN tag `TimeControl` (Steven J. Edwards, 1994, 9.6.1): `40/5400:1800`, `300+2`, `*60`, and
    /// `-` for bounds alone. An increment that starts at a later move is written as a stage of no time: `60/300:0+2`.
    /// Two things are not in the standard: a time per move is written as engine runners do, in seconds (`30/move`),
    /// and delays as `+5d` or, for Bronstein's, `+5b`.
    pub fn pgn(&self) -> String {
        match &self.limit {
            Limit::MoveTime(limit) => format!("{}/move", seconds(*limit)),
            Limit::Clock(clock) => pgn_clock(clock),
            Limit::Hourglass(base) => format!("*{}", seconds(*base)),
            Limit::Guard => "-".to_owned(),
        }
    }
}

/// The bounds, each after a blank.
fn write_bounds(bounds: Bounds) -> String {
    let nodes = bounds.nodes.map(|nodes| format!(" nodes={nodes}"));
    let depth = bounds.depth.map(|depth| format!(" depth={depth}"));
    nodes.into_iter().chain(depth).collect()
}

/// In minutes if the form makes clear that they are minutes and people write them so, else in seconds.
fn write_clock(clock: &Clock) -> String {
    let delay = match clock.delay {
        Delay::None => None,
        Delay::Simple(time) => Some(format!("d{}", seconds(time))),
        Delay::Bronstein(time) => Some(format!("b{}", seconds(time))),
    };
    let is_last_of_several = !clock.earlier.is_empty() && clock.moves.is_none();
    let in_minutes = delay.is_some() || is_last_of_several;
    let time = if in_minutes { minutes } else { seconds };
    let mut parts: Vec<String> = clock
        .earlier
        .iter()
        .map(|stage| format!("{}/{}", stage.moves, time(stage.base)))
        .collect();
    let base = time(clock.base);
    parts.push(match clock.moves {
        Some(moves) => format!("{moves}/{base}"),
        None if is_last_of_several => format!("SD/{base}"),
        None if in_minutes => format!("G/{base}"),
        None => base,
    });
    let increment = match (clock.increment, clock.increment_from) {
        (Duration::ZERO, _) => String::new(),
        (increment, 1) => format!("+{}", seconds(increment)),
        (increment, from) => format!("+{}@{from}", seconds(increment)),
    };
    if in_minutes {
        parts.extend(Some(increment).filter(|text| !text.is_empty()));
        parts.extend(delay);
        parts.join(" ")
    } else {
        parts.join(" ") + &increment
    }
}

/// A stage as PGN knows it, with an increment of its own.
struct PgnStage {
    moves: Option<u32>,
    base: Duration,
    earns: bool,
}

/// The stages, cut where the increment begins.
fn pgn_stages(clock: &Clock) -> Vec<PgnStage> {
    let mut stages = Vec::new();
    let mut stage = |moves, base, earns| stages.push(PgnStage { moves, base, earns });
    // Moves still to come that earn nothing.
    let mut before = if clock.increment.is_zero() {
        0
    } else {
        clock.increment_from - 1
    };
    let mut cut = |moves: u32, base, before: u32| match moves.checked_sub(before) {
        Some(_) if before == 0 => stage(Some(moves), base, true),
        None | Some(0) => stage(Some(moves), base, false),
        Some(rest) => {
            stage(Some(before), base, false);
            stage(Some(rest), Duration::ZERO, true);
        }
    };
    for earlier in &clock.earlier {
        cut(earlier.moves, earlier.base, before);
        before = before.saturating_sub(earlier.moves);
    }
    match clock.moves {
        Some(moves) => {
            while before > 0 {
                cut(moves, clock.base, before);
                before = before.saturating_sub(moves);
            }
            stage(Some(moves), clock.base, true);
        }
        None if before > 0 => {
            stage(Some(before), clock.base, false);
            stage(None, Duration::ZERO, true);
        }
        None => stage(None, clock.base, true),
    }
    stages
}

fn pgn_clock(clock: &Clock) -> String {
    let delay = match clock.delay {
        Delay::None => String::new(),
        Delay::Simple(time) => format!("+{}d", seconds(time)),
        Delay::Bronstein(time) => format!("+{}b", seconds(time)),
    };
    let mut text = String::new();
    for stage in pgn_stages(clock) {
        if !text.is_empty() {
            text.push(':');
            // Two digits after a colon would read as seconds after minutes.
            let would_mislead = stage.moves.is_none() && (10..60).contains(&stage.base.as_secs());
            text.push_str(if would_mislead { "0" } else { "" });
        }
        if let Some(moves) = stage.moves {
            text += &format!("{moves}/");
        }
        text += &seconds(stage.base);
        if stage.earns && !clock.increment.is_zero() {
            text += &format!("+{}", seconds(clock.increment));
        }
        text += &delay;
    }
    text
}

/// Writes a duration so that [`parse_duration`](super::parse_duration) reads it: `30s`, `1.5s`, `500ms`.
pub fn write_duration(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let finer_than_decimals_of_a_second = !nanos.is_multiple_of(1_000);
    if nanos > 0 && (nanos < NANOS_PER_S || finer_than_decimals_of_a_second) {
        format!("{}ms", decimal(nanos, NANOS_PER_MS))
    } else {
        format!("{}s", seconds(duration))
    }
}

/// Seconds as a plain decimal: `60`, `0.6`.
fn seconds(duration: Duration) -> String {
    decimal(duration.as_nanos(), NANOS_PER_S)
}

/// Minutes: `90`; if they are not whole, `1:30.5`.
fn minutes(duration: Duration) -> String {
    if duration.as_nanos().is_multiple_of(60 * NANOS_PER_S) {
        (duration.as_secs() / 60).to_string()
    } else {
        minutes_and_seconds(duration)
    }
}

/// `5:00`, `0:30.5`.
fn minutes_and_seconds(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let (minutes, rest) = (nanos / (60 * NANOS_PER_S), nanos % (60 * NANOS_PER_S));
    let zero = if rest < 10 * NANOS_PER_S { "0" } else { "" };
    format!("{minutes}:{zero}{}", decimal(rest, NANOS_PER_S))
}

/// `amount / unit` as a plain decimal; `unit` is a power of ten.
fn decimal(amount: u128, unit: u128) -> String {
    let (whole, part) = (amount / unit, amount % unit);
    if part == 0 {
        return whole.to_string();
    }
    // One more than `unit` keeps the leading zeros of the part: 1000 + 50 is "1050".
    let part = (unit + part).to_string();
    format!("{whole}.{}", part[1..].trim_end_matches('0'))
}
