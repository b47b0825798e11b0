//! Every key of `[schedule]` and `[presence]`.
//!
//! May not: know layers or files.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use super::{Key, TICK};
use crate::config::error::Problem;
use crate::config::value::{Value, array, or_word, quoted, shown};
use crate::game::time_control::write_duration;
use crate::tournament::setup::Setup;

/// Most entries of `schedule.rounds_at`: as many as there may be rounds.
const MOST_INSTANTS: usize = 10_000;

pub(super) const KEYS: &[Key<Setup>] = &[
    Key::<Setup>::new(
        "schedule.start",
        "\"now\" or a date and time with its offset from UTC, such as 2026-01-30T18:00:00Z",
        "When the first round is paired: \"now\", or a date and time with its offset from UTC.",
        |s, v| v.word_or("now", Value::timestamp).map(|start| s.schedule.start = start),
        |s| Some(or_word(s.schedule.start.map(|start| quoted(&start.to_string())), "now")),
    )
    .output(),
    Key::<Setup>::new(
        "schedule.break",
        "a duration such as \"30s\"",
        "From the end of a round's last game to the start of the next round.",
        |s, v| v.duration(Duration::ZERO).map(|time| s.schedule.r#break = time),
        |s| Some(quoted(&write_duration(s.schedule.r#break))),
    )
    .output(),
    key!(
        "schedule.notice",
        "a duration such as \"30s\"",
        "How long before the start of a round its pairing is announced, at least.",
        schedule.notice = duration Duration::ZERO
    )
    .output(),
    Key::<Setup>::new(
        "schedule.rounds_at",
        "a list of rising dates and times with their offsets from UTC, such as [2026-01-30T18:00:00Z]",
        "No game of round 1, 2 … before these dates and times; [] for none.",
        |s, v| {
            let instants = v.list()?.into_iter().map(Value::timestamp);
            let instants = instants.collect::<Result<Vec<_>, _>>()?;
            if !instants.is_sorted_by(|one, other| one < other) {
                return Err(Problem::said("each must be later than the one before".to_owned()));
            }
            if instants.len() > MOST_INSTANTS {
                return Err(Problem::said(format!("at most {MOST_INSTANTS}, one a round")));
            }
            s.schedule.rounds_at = instants;
            Ok(())
        },
        |s| {
            Some(array(
                s.schedule.rounds_at.iter().map(|instant| quoted(&instant.to_string())),
            ))
        },
    )
    .output(),
    Key::<Setup>::new(
        "schedule.window",
        "\"none\" or hours of a day such as \"18:00-23:00\"",
        "Hours of each day in which games are started, as \"18:00-23:00\" or \"22:00-02:00\"; or \"none\".",
        |s, v| v.word_or("none", parsed).map(|window| s.schedule.window = window),
        |s| {
            Some(or_word(
                s.schedule.window.map(|window| quoted(&window.to_string())),
                "none",
            ))
        },
    )
    .output(),
    Key::<Setup>::new(
        "schedule.time_zone",
        "a time zone such as \"UTC\", \"Europe/Berlin\" or \"+02:00\"",
        "Time zone of the window: a name of the IANA database such as \"Europe/Berlin\", or an offset as \"+02:00\".",
        |s, v| parsed(v).map(|zone| s.schedule.time_zone = zone),
        |s| Some(quoted(&s.schedule.time_zone.to_string())),
    )
    .output(),
    key!(
        "schedule.clock",
        "\"game\" or \"schedule\"",
        "What starts White's clock: the \"game\", once both engines are up, or the \"schedule\", up or not.",
        schedule.clock = choice
    ),
    key!(
        "presence.check",
        "\"never\" or \"before-each-round\"",
        "Whether agents that are changed or do not answer \"before-each-round\" are left out of it; or \"never\".",
        presence.check = choice
    ),
    key!(
        "presence.limit",
        "a duration above zero, such as \"30s\"",
        "Within what an agent must then start and answer isready.",
        presence.limit = duration TICK
    ),
];

fn parsed<T: FromStr<Err: Display>>(value: Value<'_>) -> Result<T, Problem> {
    let text = value.string()?;
    let said = |error: T::Err| Problem::said(format!("{}: {error}", shown(text)));
    text.parse().map_err(said)
}
