//! The most memory that the engines of a game held.
//!
//! May not: judge.

use serde_json::{Value, json};

use super::course::GameCourse;
use super::{AppealCase, Section, limits};
use crate::untrusted::name;
use swissmatch_game::Side;
use swissmatch_game::resource::bytes;

fn peak(course: &GameCourse<'_>, side: Side) -> Option<u64> {
    course.record.memory_peak.get(side.index()).copied().flatten()
}

pub(super) fn section(case: &AppealCase<'_>, course: &GameCourse<'_>) -> Section {
    let line = |side: Side| {
        let player = name(case.state, limits::players(case)[side.index()]);
        let peak = bytes(peak(course, side)?);
        Some(format!(
            "{player} ({}): at most {peak} since its engine was started.",
            side.name()
        ))
    };
    Section::new("Memory", Side::BOTH.into_iter().filter_map(line).collect())
}

/// Bytes of each side; `null` where they were not counted.
pub(super) fn json(course: &GameCourse<'_>) -> Value {
    json!({ "white": peak(course, Side::White), "black": peak(course, Side::Black) })
}
