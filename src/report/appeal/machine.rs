//! Answers after their limit that were in time, because the machine had taken the time.
//!
//! May not: judge.

use serde_json::{Value, json};

use super::course::{Course, seconds};
use super::{Case, Section, limits};
use crate::game::doubt::Doubt;
use crate::game::record::InDoubt;
use crate::report::untrusted::name;

pub(super) fn section(case: &Case<'_>, course: &Course<'_>) -> Section {
    let answers = course.record.in_doubt.iter();
    let lines = answers.map(|answer| sentence(case, course, answer)).collect();
    Section::new("In time by what the machine took", lines)
}

fn sentence(case: &Case<'_>, course: &Course<'_>, answer: &InDoubt) -> String {
    let players = limits::players(case);
    let ply = course.ply(answer.ply as usize).map_or("", |ply| &ply.name);
    format!(
        "{ply} by {} ({}): answered after {} under a limit of {}, in time by a doubt of {}: {}.",
        name(case.state, players[answer.side.index()]),
        answer.side.name(),
        seconds(answer.time_us),
        seconds(answer.limit_us),
        seconds(answer.doubt.doubt_us),
        figures(&answer.doubt),
    )
}

/// What was found, as a list.
pub(super) fn figures(doubt: &Doubt) -> String {
    let parts = [
        (
            doubt.reader_us,
            "the runner could have read on and waited for a processor",
        ),
        (doubt.pauses_us, "the runner was stopped"),
        (doubt.waits_us, "the threads of the engine waited for a processor"),
        (doubt.longest_wait_us, "the longest wait of one of them"),
        (doubt.ran_us, "they ran"),
        (doubt.rested_us, "the threads of the other side ran"),
    ];
    let known = parts.iter().filter(|(time, _)| *time > 0);
    let known: Vec<String> = known.map(|(time, what)| format!("{what} {}", seconds(*time))).collect();
    match known.is_empty() {
        true => "nothing was found".to_owned(),
        false => format!("{}; threads declared: {}", known.join(", "), doubt.threads),
    }
}

pub(super) fn json(case: &Case<'_>, course: &Course<'_>) -> Value {
    let answers = course.record.in_doubt.iter().map(|answer| {
        let mut value = json!(answer);
        value["in_words"] = sentence(case, course, answer).into();
        value
    });
    answers.collect::<Vec<_>>().into()
}
