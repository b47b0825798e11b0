//! When rounds are paired and when their games begin, by `[schedule]` and the times at which things ended.
//!
//! "The first pairing is set at the start time of the event. Subsequent pairings are set as soon as the last game of
//! the previous round finishes. … Participants are notified 30 seconds before a game starts" (Immortal Game). So a
//! round begins a break after the one before has ended, and the first one a notice after it has been paired. An instant
//! in `schedule.rounds_at` or a closed window moves that to later. Such a round is paired a notice before it begins, so
//! that presence is known when it counts.
//!
//! May not: ask the time; move a start that has been announced, which is in the log.

use std::time::Duration;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};

use super::setup::{PlayoffKeys, PresenceCheck, PresenceKeys, ScheduleKeys, Setup, Window, Zone};
use crate::log::Later;

/// How many days are searched for the next opening of the window: a week and two more, because a day on which the
/// clocks change may have none.
const DAYS: i32 = 9;

/// The times of the next round or play-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundTimes {
    /// Players are not asked for their presence before this, if they are asked.
    pub ask: Timestamp,
    /// It is not paired before this.
    pub pair: Timestamp,
    /// Its games begin then, or a notice after it has been paired, if that is later: see [`Timetable::starts`].
    pub begin: Timestamp,
}

/// The keys that times follow from.
#[derive(Clone, Copy, Debug)]
pub struct Timetable<'a> {
    schedule: &'a ScheduleKeys,
    presence: &'a PresenceKeys,
    playoff: &'a PlayoffKeys,
}

impl<'a> From<&'a Setup> for Timetable<'a> {
    fn from(setup: &'a Setup) -> Self {
        Self {
            schedule: &setup.schedule,
            presence: &setup.presence,
            playoff: &setup.playoff,
        }
    }
}

impl Timetable<'_> {
    /// True if nothing is scheduled: each round is then paired and played at once.
    pub fn is_empty(&self) -> bool {
        let nothing = ScheduleKeys {
            time_zone: self.schedule.time_zone.clone(),
            ..ScheduleKeys::default()
        };
        *self.schedule == nothing
    }

    /// The times of a round (from 1). The one before `ended` with its last game, or if it had none with its pairing;
    /// `None` before the first round. A round that ended later than `now` was timed by a clock that has been set back
    /// since.
    pub fn round(&self, round: u32, ended: Option<Timestamp>, now: Timestamp) -> RoundTimes {
        let keys = self.schedule;
        let ended = ended.map(|ended| ended.min(now));
        let (free, by_rule) = match ended {
            None => {
                let start = keys.start.unwrap_or(now);
                (start, after(start, keys.notice))
            }
            Some(ended) => (ended, after(ended, keys.r#break)),
        };
        let at = keys.rounds_at.get((round as usize).saturating_sub(1)).copied();
        let begin = self.opening(at.map_or(by_rule, |at| by_rule.max(at)));
        let pair = match begin > by_rule {
            true => free.max(before(begin, keys.notice)),
            false => free,
        };
        let ask = match self.presence.check {
            PresenceCheck::Never => pair,
            PresenceCheck::BeforeEachRound => before(pair, self.presence.limit).max(ended.unwrap_or(Timestamp::MIN)),
        };
        RoundTimes { ask, pair, begin }
    }

    /// The times of the first round of a play-off, after the last game `ended`: "not less than fifteen minutes after
    /// the end of the last game" (Grand Chess Tour, 2.2). What follows it comes at once.
    pub fn playoff(&self, ended: Option<Timestamp>, now: Timestamp) -> RoundTimes {
        let ended = ended.map_or(now, |ended| ended.min(now));
        let begin = self.opening(after(ended, self.playoff.start_after));
        RoundTimes {
            ask: begin,
            pair: begin,
            begin,
        }
    }

    /// The date of an instant, by `schedule.time_zone`.
    pub fn day(&self, at: Timestamp) -> Date {
        at.to_zoned(self.schedule.time_zone.rules().clone()).date()
    }

    /// "The same day is that of the last game's end": whether a play-off that begins now begins on a later day.
    pub fn later(&self, last_game: Option<Timestamp>, now: Timestamp) -> Option<Later> {
        let (ended, begun) = (self.day(last_game?), self.day(now));
        (ended < begun).then_some(Later { ended, begun })
    }

    /// When the games of a round begin that is paired at `paired`, for the log; `None` if nothing is scheduled.
    pub fn starts(&self, plan: RoundTimes, paired: Timestamp) -> Option<Timestamp> {
        let noticed = after(paired, self.schedule.notice);
        (!self.is_empty()).then(|| self.opening(plan.begin.max(noticed)))
    }

    /// The first instant, not before `now`, at which a game announced for `starts` may begin.
    pub fn may_begin(&self, starts: Option<Timestamp>, now: Timestamp) -> Timestamp {
        self.opening(starts.map_or(now, |starts| starts.max(now)))
    }

    /// The first instant, not before `wanted`, at which the window is open.
    fn opening(&self, wanted: Timestamp) -> Timestamp {
        let zone = &self.schedule.time_zone;
        let Some(window) = self.schedule.window else {
            return wanted;
        };
        let today = wanted.to_zoned(zone.rules().clone()).date();
        let openings = (-1..DAYS).filter_map(|days| {
            let date = today.checked_add(days.days()).ok()?;
            let (opens, closes) = hours(window, zone, date)?;
            (wanted < closes && opens < closes).then(|| opens.max(wanted))
        });
        // Beyond the last possible date no window opens, and nothing is waited for.
        openings.min().unwrap_or(wanted)
    }
}

/// When the window of this date opens and closes. Where the clock on the wall skips a time, the later time that it
/// shows instead counts; where it shows a time twice, the first.
fn hours(window: Window, zone: &Zone, date: Date) -> Option<(Timestamp, Timestamp)> {
    let last = match window.closes > window.opens {
        true => date,
        false => date.tomorrow().ok()?,
    };
    let instant = |date: Date, time| Some(date.to_datetime(time).to_zoned(zone.rules().clone()).ok()?.timestamp());
    Some((instant(date, window.opens)?, instant(last, window.closes)?))
}

fn after(instant: Timestamp, time: Duration) -> Timestamp {
    instant.checked_add(time).unwrap_or(Timestamp::MAX)
}

fn before(instant: Timestamp, time: Duration) -> Timestamp {
    instant.checked_sub(time).unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests;
