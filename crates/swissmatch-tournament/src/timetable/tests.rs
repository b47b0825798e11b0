//! The rules of the schedule, one by one. All instants are of one January, written as `D HH:MM:SS` in UTC, unless a test
//! needs another.

use std::time::Duration;

use jiff::Timestamp;

use super::{RoundTimes, Timetable};
use crate::setup::{PlayoffKeys, PresenceCheck, PresenceKeys, ScheduleKeys};

/// The day and the time of day of that January, or a whole instant.
fn at(text: &str) -> Timestamp {
    let whole = match text.split_once(' ') {
        Some((day, time)) => format!("2026-01-{day:0>2}T{time}Z"),
        None => text.to_owned(),
    };
    whole.parse().unwrap_or_else(|error| panic!("{whole}: {error}"))
}

#[derive(Default)]
struct Keys {
    schedule: ScheduleKeys,
    presence: PresenceKeys,
    playoff: PlayoffKeys,
}

impl Keys {
    fn new(change: impl FnOnce(&mut ScheduleKeys)) -> Self {
        let mut keys = Self::default();
        change(&mut keys.schedule);
        keys
    }

    /// The Immortal Game's: a minute between rounds, half a minute's notice, and who is there is looked for.
    fn immortal(change: impl FnOnce(&mut ScheduleKeys)) -> Self {
        let mut keys = Self::new(|schedule| {
            (schedule.r#break, schedule.notice) = (Duration::from_mins(1), Duration::from_secs(30));
            change(schedule);
        });
        keys.presence.check = PresenceCheck::BeforeEachRound;
        keys
    }

    fn table(&self) -> Timetable<'_> {
        Timetable {
            schedule: &self.schedule,
            presence: &self.presence,
            playoff: &self.playoff,
        }
    }

    /// The plan of a round, asked for at the end of the one before.
    #[track_caller]
    fn check(&self, round: u32, ended: Option<&str>, now: &str, expected: [&str; 3]) {
        let found = self.table().round(round, ended.map(at), at(now));
        let [ask, pair, begin] = expected.map(at);
        assert_eq!(found, RoundTimes { ask, pair, begin });
    }

    /// When a game may begin, asked at each of these instants.
    #[track_caller]
    fn check_window(&self, times: &[(&str, &str)]) {
        for (now, expected) in times {
            assert_eq!(self.table().may_begin(None, at(now)), at(expected), "asked at {now}");
        }
    }
}

fn window(hours: &str, zone: &str) -> Keys {
    Keys::new(|keys| {
        keys.window = Some(hours.parse().expect("a window"));
        keys.time_zone = zone.parse().expect("a zone");
    })
}

#[test]
fn without_keys_everything_is_at_once() {
    let keys = Keys::default();
    let now = "1 12:00:00";
    keys.check(1, None, now, [now; 3]);
    keys.check(2, Some(now), now, [now; 3]);
    let plan = keys.table().round(2, Some(at(now)), at(now));
    assert_eq!(
        keys.table().starts(plan, at(now)),
        None,
        "and the log says nothing of it"
    );
    assert_eq!(keys.table().may_begin(None, at(now)), at(now));
}

/// A time zone alone asks for nothing.
#[test]
fn a_time_zone_alone_is_no_schedule() {
    let keys = Keys::new(|keys| keys.time_zone = "Asia/Tokyo".parse().expect("a zone"));
    assert!(keys.table().is_empty());
    assert!(!Keys::immortal(|_| ()).table().is_empty());
}

/// "The first pairing is set at the start time of the event", and "participants are notified 30 seconds before a game
/// starts". Who is there is looked for "within 30s before the matchmaking".
#[test]
fn the_first_pairing_is_at_the_start() {
    let keys = Keys::immortal(|keys| keys.start = Some(at("1 18:00:00")));
    let expected = ["1 17:59:30", "1 18:00:00", "1 18:00:30"];
    for now in ["1 09:00:00", "1 17:59:59", "1 18:00:00"] {
        keys.check(1, None, now, expected);
    }
}

#[test]
fn or_at_once() {
    let now = "1 09:00:00";
    Keys::immortal(|_| ()).check(1, None, now, ["1 08:59:30", now, "1 09:00:30"]);
}

/// A start that has passed, because nobody had the runner going: the notice is given all the same.
#[test]
fn a_late_first_pairing_moves_the_first_game() {
    let keys = Keys::immortal(|keys| keys.start = Some(at("1 18:00:00")));
    let plan = keys.table().round(1, None, at("1 18:10:00"));
    assert!(plan.pair < at("1 18:10:00"));
    assert_eq!(keys.table().starts(plan, at("1 18:10:00")), Some(at("1 18:10:30")));
}

/// "Subsequent pairings are set as soon as the last game of the previous round finishes", and the round starts after the
/// break.
#[test]
fn the_next_round_is_paired_at_once_and_starts_after_the_break() {
    let ended = "1 18:20:00";
    let keys = Keys::immortal(|_| ());
    keys.check(2, Some(ended), ended, [ended, ended, "1 18:21:00"]);
    // Looking for who is there takes its time, and the break is not longer for it.
    let plan = keys.table().round(2, Some(at(ended)), at("1 18:20:25"));
    assert_eq!(keys.table().starts(plan, at("1 18:20:25")), Some(at("1 18:21:00")));
    // The notice is kept in any case.
    assert_eq!(keys.table().starts(plan, at("1 18:20:50")), Some(at("1 18:21:20")));
}

/// "At least 30 s, notice given 30 s before the start": the notice alone sees to it.
#[test]
fn no_break_is_shorter_than_the_notice() {
    let keys = Keys::immortal(|keys| keys.r#break = Duration::ZERO);
    let ended = at("1 18:20:00");
    let plan = keys.table().round(2, Some(ended), ended);
    assert_eq!(keys.table().starts(plan, ended), Some(at("1 18:20:30")));
}

#[test]
fn a_round_waits_for_its_instant() {
    let keys = Keys::immortal(|keys| keys.rounds_at = vec![at("1 18:00:00"), at("2 18:00:00"), at("3 18:00:00")]);
    keys.check(1, None, "1 09:00:00", ["1 17:59:00", "1 17:59:30", "1 18:00:00"]);
    // It is paired a notice before, and not a day.
    keys.check(
        2,
        Some("1 19:00:00"),
        "1 19:00:00",
        ["2 17:59:00", "2 17:59:30", "2 18:00:00"],
    );
    // A round that lasts too long moves the next one to its own end and the break.
    let late = "3 18:05:00";
    keys.check(3, Some(late), late, [late, late, "3 18:06:00"]);
    // So does one that ends just before, which leaves the break whole.
    let close = "3 17:59:30";
    keys.check(3, Some(close), close, [close, close, "3 18:00:30"]);
    // Rounds without an instant go by the break.
    keys.check(4, Some(late), late, [late, late, "3 18:06:00"]);
}

/// Between the end of the break and the last moment for the notice.
#[test]
fn an_instant_shortly_after_the_break() {
    let keys = Keys::immortal(|keys| keys.rounds_at = vec![at("1 18:00:00"), at("2 18:00:00")]);
    let ended = "2 17:58:45";
    keys.check(2, Some(ended), ended, ["2 17:59:00", "2 17:59:30", "2 18:00:00"]);
}

#[test]
fn games_are_started_within_the_window() {
    window("18:00-23:00", "UTC").check_window(&[
        ("1 00:00:00", "1 18:00:00"),
        ("1 17:59:59", "1 18:00:00"),
        ("1 18:00:00", "1 18:00:00"),
        ("1 22:59:59", "1 22:59:59"),
        ("1 23:00:00", "2 18:00:00"),
    ]);
}

#[test]
fn a_window_may_pass_midnight() {
    window("22:00-02:00", "UTC").check_window(&[
        ("1 01:59:59", "1 01:59:59"),
        ("1 02:00:00", "1 22:00:00"),
        ("1 23:30:00", "1 23:30:00"),
        ("2 00:00:00", "2 00:00:00"),
        ("2 02:00:00", "2 22:00:00"),
    ]);
    window("20:00-24:00", "UTC").check_window(&[("1 23:59:59", "1 23:59:59"), ("2 00:00:00", "2 20:00:00")]);
}

#[test]
fn a_window_is_of_its_time_zone() {
    window("18:00-23:00", "+05:30").check_window(&[
        ("1 12:29:59", "1 12:30:00"),
        ("1 17:29:59", "1 17:29:59"),
        ("1 17:30:00", "2 12:30:00"),
    ]);
    // In New York January is five hours behind.
    window("18:00-23:00", "America/New_York").check_window(&[
        ("1 22:00:00", "1 23:00:00"),
        ("2 03:59:59", "2 03:59:59"),
        ("2 04:00:00", "2 23:00:00"),
    ]);
}

/// The clock on the wall is what counts: in Berlin 18:00 is 17:00 UTC in winter, 16:00 in summer.
#[test]
fn a_window_follows_the_clocks() {
    window("18:00-23:00", "Europe/Berlin").check_window(&[
        ("2026-03-28T12:00:00Z", "2026-03-28T17:00:00Z"),
        ("2026-03-29T12:00:00Z", "2026-03-29T16:00:00Z"),
        ("2026-10-24T12:00:00Z", "2026-10-24T16:00:00Z"),
        ("2026-10-25T12:00:00Z", "2026-10-25T17:00:00Z"),
    ]);
}

/// In Berlin the clocks go from 02:00 to 03:00 on 29 March, and from 03:00 back to 02:00 on 25 October.
#[test]
fn a_window_on_the_night_when_the_clocks_change() {
    // A time that is skipped is an hour later: this one opens at 03:30 summer time.
    window("02:30-06:00", "Europe/Berlin").check_window(&[
        ("2026-03-29T00:59:59Z", "2026-03-29T01:30:00Z"),
        ("2026-03-29T03:59:59Z", "2026-03-29T03:59:59Z"),
        ("2026-03-29T04:00:00Z", "2026-03-30T00:30:00Z"),
    ]);
    // One that would close before it opens does not open on that day.
    window("02:30-03:10", "Europe/Berlin").check_window(&[("2026-03-29T00:00:00Z", "2026-03-30T00:30:00Z")]);
    // Of a time that comes twice the first counts: open from 02:30 summer time, closed from 02:45 summer time.
    window("02:30-02:45", "Europe/Berlin").check_window(&[
        ("2026-10-25T00:29:00Z", "2026-10-25T00:30:00Z"),
        ("2026-10-25T00:45:00Z", "2026-10-26T01:30:00Z"),
    ]);
}

/// Samoa had no 30 December 2011.
#[test]
fn a_day_that_is_skipped_is_waited_over() {
    window("18:00-19:00", "Pacific/Apia").check_window(&[("2011-12-30T05:00:00Z", "2011-12-31T04:00:00Z")]);
}

/// A round that would begin outside of the window begins when it opens, and is paired a notice before.
#[test]
fn a_round_waits_for_the_window() {
    let keys = Keys::immortal(|keys| keys.window = "18:00-23:00".parse().ok());
    let ended = "1 22:59:30";
    keys.check(2, Some(ended), ended, ["2 17:59:00", "2 17:59:30", "2 18:00:00"]);
    let plan = keys.table().round(2, Some(at(ended)), at("2 17:59:40"));
    assert_eq!(keys.table().starts(plan, at("2 17:59:40")), Some(at("2 18:00:10")));
    keys.check(1, None, "1 12:00:00", ["1 17:59:00", "1 17:59:30", "1 18:00:00"]);
}

/// What has been announced is kept; a runner that was away for longer, or an arbiter's pause, moves it only as far as it must.
#[test]
fn an_announced_start_is_kept() {
    let table = Keys::immortal(|_| ());
    let starts = Some(at("1 18:01:00"));
    assert_eq!(table.table().may_begin(starts, at("1 18:00:10")), at("1 18:01:00"));
    assert_eq!(table.table().may_begin(starts, at("1 18:30:00")), at("1 18:30:00"));
}

/// "Not less than fifteen minutes after the end of the last game", and within the window.
#[test]
fn a_playoff_waits_for_its_time() {
    let mut keys = window("18:00-23:00", "UTC");
    keys.playoff.start_after = Duration::from_mins(15);
    let begins = |ended: &str| keys.table().playoff(Some(at(ended)), at(ended)).pair;
    assert_eq!(begins("1 19:00:00"), at("1 19:15:00"));
    assert_eq!(begins("1 22:50:00"), at("2 18:00:00"));
    assert_eq!(keys.table().playoff(None, at("1 19:00:00")).pair, at("1 19:15:00"));
}

/// The last game ended an hour from now, by a clock that has been set back since: the break is no longer for it.
#[test]
fn a_clock_set_back_makes_no_break_longer() {
    let keys = Keys::immortal(|_| ());
    let now = "1 17:20:00";
    keys.check(2, Some("1 18:20:00"), now, [now, now, "1 17:21:00"]);
    assert_eq!(keys.table().playoff(Some(at("1 18:20:00")), at(now)).pair, at(now));
}

/// At the ends of time nothing breaks.
#[test]
fn instants_at_the_ends_of_time() {
    let mut keys = window("18:00-23:00", "Pacific/Apia");
    keys.schedule.notice = Duration::from_hours(24 * 365 * 20_000);
    keys.schedule.r#break = keys.schedule.notice;
    keys.playoff.start_after = keys.schedule.notice;
    keys.presence.check = PresenceCheck::BeforeEachRound;
    for now in [Timestamp::MIN, at("1 00:00:00"), Timestamp::MAX] {
        for ended in [None, Some(Timestamp::MIN), Some(Timestamp::MAX)] {
            let plan = keys.table().round(2, ended, now);
            assert!(plan.ask <= plan.pair && plan.pair <= plan.begin, "{plan:?}");
            assert!(
                keys.table()
                    .starts(plan, now)
                    .is_some_and(|starts| starts >= plan.begin)
            );
            assert!(keys.table().playoff(ended, now).pair >= Timestamp::MIN);
        }
    }
}
