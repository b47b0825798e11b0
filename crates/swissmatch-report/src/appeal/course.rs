//! The course of a game: its moves by name, failed attempts, the clocks, and claims that do not hold.
//!
//! May not: trust a record: a move that is not legal is an error.

use std::time::Duration;

use serde_json::{Value, json};
use shakmaty::Position as _;
use shakmaty::san::SanPlus;
use swiss_system::count;
use swiss_system::text::harmless;

use super::{AppealCase, Section, limits};
use crate::untrusted::name;
use swissmatch_game::Side;
use swissmatch_game::claims::{FalseClaimError, Warning};
use swissmatch_game::doubt::seconds;
use swissmatch_game::opening::OpeningError;
use swissmatch_game::record::{FailedAttempt, GameLimits, GameRecord};
use swissmatch_game::rules::Board;
use swissmatch_game::termination::Termination;
use swissmatch_game::time_control::{Limit, TimeControl, write_duration};
use swissmatch_tournament::limits::limits_of;

/// Longest moves that are named of each side.
const LONGEST: usize = 3;
/// Claims that are listed one by one.
const CLAIMS: usize = 20;
/// Moves that are named where the same was claimed of several.
const MOVES: usize = 4;

/// One ply, or the one that was asked for last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ply {
    /// As `12. Nf3` or `12... Nf6`; without a move, its number alone.
    pub(super) name: String,
    pub(super) side: Side,
    /// The number of this move of its side in the game, from 1.
    pub(super) own: u32,
}

pub(super) struct GameCourse<'a> {
    pub(super) record: &'a GameRecord,
    /// The plies played, and the one that was to come.
    pub(super) plies: Vec<Ply>,
    /// The position at the end.
    pub(super) fen: String,
}

impl<'a> GameCourse<'a> {
    pub(super) fn replay(record: &'a GameRecord) -> Result<Self, OpeningError> {
        let mut board = Board::new(&record.opening)?;
        let mut plies: Vec<Ply> = Vec::new();
        let mut own = [0; 2];
        let mut ply = |board: &Board, word: &str| {
            let side = board.turn();
            own[side.index()] += 1;
            let dots = if side == Side::White { "." } else { "..." };
            Ply {
                name: format!("{}{dots} {word}", board.position().fullmoves())
                    .trim_end()
                    .to_owned(),
                side,
                own: own[side.index()],
            }
        };
        for text in record.moves.split_ascii_whitespace() {
            let legal = text.parse().ok().and_then(|uci| board.legal(&uci));
            let legal = legal.ok_or_else(|| OpeningError::Move(harmless(text)))?;
            let san = SanPlus::from_move(board.position().clone(), legal);
            plies.push(ply(&board, &san.to_string()));
            board.play(legal);
        }
        plies.push(ply(&board, ""));
        Ok(Self {
            record,
            plies,
            fen: board.fen(),
        })
    }

    /// The ply that was played or asked for.
    pub(super) fn ply(&self, number: usize) -> Option<&Ply> {
        self.plies.get(number)
    }

    /// A side's clock before a ply; `None` without a clock, or where the record does not tell.
    fn left_before(&self, ply: usize, side: Side, control: &TimeControl) -> Option<Duration> {
        let before = (0..ply).rev().find(|&at| self.plies[at].side == side);
        match (before, &control.limit) {
            (Some(at), Limit::Clock(_)) => self.record.clock_us.get(at).copied().map(Duration::from_micros),
            (None, Limit::Clock(clock)) => Some(clock.first_base()),
            (_, Limit::Hourglass(_) | Limit::MoveTime(_) | Limit::Guard) => None,
        }
    }

    /// The limit of a failed attempt, in words.
    fn limit_of(&self, failed: &FailedAttempt, limits: &GameLimits) -> String {
        let (ply, side) = (failed.ply as usize, failed.side);
        let control = &limits.time_controls[side.index()];
        let of_move = match &control.limit {
            Limit::MoveTime(limit) => format!("the limit is {}", write_duration(*limit)),
            Limit::Guard => "the limit is 60s".to_owned(),
            Limit::Hourglass(_) => "the limit is what its side of the hourglass had".to_owned(),
            Limit::Clock(_) => self.left_before(ply, side, control).map_or_else(
                || "the limit is what its clock had".to_owned(),
                |left| format!("its clock had {}", seconds(micros(left))),
            ),
        };
        let is_earlier =
            |other: &&FailedAttempt| (other.ply, other.side) == (failed.ply, side) && other.attempt < failed.attempt;
        match taken(self.record.failed_attempts.iter().filter(is_earlier)) {
            0 => of_move,
            _ if !limits.attempts_share || control.runs_through() => of_move,
            taken => format!(
                "{of_move}, of which the attempts before it had taken {}",
                seconds(taken)
            ),
        }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

pub(super) fn attempt(case: &AppealCase<'_>, course: &GameCourse<'_>, failed: &FailedAttempt) -> String {
    let at = failed.ply as usize;
    let players = limits::players(case);
    let of_game = limits_of(case.state, case.id, players);
    let before = course.ply(at).map_or_else(String::new, |ply| {
        let number = ply.name.split_whitespace().next().unwrap_or_default();
        format!("move {number} ")
    });
    let waited = failed.wakeup_us.map_or_else(String::new, |us| {
        format!(
            " (including {} in which the runner waited for a processor)",
            seconds(us)
        )
    });
    let service = failed.service_us.map_or_else(String::new, |us| {
        format!(", and {} of its service's that are off the clock", seconds(us))
    });
    let ready = failed.ready_us.map_or_else(String::new, |us| {
        format!("; ready to be asked again {} later", seconds(us))
    });
    let doubt = failed.doubt.as_ref().map_or_else(String::new, |doubt| {
        let figures = doubt.figures();
        format!("; {} of that time is in doubt ({figures})", seconds(doubt.doubt_us))
    });
    format!(
        "{before}{} ({}), attempt {}, after {}{waited}{service}: {}; {}{doubt}{ready}",
        name(case.state, players[failed.side.index()]),
        failed.side.name(),
        failed.attempt,
        seconds(failed.time_us),
        harmless(&failed.ended()),
        course.limit_of(failed, &of_game),
    )
}

/// Whether this attempt, with those before it at the same move, ended the game; then the ending tells of it.
pub(super) fn decided(record: &GameRecord, failed: &FailedAttempt) -> bool {
    let by_attempts = matches!(
        record.termination,
        Termination::TimeForfeit { .. } | Termination::FlagFallDraw { .. } | Termination::IllegalMove { .. }
    );
    by_attempts && failed.ply as usize == record.plies()
}

pub(super) fn attempts(case: &AppealCase<'_>, course: &GameCourse<'_>) -> Section {
    let record = course.record;
    let others = record.failed_attempts.iter().filter(|failed| !decided(record, failed));
    let lines: Vec<String> = others.map(|failed| attempt(case, course, failed)).collect();
    let title = match lines.len() == record.failed_attempts.len() {
        true => "Failed attempts",
        false => "Failed attempts at other moves",
    };
    Section::new(title, lines)
}

pub(super) fn attempts_json(case: &AppealCase<'_>, course: &GameCourse<'_>) -> Value {
    let failed = course.record.failed_attempts.iter().map(|failed| {
        let mut told = json!({
            "ply": failed.ply,
            "side": failed.side,
            "attempt": failed.attempt,
            "time_us": failed.time_us,
            "wakeup_us": failed.wakeup_us,
            "ready_us": failed.ready_us,
            "doubt": failed.doubt,
            "kind": failed.end.word(),
            "said": failed.end.said().map(harmless),
            "meant": failed.meant.as_ref().map(|meant| json!({
                "notation": meant.notation,
                "move": harmless(&meant.uci),
            })),
            "in_words": attempt(case, course, failed),
        });
        if let Some(service_us) = failed.service_us {
            told["service_us"] = service_us.into();
        }
        told
    });
    failed.collect::<Vec<_>>().into()
}

/// The moves of a side, each with the time of all its attempts, the longest first.
fn longest(course: &GameCourse<'_>, side: Side) -> Vec<(usize, u64)> {
    let times = course.record.time_us.iter().enumerate();
    let times = times.map(|(ply, time)| (ply, time.saturating_add(taken(course.record.failed_at(ply)))));
    let of_side = |(ply, _): &(usize, u64)| course.ply(*ply).is_some_and(|ply| ply.side == side);
    let mut times: Vec<(usize, u64)> = times.filter(of_side).collect();
    times.sort_by_key(|&(ply, time)| (std::cmp::Reverse(time), ply));
    times.truncate(LONGEST);
    times
}

/// Time of these attempts together, in microseconds.
fn taken<'a>(attempts: impl Iterator<Item = &'a FailedAttempt>) -> u64 {
    attempts.fold(0, |sum, attempt| sum.saturating_add(attempt.time_us))
}

/// The failed attempts of a side, and their time in microseconds.
fn failed(course: &GameCourse<'_>, side: Side) -> (usize, u64) {
    let failed = course.record.failed_attempts.iter();
    let failed = failed.filter(|attempt| attempt.side == side);
    (failed.clone().count(), taken(failed))
}

/// Time that a side's service took off the clock, in microseconds.
fn of_service(course: &GameCourse<'_>, side: Side) -> u64 {
    let of_side = |ply: &usize| course.ply(*ply).is_some_and(|ply| ply.side == side);
    let moves = course.record.service_us.iter().enumerate();
    let moves = moves.filter(|(ply, _)| of_side(ply)).filter_map(|(_, time)| *time);
    let failed = course.record.failed_attempts.iter();
    let failed = failed
        .filter(|failed| failed.side == side)
        .filter_map(|failed| failed.service_us);
    moves.chain(failed).fold(0, u64::saturating_add)
}

fn left(course: &GameCourse<'_>, side: Side, control: &TimeControl) -> Option<u64> {
    let of_side = |ply: &usize| course.ply(*ply).is_some_and(|ply| ply.side == side);
    let last = (0..course.record.plies()).rev().find(of_side)?;
    let has_clock = matches!(control.limit, Limit::Clock(_) | Limit::Hourglass(_));
    course.record.clock_us.get(last).copied().filter(|_| has_clock)
}

pub(super) fn clocks(case: &AppealCase<'_>, course: &GameCourse<'_>) -> Vec<String> {
    let players = limits::players(case);
    let of_game = limits_of(case.state, case.id, players);
    let sides = Side::BOTH.into_iter().map(|side| {
        let thinking = course.record.thinking()[side.index()];
        let control = &of_game.time_controls[side.index()];
        let who = format!("{} ({})", name(case.state, players[side.index()]), side.name());
        let longest: Vec<String> = longest(course, side)
            .into_iter()
            .map(|(ply, time)| format!("{} {}", course.plies[ply].name, seconds(time)))
            .collect();
        if longest.is_empty() {
            return format!("{who} made no move.");
        }
        let left = left(course, side, control).map_or_else(String::new, |left| {
            format!("; {} left after its last move", seconds(left))
        });
        let (attempts, failed_us) = failed(course, side);
        let failed = match attempts {
            0 => String::new(),
            _ => format!(
                ", of which {} took {}",
                count::of(attempts, "failed attempt", "failed attempts"),
                seconds(failed_us)
            ),
        };
        let service = match of_service(course, side) {
            0 => String::new(),
            us => format!("; its service took {} besides, off the clock", seconds(us)),
        };
        format!(
            "{who}: {} in {}{failed}; longest {}{left}{service}.",
            count::of(thinking.moves as usize, "move", "moves"),
            seconds(thinking.time_us.saturating_add(failed_us)),
            longest.join(", ")
        )
    });
    let late = late(course).map(|(side, us)| {
        format!(
            "{} of {}'s clock had gone before the first `go`, because the clock runs by the schedule (schedule.clock). They are \
             part of the time of its first move, or of its first attempt at it.",
            seconds(us),
            side.name()
        )
    });
    late.into_iter().chain(sides).collect()
}

/// The side whose clock ran before the first `go`, and for how many microseconds.
fn late(course: &GameCourse<'_>) -> Option<(Side, u64)> {
    Some((course.ply(0)?.side, course.record.late_us?))
}

pub(super) fn clocks_json(case: &AppealCase<'_>, course: &GameCourse<'_>) -> Value {
    let players = limits::players(case);
    let of_game = limits_of(case.state, case.id, players);
    let sides = Side::BOTH.map(|side| {
        let thinking = course.record.thinking()[side.index()];
        let (attempts, failed_us) = failed(course, side);
        let longest = longest(course, side).into_iter();
        let longest = longest.map(|(ply, time)| json!({ "ply": ply, "move": course.plies[ply].name, "time_us": time }));
        json!({
            "side": side,
            "late_us": late(course).filter(|(first, _)| *first == side).map(|(_, us)| us),
            "moves": thinking.moves,
            "failed_attempts": attempts,
            "failed_us": failed_us,
            "time_us": thinking.time_us.saturating_add(failed_us),
            "left_us": left(course, side, &of_game.time_controls[side.index()]),
            "longest": longest.collect::<Vec<_>>(),
        })
    });
    json!(sides)
}

/// The claims of engines that do not fit the game, one by one.
pub(super) fn claims(case: &AppealCase<'_>) -> Vec<String> {
    let claim = |warning: &Warning| claim_of(case, warning, &moved(warning));
    shortened(case.warnings.iter().map(claim).collect())
}

/// The claims as a section: equal ones of a player share a line.
pub(super) fn claims_section(case: &AppealCase<'_>) -> Section {
    let mut alike: Vec<Vec<&Warning>> = Vec::new();
    for warning in case.warnings {
        let is_alike = |other: &&mut Vec<&Warning>| other[0].side == warning.side && other[0].claim == warning.claim;
        match alike.iter_mut().find(is_alike) {
            Some(others) => others.push(warning),
            None => alike.push(vec![warning]),
        }
    }
    let line = |warnings: &Vec<&Warning>| {
        let moves: Vec<String> = warnings.iter().take(MOVES).map(|warning| moved(warning)).collect();
        let more = warnings.len().saturating_sub(MOVES);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        claim_of(case, warnings[0], &format!("{}{more}", moves.join(", ")))
    };
    let mut lines = shortened(alike.iter().map(line).collect());
    if !lines.is_empty() {
        lines.push("None of this changes a result.".to_owned());
    }
    if case
        .warnings
        .iter()
        .any(|warning| warning.claim == FalseClaimError::OtherMove)
    {
        lines.push(
            "Engines that are set to play below their strength often play another move than their variation's."
                .to_owned(),
        );
    }
    Section::new("What engines said that does not fit the game", lines)
}

fn claim_of(case: &AppealCase<'_>, warning: &Warning, moves: &str) -> String {
    let player = limits::players(case)[warning.side.index()];
    format!(
        "{moves} by {}: {}",
        name(case.state, player),
        harmless(&warning.claim.to_string())
    )
}

/// The move that a claim is about, such as `12... e7e5`.
fn moved(warning: &Warning) -> String {
    let dots = if warning.side == Side::White { "." } else { "..." };
    format!("{}{dots} {}", warning.move_number, harmless(&warning.played))
}

fn shortened(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(CLAIMS);
    lines.truncate(CLAIMS);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines
}
