//! Answers that came after their limit but counted as in time, because the machine had taken the time.
//!
//! May not: judge.

use serde_json::{Value, json};

use super::course::GameCourse;
use super::{AppealCase, Section, limits};
use crate::untrusted::name;
use swissmatch_game::doubt::seconds;
use swissmatch_game::record::InDoubt;

pub(super) fn section(case: &AppealCase<'_>, course: &GameCourse<'_>) -> Section {
    let answers = course.record.in_doubt.iter();
    let lines = answers.map(|answer| sentence(case, course, answer)).collect();
    Section::new("In time after allowing for the machine", lines)
}

fn sentence(case: &AppealCase<'_>, course: &GameCourse<'_>, answer: &InDoubt) -> String {
    let players = limits::players(case);
    let ply = course.ply(answer.ply as usize).map_or("", |ply| &ply.name);
    format!(
        "{ply} by {} ({}): answered after {} under a limit of {}, in time because of a doubt of {}: {}.",
        name(case.state, players[answer.side.index()]),
        answer.side.name(),
        seconds(answer.time_us),
        seconds(answer.limit_us),
        seconds(answer.doubt.doubt_us),
        answer.doubt.figures(),
    )
}

pub(super) fn json(case: &AppealCase<'_>, course: &GameCourse<'_>) -> Value {
    let answers = course.record.in_doubt.iter().map(|answer| {
        let mut value = json!(answer);
        value["in_words"] = sentence(case, course, answer).into();
        value
    });
    answers.collect::<Vec<_>>().into()
}
