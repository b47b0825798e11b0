//! What an event waits for, in words: `round 3 begins at 18:00:00 UTC, in 12 min 30 s`.
//!
//! May not: ask the time.

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use swissmatch_tournament::setup::Zone;
use swissmatch_tournament::waiting::{AwaitedPlay, Wait};

/// The sentence at `now`, with times in the zone, and the date if it is not today.
pub fn sentence(wait: Wait, now: Timestamp, zone: &Zone) -> String {
    let what = match wait.awaited {
        AwaitedPlay::Round(round) => format!("round {round} begins"),
        AwaitedPlay::Playoff => "a play-off begins".to_owned(),
        AwaitedPlay::Games => "the next games begin".to_owned(),
    };
    let [until, today] = [wait.until, now].map(|instant| instant.to_zoned(zone.rules().clone()));
    let form = match until.date() == today.date() {
        true => "%H:%M:%S %Z",
        false => "%Y-%m-%d %H:%M:%S %Z",
    };
    format!(
        "{what} at {}, in {}",
        until.strftime(form),
        left(wait.until.duration_since(now).unsigned_abs())
    )
}

/// Like [`sentence`], but for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WaitJson {
    /// What is waited for: `"round"`, `"playoff"` or `"games"`.
    pub r#for: &'static str,
    /// The number of the round that is waited for, if it is one.
    pub round: Option<u32>,
    /// The earliest time.
    pub until: Timestamp,
}

impl From<Wait> for WaitJson {
    fn from(wait: Wait) -> Self {
        let (r#for, round) = match wait.awaited {
            AwaitedPlay::Round(round) => ("round", Some(round)),
            AwaitedPlay::Playoff => ("playoff", None),
            AwaitedPlay::Games => ("games", None),
        };
        Self {
            r#for,
            round,
            until: wait.until,
        }
    }
}

/// A time left in its two largest units, rounded up to a second: `1 d 2 h`, `12 min 30 s`.
pub fn left(time: Duration) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    let units = [
        ("d", seconds / 86_400),
        ("h", seconds / 3_600 % 24),
        ("min", seconds / 60 % 60),
        ("s", seconds % 60),
    ];
    let first = units
        .iter()
        .position(|(_, number)| *number > 0)
        .unwrap_or(units.len() - 1);
    let shown = units[first..]
        .iter()
        .take(2)
        .filter(|(_, number)| *number > 0 || seconds == 0);
    shown
        .map(|(unit, number)| format!("{number} {unit}"))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(awaited: AwaitedPlay, until: &str, zone: &str, expected: &str) {
        let now = "2026-01-30T17:47:30Z".parse().expect("an instant");
        let until = until.parse().expect("an instant");
        let zone = zone.parse().expect("a zone");
        assert_eq!(sentence(Wait { awaited, until }, now, &zone), expected);
    }

    #[test]
    fn waits_in_words() {
        check(
            AwaitedPlay::Round(3),
            "2026-01-30T18:00:00Z",
            "UTC",
            "round 3 begins at 18:00:00 UTC, in 12 min 30 s",
        );
        check(
            AwaitedPlay::Playoff,
            "2026-01-30T17:47:30.2Z",
            "Europe/Berlin",
            "a play-off begins at 18:47:30 CET, in 1 s",
        );
        check(
            AwaitedPlay::Games,
            "2026-01-31T17:00:00Z",
            "+05:30",
            "the next games begin at 2026-01-31 22:30:00 +05:30, in 23 h 12 min",
        );
        check(
            AwaitedPlay::Round(1),
            "2026-02-02T17:47:40Z",
            "UTC",
            "round 1 begins at 2026-02-02 17:47:40 UTC, in 3 d",
        );
    }
}
