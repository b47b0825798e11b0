//! Keys of when rounds are paired and played, and who is present: `[schedule]`, `[presence]`.
//!
//! Time zones come from the database that the program carries, whatever the machine. May not: read files, ask the time,
//! know TOML; say what the keys mean for a round (`timetable` does).

use swiss_system::word::words;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::fmt::temporal::{DateTimeParser, DateTimePrinter};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use serde::{Deserialize, Serialize};

/// What starts White's clock, `schedule.clock`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockStart {
    /// `"game"`: the first `go`, when both engines are up.
    #[default]
    Game,
    /// `"schedule"`: "the scheduled time, whether White is connected or not" (Immortal Game).
    Schedule,
}

words!(ClockStart {
    Game => "game",
    Schedule => "schedule",
});

/// `[schedule]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScheduleKeys {
    /// When the first round is paired; `None` (`"now"`) means at once.
    pub start: Option<Timestamp>,
    /// From the end of a round's last game to the start of the next round.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub r#break: Duration,
    /// The least time from the pairing of a round to its start.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub notice: Duration,
    /// The earliest start of games in round 1, 2 and so on.
    pub rounds_at: Vec<Timestamp>,
    /// The hours of the day in which games are started; `None` means all hours.
    pub window: Option<Window>,
    /// The time zone of the window.
    pub time_zone: Zone,
    pub clock: ClockStart,
}

/// When presence is checked, `presence.check`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PresenceCheck {
    /// `"never"`: everyone is paired.
    #[default]
    Never,
    /// `"before-each-round"`
    BeforeEachRound,
}

words!(PresenceCheck {
    Never => "never",
    BeforeEachRound => "before-each-round",
});

/// `[presence]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PresenceKeys {
    /// When presence is checked.
    pub check: PresenceCheck,
    /// The time within which an agent must start and answer.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub limit: Duration,
}

impl Default for PresenceKeys {
    fn default() -> Self {
        Self {
            check: PresenceCheck::default(),
            limit: Duration::from_secs(30),
        }
    }
}

/// Hours of every day by the clock on the wall, written as `18:00-23:00`; `22:00-02:00` lasts into the next day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Window {
    pub opens: Time,
    /// On the next day if it is not later than `opens`.
    pub closes: Time,
}

/// A text that is not a [`Window`] or not a [`Zone`], with the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseScheduleError(String);

impl FromStr for Window {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Self, ParseScheduleError> {
        let wrong = || {
            ParseScheduleError(
                "write hours and minutes of a day from 00:00 to 24:00, such as \"18:00-23:00\"".to_owned(),
            )
        };
        let (opens, closes) = text.split_once('-').ok_or_else(wrong)?;
        let closes = if closes == "24:00" { "00:00" } else { closes };
        let [opens, closes] = [opens, closes].map(|text| time(text).ok_or_else(wrong));
        let window = Self {
            opens: opens?,
            closes: closes?,
        };
        if window.opens == window.closes {
            return Err(ParseScheduleError(
                "it opens and closes at the same time; write \"none\" for the whole day".to_owned(),
            ));
        }
        Ok(window)
    }
}

/// A time written as `HH:MM`, two digits each.
fn time(text: &str) -> Option<Time> {
    let (hours, minutes) = text.split_once(':')?;
    let number = |text: &str| {
        let is_number = text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| text.parse().ok()).flatten()
    };
    Time::new(number(hours)?, number(minutes)?, 0, 0).ok()
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { opens, closes } = self;
        let [from, to] = [opens, closes].map(|time| (time.hour(), time.minute()));
        write!(f, "{:02}:{:02}-{:02}:{:02}", from.0, from.1, to.0, to.1)
    }
}

impl TryFrom<String> for Window {
    type Error = ParseScheduleError;

    fn try_from(text: String) -> Result<Self, ParseScheduleError> {
        text.parse()
    }
}

impl From<Window> for String {
    fn from(window: Window) -> Self {
        window.to_string()
    }
}

/// A time zone by its name in the IANA database, such as `Europe/Berlin`, or by an offset from UTC, such as `+02:00`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Zone(TimeZone);

impl Zone {
    pub const fn rules(&self) -> &TimeZone {
        &self.0
    }

    /// A moment by the zone's clocks, written for people: `2026-09-11 18:00:00 +01:00`.
    pub fn moment(&self, at: Timestamp) -> String {
        at.to_zoned(self.0.clone()).strftime("%F %R:%S %:z").to_string()
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self(TimeZone::UTC)
    }
}

impl FromStr for Zone {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Self, ParseScheduleError> {
        let unknown = || {
            ParseScheduleError(
                "this program knows no time zone of that name; write one of the IANA database, such as \
                 \"Europe/Berlin\", or an offset from UTC, such as \"+02:00\""
                    .to_owned(),
            )
        };
        let zone = DateTimeParser::new().parse_time_zone_with(&TimeZoneDatabase::bundled(), text);
        let zone = zone.map_err(|_| unknown())?;
        // A zone that cannot be written could not be stored.
        if zone.is_unknown() || DateTimePrinter::new().time_zone_to_string(&zone).is_err() {
            return Err(unknown());
        }
        Ok(Self(zone))
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = DateTimePrinter::new().time_zone_to_string(&self.0);
        f.write_str(name.as_deref().unwrap_or("UTC"))
    }
}

impl TryFrom<String> for Zone {
    type Error = ParseScheduleError;

    fn try_from(text: String) -> Result<Self, ParseScheduleError> {
        text.parse()
    }
}

impl From<Zone> for String {
    fn from(zone: Zone) -> Self {
        zone.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<T: FromStr<Err = ParseScheduleError> + fmt::Display>(text: &str, expected: Result<&str, &str>) {
        let read = text.parse::<T>().map(|read| read.to_string());
        match (read, expected) {
            (Ok(read), Ok(expected)) => assert_eq!(read, expected),
            (Err(error), Err(expected)) => assert!(error.to_string().contains(expected), "{error}"),
            (read, _) => panic!("{text}: {read:?}"),
        }
    }

    #[test]
    fn windows_are_read_and_written() {
        check::<Window>("18:00-23:00", Ok("18:00-23:00"));
        check::<Window>("22:30-02:15", Ok("22:30-02:15"));
        check::<Window>("00:00-24:00", Err("the whole day"));
        check::<Window>("18:00-24:00", Ok("18:00-00:00"));
        for wrong in [
            "",
            "18:00",
            "18-23",
            "8:00-9:00",
            "18:00-24:01",
            "18:00 - 23:00",
            "+1:00-02:00",
        ] {
            check::<Window>(wrong, Err("such as \"18:00-23:00\""));
        }
    }

    #[test]
    fn zones_are_read_and_written() {
        check::<Zone>("UTC", Ok("UTC"));
        check::<Zone>("europe/berlin", Ok("Europe/Berlin"));
        check::<Zone>("+02:00", Ok("+02:00"));
        check::<Zone>("-05:30", Ok("-05:30"));
        for wrong in ["", "Europe/Nowhere", "half past", "Etc/Unknown"] {
            check::<Zone>(wrong, Err("no time zone of that name"));
        }
    }

    #[test]
    fn what_is_stored_is_read_again() {
        let keys = ScheduleKeys {
            window: "22:00-02:00".parse().ok(),
            time_zone: "America/New_York".parse().expect("a zone"),
            ..ScheduleKeys::default()
        };
        let stored = serde_json::to_string(&keys).expect("plain data");
        assert!(
            stored.contains("\"window\":\"22:00-02:00\",\"time_zone\":\"America/New_York\""),
            "{stored}"
        );
        assert_eq!(serde_json::from_str::<ScheduleKeys>(&stored).ok(), Some(keys));
    }
}
