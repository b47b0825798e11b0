//! The schedule: when rounds began, ended and will begin, and how long the rest is likely to take.
//!
//! May not: ask the time; all times are absolute.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;
use maud::{Markup, html};
use swiss_system::count;

use super::course::{EventCourse, OfRound};
use super::moment;
use crate::progress::RoundProgress;
use crate::waiting::left;
use swissmatch_tournament::embargo::embargo;
use swissmatch_tournament::setup::Zone;
use swissmatch_tournament::state::{Round, State};
use swissmatch_tournament::ties::event_is_over;
use swissmatch_tournament::timetable::Timetable;

/// With more rounds the table is folded away.
const MOST_OPEN: usize = 16;

/// A shorter time left is not mentioned.
const LEAST: Duration = Duration::from_secs(60);

pub(super) struct ScheduleRound {
    pub(super) round: usize,
    pub(super) begins: RoundStart,
    pub(super) ended: Option<Timestamp>,
}

pub(super) enum RoundStart {
    /// It began or will begin at this time.
    At(Timestamp),
    NotBefore(Timestamp),
    /// When the round before is over.
    After,
    Unknown,
}

pub(super) fn section(state: &State, course: &EventCourse) -> Markup {
    let lines = lines(state, course);
    let zone = &state.setup().schedule.time_zone;
    let table = table(&lines, zone);
    html! {
        @if !lines.is_empty() {
            h2 { "Schedule" }
            @if let Some(sentence) = time_left(state, &lines) { p { (sentence) } }
            @if lines.len() > MOST_OPEN {
                details { summary { (count::of(lines.len(), "round", "rounds")) } (table) }
            } @else { (table) }
        }
    }
}

/// A row for each round; each day is written once.
fn table(lines: &[ScheduleRound], zone: &Zone) -> Markup {
    let clocks: BTreeSet<String> = lines
        .iter()
        .filter_map(ScheduleRound::at)
        .map(|at| moment::clocks(at, zone))
        .collect();
    let mut last = None;
    let rows = lines.iter().map(|line| {
        let day = line.at().map(|at| moment::day(at, zone));
        let is_new = day.is_some() && day != last;
        last = day.clone().or_else(|| last.take());
        html! { tr {
            td.figure { (line.round) }
            td { @if let Some(day) = day.filter(|_| is_new) { (day) } }
            td { (times(line, zone)) }
        } }
    });
    let rows: Vec<Markup> = rows.collect();
    let all: Vec<&str> = clocks.iter().map(String::as_str).collect();
    html! {
        div.scroll { table.data.schedule {
            thead { tr {
                th.figure scope="col" { "Round" }
                th scope="col" { "Day" }
                th scope="col" { "Time" @if !all.is_empty() { " (" (all.join(", ")) ")" } }
            } }
            tbody { @for row in rows { (row) } }
        } }
    }
}

/// `17:23–17:24`, or when it will begin.
fn times(line: &ScheduleRound, zone: &Zone) -> Markup {
    let end = |begun: Timestamp| {
        let ended = line.ended?;
        let is_later = moment::day(ended, zone) != moment::day(begun, zone);
        Some(html! { "–" @if is_later { (moment::day(ended, zone)) " " } (moment::time(ended, zone)) })
    };
    html! { @match line.begins {
        RoundStart::At(at) => { (moment::time(at, zone)) @if let Some(end) = end(at) { (end) } @else { "–" } }
        RoundStart::NotBefore(at) => { "not before " (moment::time(at, zone)) }
        RoundStart::After => { "after round " (line.round - 1) }
        RoundStart::Unknown => {}
    } }
}

impl ScheduleRound {
    /// The moment by which it is listed.
    const fn at(&self) -> Option<Timestamp> {
        match self.begins {
            RoundStart::At(at) | RoundStart::NotBefore(at) => Some(at),
            RoundStart::After | RoundStart::Unknown => None,
        }
    }
}

pub(super) fn lines(state: &State, course: &EventCourse) -> Vec<ScheduleRound> {
    let paired = state.rounds().len();
    let rounds = state.last_round() as usize;
    let mut lines: Vec<ScheduleRound> = (1..)
        .zip(state.rounds().iter().zip(&course.rounds))
        .map(|(number, (round, told))| begun(number, round, told))
        .collect();
    if lines.len() < paired || embargo(state).is_some_and(|most| paired >= most) {
        // What came later is not known here, or is held back.
        return lines;
    }
    let timetable = Timetable::from(state.setup());
    let keys = &state.setup().schedule;
    for round in paired + 1..=rounds {
        let at = keys.rounds_at.get(round - 1).copied();
        let last = lines.last().and_then(|line| line.ended);
        let begins = match (round, at) {
            (1, _) if keys.start.is_none() && at.is_none() => RoundStart::Unknown,
            (1, _) => RoundStart::NotBefore(timetable.round(1, None, keys.start.or(at).unwrap_or_default()).begin),
            // The next round.
            _ if round == paired + 1 && last.is_some() && !timetable.is_empty() => {
                let ended = last.unwrap_or_default();
                let number = u32::try_from(round).unwrap_or(u32::MAX);
                RoundStart::NotBefore(timetable.round(number, Some(ended), ended).begin)
            }
            (_, Some(at)) => RoundStart::NotBefore(at),
            (_, None) => RoundStart::After,
        };
        lines.push(ScheduleRound {
            round,
            begins,
            ended: None,
        });
    }
    lines
}

fn begun(number: usize, round: &Round, told: &OfRound) -> ScheduleRound {
    let paired = told.paired.parse::<Timestamp>().ok();
    let begins = paired.max(round.starts);
    let ended = told.last_game.as_ref().filter(|_| round.is_over());
    ScheduleRound {
        round: number,
        begins: begins.map_or(RoundStart::Unknown, RoundStart::At),
        ended: ended.and_then(|at| at.parse().ok()),
    }
}

/// How long the remaining games will take if they go on like those before; `None` if that is unknown.
fn time_left(state: &State, lines: &[ScheduleRound]) -> Option<String> {
    if event_is_over(state) || embargo(state).is_some() {
        return None;
    }
    let took = lines.iter().filter_map(|line| match (&line.begins, line.ended) {
        (RoundStart::At(begun), Some(ended)) => Some(ended.duration_since(*begun).unsigned_abs()),
        _ => None,
    });
    let took: Vec<Duration> = took.collect();
    let over = u32::try_from(took.len()).ok().filter(|over| *over > 0)?;
    let mean = took.iter().sum::<Duration>() / over;
    let to_come = state
        .last_round()
        .saturating_sub(u32::try_from(state.rounds().len()).ok()?);
    let of_this = state.rounds().last().filter(|round| !round.is_over()).map(|round| {
        let RoundProgress { played, games, .. } = RoundProgress::new(0, round);
        let [played, games] = [played, games].map(|games| u32::try_from(games).unwrap_or(u32::MAX));
        mean * games.saturating_sub(played) / games.max(1)
    });
    let all = mean * to_come + of_this.unwrap_or_default();
    if all < LEAST {
        return None;
    }
    let to_come = match (of_this, to_come) {
        (None, 0) => return None,
        (None, rounds) => count::of(rounds, "round is to come", "rounds are to come"),
        (Some(_), 0) => "the last one is being played".to_owned(),
        (Some(_), rounds) => format!(
            "one is being played and {}",
            count::of(rounds, "is to come", "are to come")
        ),
    };
    Some(format!(
        "A round took {} on average, and {to_come}: about {} of play are left, breaks between rounds left out.",
        left(rounded(mean)),
        left(rounded(all))
    ))
}

/// Rounded to the second, or above ten minutes to the minute.
fn rounded(time: Duration) -> Duration {
    let seconds = time.as_secs().max(1);
    Duration::from_secs(match seconds {
        0..600 => seconds,
        _ => seconds.div_ceil(60) * 60,
    })
}
