//! `[ladder]`: rated rounds by the clock, until submissions are locked.
//!
//! May not: read files, know TOML, ask the time.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use super::Openings;
use swissmatch_game::time_control::parse_duration;

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);
/// How many days are searched for a start: clocks that are put forward can take away the only one of a day.
const DAYS: usize = 3;

/// When rounds begin, `ladder.schedule`: at a fixed interval from midnight on, within certain hours of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LadderSchedule {
    /// From one round to the next; at most a day.
    every: Duration,
    /// The first and the last hour of a day, both included in full; `None` means all day.
    hours: Option<[u8; 2]>,
}

/// A text that is not a [`LadderSchedule`], with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LadderScheduleError(&'static str);

const UNREAD: LadderScheduleError = LadderScheduleError(
    "write \"hourly\" or \"every 15m\" (1s to 1440m), with hours of the day or without, as in \"hourly 08-22\"",
);
const NEVER: LadderScheduleError =
    LadderScheduleError("no round would ever begin: they are counted from midnight on, and none is within those hours");

impl FromStr for LadderSchedule {
    type Err = LadderScheduleError;

    fn from_str(text: &str) -> Result<Self, LadderScheduleError> {
        let words: Vec<&str> = text.split(' ').collect();
        let (every, hours) = match words.as_slice() {
            ["hourly"] => (HOUR, None),
            ["hourly", hours] => (HOUR, Some(*hours)),
            ["every", every] => (parse_duration(every).map_err(|_| UNREAD)?, None),
            ["every", every, hours] => (parse_duration(every).map_err(|_| UNREAD)?, Some(*hours)),
            _ => return Err(UNREAD),
        };
        if every.subsec_nanos() > 0 || !(Duration::from_secs(1)..=DAY).contains(&every) {
            return Err(UNREAD);
        }
        let hour = |text: &str| {
            let number: u8 = text.parse().ok()?;
            (text.len() == 2 && number < 24).then_some(number)
        };
        let between = |text: &str| {
            let (from, to) = text.split_once('-')?;
            Some([hour(from)?, hour(to)?]).filter(|[from, to]| from <= to)
        };
        let hours = hours.map(|text| between(text).ok_or(UNREAD)).transpose()?;
        let schedule = Self { every, hours };
        // An ordinary day.
        match schedule.first_after(Timestamp::UNIX_EPOCH, &TimeZone::UTC) {
            Some(_) => Ok(schedule),
            None => Err(NEVER),
        }
    }
}

impl fmt::Display for LadderSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.every {
            HOUR => f.write_str("hourly")?,
            every if every.as_secs().is_multiple_of(60) => write!(f, "every {}m", every.as_secs() / 60)?,
            every => write!(f, "every {}s", every.as_secs())?,
        }
        match self.hours {
            Some([from, to]) => write!(f, " {from:02}-{to:02}"),
            None => Ok(()),
        }
    }
}

impl TryFrom<String> for LadderSchedule {
    type Error = LadderScheduleError;

    fn try_from(text: String) -> Result<Self, LadderScheduleError> {
        text.parse()
    }
}

impl From<LadderSchedule> for String {
    fn from(schedule: LadderSchedule) -> Self {
        schedule.to_string()
    }
}

impl LadderSchedule {
    pub const fn every(self) -> Duration {
        self.every
    }

    /// The last start of a round up to `now`, by the clocks of a time zone.
    pub fn last_until(self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let mut day = now.to_zoned(zone.clone());
        for _ in 0..DAYS {
            if let Some(last) = self.of_day(&day).take_while(|at| *at <= now).last() {
                return Some(last);
            }
            day = day.yesterday().ok()?;
        }
        None
    }

    /// The first start of a round after `now`.
    pub fn first_after(self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let mut day = now.to_zoned(zone.clone());
        for _ in 0..DAYS {
            if let Some(first) = self.of_day(&day).find(|at| *at > now) {
                return Some(first);
            }
            day = day.tomorrow().ok()?;
        }
        None
    }

    /// True if a round that was due at `due` may still begin; it may not once the next one could have been due.
    pub fn is_in_time(self, due: Timestamp, now: Timestamp) -> bool {
        due.checked_add(self.every).is_ok_and(|next| now < next)
    }

    /// The starts of a day, in order, by the clock on the wall: on a day on which the clocks change, an hour is missing
    /// or comes twice.
    fn of_day(self, day: &Zoned) -> impl Iterator<Item = Timestamp> {
        let (begins, ends) = (
            day.start_of_day().ok(),
            day.tomorrow().and_then(|next| next.start_of_day()).ok(),
        );
        let every = SignedDuration::try_from(self.every).unwrap_or(SignedDuration::from_hours(1));
        let zone = day.time_zone().clone();
        let moments = begins.into_iter().zip(ends).flat_map(move |(begins, ends)| {
            let (begins, ends) = (begins.timestamp(), ends.timestamp());
            (0..).map_while(move |number: i32| {
                let at = begins.checked_add(every.checked_mul(number)?).ok()?;
                (at < ends).then_some(at)
            })
        });
        moments.filter(move |at| {
            let time = at.to_zoned(zone.clone()).time();
            let full = |hour: u8| Time::constant(hour.cast_signed(), 0, 0, 0);
            self.hours
                .is_none_or(|[from, to]| (full(from)..=full(to)).contains(&time))
        })
    }
}

/// `[ladder]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LadderKeys {
    /// When rounds begin; `None` means that there is no ladder.
    pub schedule: Option<LadderSchedule>,
    /// Players whose ratings do not move, with their ratings.
    pub fixed: BTreeMap<String, i32>,
    /// Games between two players in a round.
    pub games: u32,
    pub openings: Openings,
    /// The round of the ladder that this run is: each round is a run of its own. No file has this key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<LadderRound>,
}

impl Default for LadderKeys {
    fn default() -> Self {
        Self {
            schedule: None,
            fixed: BTreeMap::new(),
            games: 2,
            openings: Openings::None,
            round: None,
        }
    }
}

impl LadderKeys {
    /// True if no key is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LadderRound {
    /// From 1.
    pub number: u32,
    /// When the round was due.
    pub due: Timestamp,
    /// How many entries the log of submissions had when the round was paired: they decide which submissions play.
    pub submissions: u64,
    /// The hash of the last entry in the log of the round before; `None` in the first round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
}

/// A player's rating in a ladder before a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LadderRating {
    /// In Elo.
    pub rating: i32,
    /// The standard error in Elo; 0 for a fixed rating.
    pub error: u32,
    /// The number of games that its version has played.
    pub games: u32,
    /// Its version has played few games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_read_and_written() {
        for text in [
            "hourly",
            "hourly 08-22",
            "every 15m",
            "every 1m 00-23",
            "every 1440m",
            "every 10s 07-07",
        ] {
            let read: LadderSchedule = text.parse().expect("a schedule");
            assert_eq!(read.to_string(), text);
        }
        for text in [
            "",
            "daily",
            "hourly 8-22",
            "hourly 22-08",
            "hourly 08-24",
            "every",
            "every 0s",
            "every 1441m",
            "hourly 08-22 UTC",
            "every 1.5s",
        ] {
            assert_eq!(text.parse::<LadderSchedule>(), Err(UNREAD), "{text}");
        }
        assert_eq!("every 1440m 07-08".parse::<LadderSchedule>(), Err(NEVER));
    }

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a moment")
    }

    #[track_caller]
    fn check(schedule: &str, zone: &str, now: &str, last: &str, next: &str) {
        let schedule: LadderSchedule = schedule.parse().expect("a schedule");
        let zone = TimeZone::get(zone).expect("a zone");
        let found = [
            schedule.last_until(at(now), &zone),
            schedule.first_after(at(now), &zone),
        ];
        assert_eq!(found, [last, next].map(|text| Some(at(text))));
    }

    #[test]
    fn rounds_are_by_the_clock_on_the_wall() {
        let london = "Europe/London";
        check(
            "hourly 08-22",
            london,
            "2026-09-10T09:30:00Z",
            "2026-09-10T09:00:00Z",
            "2026-09-10T10:00:00Z",
        );
        // 08:00 British summer time; the last one is at 22:00.
        check(
            "hourly 08-22",
            london,
            "2026-09-10T03:00:00Z",
            "2026-09-09T21:00:00Z",
            "2026-09-10T07:00:00Z",
        );
        check(
            "hourly",
            "UTC",
            "2026-09-10T09:00:00Z",
            "2026-09-10T09:00:00Z",
            "2026-09-10T10:00:00Z",
        );
        check(
            "every 420m",
            "UTC",
            "2026-09-10T22:00:00Z",
            "2026-09-10T21:00:00Z",
            "2026-09-11T00:00:00Z",
        );
        // A round each day at 08:00.
        check(
            "every 1440m",
            "UTC",
            "2026-09-10T00:00:00Z",
            "2026-09-10T00:00:00Z",
            "2026-09-11T00:00:00Z",
        );
        // The clocks go forward from 01:00 to 02:00: 01:00 does not exist.
        check(
            "hourly 00-01",
            london,
            "2026-03-29T02:00:00Z",
            "2026-03-29T00:00:00Z",
            "2026-03-29T23:00:00Z",
        );
        // The clocks go back from 02:00 to 01:00: 01:00 comes twice.
        check(
            "hourly 01-01",
            london,
            "2026-10-25T00:30:00Z",
            "2026-10-25T00:00:00Z",
            "2026-10-25T01:00:00Z",
        );
    }
}
