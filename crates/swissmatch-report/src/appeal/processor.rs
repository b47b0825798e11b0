//! Processor time of the engines of a game: for their moves, and while the other side was to move.
//!
//! May not: judge.

use serde_json::{Value, json};
use swiss_system::count;

use super::course::GameCourse;
use super::{AppealCase, Section, limits};
use crate::untrusted::name;
use swissmatch_game::Side;
use swissmatch_game::doubt::seconds;
use swissmatch_tournament::limits::limits_of;

/// For a side without pondering, a larger share of the other side's time is pointed out, in percent.
const MUCH: u64 = 10;

struct SideProcessorTime {
    side: Side,
    /// Moves that were measured.
    moves: usize,
    processor_us: u64,
    /// The time of these moves.
    time_us: u64,
    off_turn_us: u64,
    off_turn_of_us: u64,
}

impl SideProcessorTime {
    fn of(course: &GameCourse<'_>, side: Side) -> Self {
        let record = course.record;
        let own = |ply: &usize| course.ply(*ply).is_some_and(|ply| ply.side == side);
        let measured = record.processor_us.iter().enumerate();
        let measured: Vec<(usize, u64)> = measured
            .filter_map(|(ply, us)| us.map(|us| (ply, us)))
            .filter(|(ply, _)| own(ply))
            .collect();
        let off_turn = record.off_turn.get(side.index()).copied().unwrap_or_default();
        Self {
            side,
            moves: measured.len(),
            processor_us: measured.iter().map(|(_, us)| us).sum(),
            time_us: measured.iter().filter_map(|(ply, _)| record.time_us.get(*ply)).sum(),
            off_turn_us: off_turn.processor_us,
            off_turn_of_us: off_turn.measured_us,
        }
    }

    const fn is_known(&self) -> bool {
        self.moves > 0 || self.off_turn_of_us > 0
    }

    /// The share of a processor it used while the other side was to move, in percent.
    fn share(&self) -> u64 {
        (100 * self.off_turn_us).checked_div(self.off_turn_of_us).unwrap_or(0)
    }
}

pub(super) fn section(case: &AppealCase<'_>, course: &GameCourse<'_>) -> Section {
    let used = Side::BOTH.map(|side| SideProcessorTime::of(course, side));
    let known = used.iter().filter(|used| used.is_known());
    Section::new("Processor time", known.flat_map(|used| lines(case, used)).collect())
}

fn lines(case: &AppealCase<'_>, used: &SideProcessorTime) -> Vec<String> {
    let player = name(case.state, limits::players(case)[used.side.index()]);
    let on_turn = match used.moves {
        0 => "its moves were over too soon to be measured".to_owned(),
        moves => format!(
            "{} for {} that took {}",
            seconds(used.processor_us),
            count::of(moves, "move", "moves"),
            seconds(used.time_us)
        ),
    };
    let off_turn = match used.off_turn_of_us {
        0 => String::new(),
        of => format!(
            "; while the other side was to move {} in {} ({} % of a processor)",
            seconds(used.off_turn_us),
            seconds(of),
            used.share()
        ),
    };
    let mut lines = vec![format!("{player} ({}): {on_turn}{off_turn}.", used.side.name())];
    if limits_of(case.state, case.id, limits::players(case)).ponder[used.side.index()] {
        lines.push(format!("{player} was to ponder (game.ponder)."));
    } else if used.share() > MUCH {
        lines.push(format!(
            "{player} was not to ponder (game.ponder), but may have thought while the other side was to move."
        ));
    }
    lines
}

pub(super) fn json(course: &GameCourse<'_>) -> Value {
    let of_side = |side| {
        let used = SideProcessorTime::of(course, side);
        json!({
            "measured_moves": used.moves,
            "processor_us": used.processor_us,
            "time_us": used.time_us,
            "off_turn_processor_us": used.off_turn_us,
            "off_turn_us": used.off_turn_of_us,
        })
    };
    json!({ "white": of_side(Side::White), "black": of_side(Side::Black) })
}
