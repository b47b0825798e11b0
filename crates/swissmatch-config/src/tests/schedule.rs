//! `[schedule]` and `[presence]`.

use std::time::Duration;

use super::{check, loaded, with_flag};
use crate::{Class, KEYS, effective};
use swissmatch_tournament::setup::{ClockStart, PresenceCheck, ScheduleKeys};

#[test]
fn every_key_is_read_and_printed() {
    let text = "[swiss]\nrounds = 2\n[schedule]\nstart = 2026-01-30T18:00:00+01:00\nbreak = \"2m\"\nnotice = \"30s\"\n\
                rounds_at = [2026-01-30T18:00:00Z, \"2026-01-31T18:00:00Z\"]\nwindow = \"22:00-24:00\"\n\
                time_zone = \"Europe/Berlin\"\nclock = \"schedule\"\n[presence]\ncheck = \"before-each-round\"\nlimit = \"5s\"\n";
    let read = loaded(text);
    let is_of_these = |warning: &String| warning.starts_with("schedule") || warning.starts_with("presence");
    assert!(!read.warnings.iter().any(is_of_these), "{:?}", read.warnings);
    let keys = &read.setup.schedule;
    assert_eq!(
        keys.start.map(|start| start.to_string()).as_deref(),
        Some("2026-01-30T17:00:00Z")
    );
    assert_eq!(
        (keys.r#break, keys.notice),
        (Duration::from_mins(2), Duration::from_secs(30))
    );
    assert_eq!((keys.rounds_at.len(), keys.clock), (2, ClockStart::Schedule));
    assert_eq!(read.setup.presence.check, PresenceCheck::BeforeEachRound);
    let printed = effective(&read);
    for line in [
        "start = \"2026-01-30T17:00:00Z\"",
        "break = \"120s\"",
        "rounds_at = [\"2026-01-30T18:00:00Z\", \"2026-01-31T18:00:00Z\"]",
        "window = \"22:00-00:00\"",
        "time_zone = \"Europe/Berlin\"",
        "limit = \"5s\"",
    ] {
        assert!(printed.contains(line), "{line} is not in\n{printed}");
    }
    let by_flag =
        with_flag("schedule.window", "18:00-23:00").map(|read| read.setup.schedule.window.map(|w| w.to_string()));
    assert_eq!(by_flag, Ok(Some("18:00-23:00".to_owned())));
}

#[test]
fn what_is_wrong_is_refused_at_its_place() {
    let keys = |line: &str| format!("[schedule]\n{line}");
    check(
        &keys("start = \"soon\""),
        "2:9: schedule.start: expected \"now\" or a date and time with its offset from UTC, such as 2026-01-30T18:00:00Z, \
         found \"soon\"",
    );
    check(
        &keys("start = 2026-01-30T18:00:00"),
        "2:9: schedule.start: expected \"now\" or a date and time with its offset from UTC, such as 2026-01-30T18:00:00Z, \
         found 2026-01-30T18:00:00",
    );
    check(
        &keys("rounds_at = [2026-01-30T18:00:00Z, 2026-01-30T18:00:00Z]"),
        "2:13: schedule.rounds_at: each must be later than the one before",
    );
    check(
        &keys("window = \"18-23\""),
        "2:10: schedule.window: \"18-23\": write hours and minutes of a day from 00:00 to 24:00, such as \"18:00-23:00\"",
    );
    check(
        &keys("time_zone = \"Berlin\""),
        "2:13: schedule.time_zone: \"Berlin\": this program knows no time zone of that name; write one of the IANA database, \
         such as \"Europe/Berlin\", or an offset from UTC, such as \"+02:00\"",
    );
    check(
        "[presence]\nlimit = \"0s\"",
        "2:9: presence.limit: expected a duration above zero, such as \"30s\", found \"0s\"",
    );
}

#[test]
fn what_counts_for_nothing_is_said() {
    for (text, expected) in [
        (
            "schedule.break = \"10s\"\nschedule.notice = \"30s\"",
            "schedule.break: 10s is less than",
        ),
        (
            "swiss.rounds = 3\nschedule.rounds_at = [2026-01-30T18:00:00Z]",
            "1 instant for 3 rounds; later rounds begin by schedule.break",
        ),
        ("presence.limit = \"10s\"", "no agent is checked"),
    ] {
        let warnings = loaded(text).warnings;
        assert!(
            warnings.iter().any(|warning| warning.contains(expected)),
            "{text}: {warnings:?}"
        );
    }
}

/// The times of rounds may change on resuming; the rules for White's clock and for who is paired may not.
#[test]
fn times_may_change_and_rules_may_not() {
    let class = |path: &str| KEYS.iter().find(|key| key.path == path).map(|key| key.class);
    for name in ["start", "break", "notice", "rounds_at", "window", "time_zone"] {
        assert_eq!(class(&format!("schedule.{name}")), Some(Class::Output), "{name}");
    }
    for path in ["schedule.clock", "presence.check", "presence.limit"] {
        assert_eq!(class(path), Some(Class::Results), "{path}");
    }
}

/// A log from before a table of keys existed can be read.
#[test]
fn stored_setups_without_the_tables_are_read() {
    let mut stored = serde_json::to_value(loaded("").setup).expect("plain data");
    let fields = stored.as_object_mut().expect("a table");
    assert!(fields.remove("schedule").is_some() && fields.remove("presence").is_some());
    let read: swissmatch_tournament::setup::Setup = serde_json::from_value(stored).expect("an old setup");
    assert_eq!(
        (read.schedule, read.presence.check),
        (ScheduleKeys::default(), PresenceCheck::Never)
    );
}
