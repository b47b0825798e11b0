//! How a game ended and by which rule: the limit, and what was measured.
//!
//! May not: match on text; every ending has its own words.

use std::time::Duration;

use serde_json::{Value, json};
use swiss_system::count;
use swiss_system::text::harmless;
use swiss_system::word::Word as _;

use super::course::{GameCourse, attempt, decided};
use super::{AppealCase, Section, limits};
use crate::cut_off;
use crate::faults::START_FAILED;
use crate::untrusted::name;
use swissmatch_game::Side;
use swissmatch_game::adjudicate::{Adjudication, DecisiveScore, TablebaseVerdict};
use swissmatch_game::doubt::seconds;
use swissmatch_game::eval::Eval;
use swissmatch_game::flag_fall::FlagFall;
use swissmatch_game::record::{AttemptEnd, Attempts, GameLimits, GameRecord};
use swissmatch_game::rules::{Claims, PliesFrom};
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_game::time_control::write_duration;
use swissmatch_tournament::limits::limits_of;
use swissmatch_tournament::setup::ClockStart;
use swissmatch_tournament::state::EndedGame;

pub(super) fn section(case: &AppealCase<'_>, course: Option<&GameCourse<'_>>) -> Section {
    Section::new("How it ended, and by which rule", lines(case, course))
}

fn lines(case: &AppealCase<'_>, course: Option<&GameCourse<'_>>) -> Vec<String> {
    let Some(game) = case.game else {
        return vec![match case.is_played {
            true => "It has not ended: it is being played, or is waiting for its turn. A runner is at work.".to_owned(),
            false => "It has not ended, and no runner is at work: it is due, and will be played from its first move."
                .to_owned(),
        }];
    };
    let attempts = course.map_or(0, |course| course.record.last_attempts());
    let (outcome, termination) = (game.finished.outcome, game.finished.termination);
    let mut lines = vec![format!(
        "{}: {}.",
        outcome.word(),
        termination.sentence(outcome, attempts)
    )];
    lines.extend(rule(case, course, &game));
    if outcome == Outcome::Void && termination.is_failure_of_both() {
        lines.push("Both agents failed, so the game counts for nobody (faults.both_failed).".to_owned());
    }
    // The line itself is in the evidence.
    let alarms = case.record.into_iter().flat_map(|record| &record.alarms);
    lines.extend(alarms.map(|alarm| {
        let (player, side) = (player(case, alarm.side), alarm.side.name());
        format!(
            "{player} ({side}) gave an alarm, {} (engine.alarms); that changes no result.",
            alarm.words()
        )
    }));
    if let Some(course) = course {
        lines.extend(measured(case, course));
        if let Some(ply) = course.record.plies().checked_sub(1).and_then(|last| course.ply(last)) {
            lines.push(format!("The last move was {}.", ply.name));
        }
        lines.push(format!("The position at the end: {}", harmless(&course.fen)));
    }
    lines
}

fn rule(case: &AppealCase<'_>, course: Option<&GameCourse<'_>>, ended: &EndedGame) -> Vec<String> {
    let one = |text: &str| vec![text.to_owned()];
    match ended.finished.termination {
        termination @ (Termination::Checkmate
        | Termination::Stalemate
        | Termination::ThreefoldRepetition
        | Termination::FiftyMoveRule
        | Termination::InsufficientMaterial) => one(rule_of_chess(termination, limits_of_game(case).claims)),
        Termination::MoveCap => vec![move_cap(case, ended)],
        Termination::TimeForfeit { by } => vec![overrun(case, by)],
        Termination::FlagFallDraw { by } => vec![flag_fall_draw(case, by)],
        Termination::IllegalMove { by } => vec![illegal_move(case, course, by)],
        Termination::Resignation { by } => vec![format!(
            "A player that is no engine may resign by `resign` in place of a move, and loses at once: {} did so.",
            player(case, by)
        )],
        Termination::Crash { by } => vec![format!(
            "An engine whose process ends loses as soon as something is asked of it: {} was asked, and its process had gone.",
            player(case, by)
        )],
        Termination::Disconnect { by } => vec![format!(
            "An engine that closes its input or output loses as soon as something is asked of it, even if its process is still \
             running: {}'s did so.",
            player(case, by)
        )],
        Termination::ResourceLimit { by, resource } => vec![format!(
            "An engine that uses more than its limit on {} ({}) is ended, and loses the game if something is asked of it then or later: \
             {} was asked. Further attempts at a move do not help.",
            resource.name(),
            resource.key(),
            player(case, by)
        )],
        Termination::DidNotStart { .. } | Termination::NeitherStarted => not_started(case, ended),
        Termination::NotReady { .. } | Termination::NeitherReady => not_ready(case, course),
        Termination::ArbiterAdjudication => one("The arbiter ended it while it was being played."),
        Termination::Awarded => one("The arbiter gave it a result; it was not played."),
        Termination::DidNotCome { .. } | Termination::NeitherCame => {
            one("Whoever has withdrawn, is disqualified or is absent when a game is due loses it without a move.")
        }
        Termination::TooManyFaults { .. } | Termination::TooManyFaultsOfBoth => vec![format!(
            "Who lost {} of a mini-match by a fault forfeits the games that come after those in it (faults.forfeit_after).",
            count::of(case.state.setup().faults.forfeit_after.unwrap_or(0), "game", "games")
        )],
        Termination::ResignAdjudication | Termination::DrawAdjudication | Termination::Tablebase => {
            one("It was ended by adjudication, by the rule of this event that is given above.")
        }
    }
}

fn move_cap(case: &AppealCase<'_>, ended: &EndedGame) -> String {
    let of_game = limits_of_game(case);
    let (plies, counted) = match (of_game.plies_from, of_game.max_plies) {
        (PliesFrom::Start, Some(most)) => (most, ", those of its opening counted (game.plies_from)"),
        _ => (ended.finished.plies, ""),
    };
    format!("The game reached {plies} plies{counted}, the cap of this event (game.max_moves, game.max_plies): a draw.")
}

/// The name of the player of `side`.
fn player(case: &AppealCase<'_>, side: Side) -> String {
    name(case.state, limits::players(case)[side.index()])
}

fn limits_of_game(case: &AppealCase<'_>) -> GameLimits {
    limits_of(case.state, case.id, limits::players(case))
}

/// The law of chess by which a game ends on the board.
const fn rule_of_chess(termination: Termination, claims: Claims) -> &'static str {
    match termination {
        Termination::Checkmate => "The side to move is in check and has no legal move (Laws of Chess 5.1.1).",
        Termination::Stalemate => {
            "The side to move has no legal move and is not in check: a draw (Laws of Chess 5.2.1)."
        }
        Termination::ThreefoldRepetition if !claims.is_automatic() => {
            "The same position stood for the third time, or a legal move would have brought one that had stood twice: the side to move could \
             claim a draw (Laws of Chess 9.2), which the runner does for it (game.claims)."
        }
        Termination::FiftyMoveRule if !claims.is_automatic() => {
            "Both sides made fifty moves without a capture or a pawn move, or a legal move would have completed them: the side to move could \
             claim a draw (Laws of Chess 9.3), which the runner does for it (game.claims)."
        }
        Termination::ThreefoldRepetition => {
            "The same position stood for the third time with the same side to move: a draw (Laws of Chess 9.2), which the \
             runner claims for both sides."
        }
        Termination::FiftyMoveRule => {
            "Both sides made fifty moves without a capture or a pawn move: a draw (Laws of Chess 9.3), which the runner \
             claims for both sides."
        }
        _ => "No sequence of legal moves can mate with the men that are left: a draw (Laws of Chess 5.2.2).",
    }
}

/// Explains a draw by the fallen flag of `by` against a side that could not mate.
fn flag_fall_draw(case: &AppealCase<'_>, by: Side) -> String {
    let why = match limits_of_game(case).flag_fall {
        FlagFall::UsChess => {
            "has a king alone, with one bishop or knight, or with two knights against no pawns, or cannot mate at all (US Chess 14D4, \
             14E; a forced win is for the arbiter to find)"
        }
        FlagFall::DrawIfBareKing => "has nothing but a king, as cutechess-cli scores it",
        FlagFall::DrawIfCannotMate | FlagFall::Loses => {
            "cannot mate by any series of legal moves with the men that are left (Laws of Chess 6.9)"
        }
    };
    format!(
        "It was {}'s flag that fell, and the game is a draw because {} {why} (game.flag_fall).",
        player(case, by),
        player(case, by.other())
    )
}

fn overrun(case: &AppealCase<'_>, by: Side) -> String {
    let of_game = limits_of_game(case);
    match (of_game.time_controls[by.index()].runs_through(), of_game.attempts) {
        (true, _) => format!(
            "Under a clock, the side whose flag falls loses at once{}; it was {}'s flag.",
            of_game.flag_fall.unless_drawn(),
            player(case, by)
        ),
        (false, _) if of_game.attempts_share => format!(
            "The attempts at a move have its limit together (game.attempts_share), so that an overrun leaves nothing for another; {}'s \
             last attempt was one. It counts as a resignation.",
            player(case, by)
        ),
        (false, Attempts::Shared(attempts) | Attempts::Apart { overruns: attempts, .. }) => format!(
            "Each attempt at a move has the full limit; the {} failed attempt at one move loses, and {}'s last one was an \
             overrun. It counts as a resignation.",
            limits::ordinal(attempts),
            player(case, by)
        ),
    }
}

fn illegal_move(case: &AppealCase<'_>, course: Option<&GameCourse<'_>>, by: Side) -> String {
    let of_game = limits_of_game(case);
    let is_shared = of_game.attempts_share && !of_game.time_controls[by.index()].runs_through();
    let attempts = match of_game.attempts {
        Attempts::Shared(illegal) | Attempts::Apart { illegal, .. } if is_shared => format!(
            "The {} illegal or unparsable answer at one move loses, and so does one that leaves nothing of the limit, which the \
             attempts at a move have together (game.attempts_share)",
            limits::ordinal(illegal)
        ),
        Attempts::Shared(attempts) => format!(
            "The {} failed attempt at one move loses, overruns counted too",
            limits::ordinal(attempts)
        ),
        Attempts::Apart { illegal, .. } => format!(
            "The {} illegal or unparsable answer at one move loses",
            limits::ordinal(illegal)
        ),
    };
    let last = course.and_then(|course| course.record.failed_attempts.last());
    let was = match last.map(|failed| &failed.end) {
        Some(AttemptEnd::Empty) => "was empty, which counts like one that is not a move",
        Some(AttemptEnd::Truncated) => "was cut off before a move, which counts like one that is not a move",
        Some(AttemptEnd::Refused) => "was refused, which counts like one that is not a move",
        _ => "was illegal or was not a move",
    };
    let cut_off = course.and_then(|course| cut_off::of_game(case.state, course.record));
    let cut_off = cut_off.map_or_else(String::new, |cut_off| format!(" It {cut_off}."));
    format!(
        "{attempts}; {}'s last one {was} (game.illegal_attempts).{cut_off}",
        player(case, by)
    )
}

fn not_started(case: &AppealCase<'_>, ended: &EndedGame) -> Vec<String> {
    let (engine, of_game) = (&case.state.setup().engine, limits_of_game(case));
    let mut lines = match case.state.setup().schedule.clock {
        ClockStart::Game => vec![format!(
            "An engine has {} for each of `uciok` and `readyok` (engine.start_limit) and {} tries to start \
             (engine.start_attempts). An engine that does not come up loses the game without a move, and the rest of the \
             mini-match with it.",
            write_duration(engine.start_limit),
            of_game.start_attempts
        )],
        ClockStart::Schedule => by_schedule(of_game.ready_limit, of_game.start_attempts),
    };
    lines.push(match (ended.finished.has_record, cut_short_by(case)) {
        (true, _) => "Its start was tried for this game.".to_owned(),
        (false, Some(id)) => format!("Its start was not tried again for this game: it had failed for game {id}."),
        (false, None) => "Its start was not tried for this game.".to_owned(),
    });
    lines
}

fn not_ready(case: &AppealCase<'_>, course: Option<&GameCourse<'_>>) -> Vec<String> {
    let of_game = limits_of_game(case);
    let ready = course.map_or([0; 2], |course| course.record.ready_us).map(seconds);
    vec![
        format!(
            "To get ready between games, each process has {} once (engine.ready_limit), plus {} for each game that it \
             has begun in its mini-match (engine.step_limit). An engine that has used more forfeits the next game.",
            write_duration(of_game.ready_limit),
            write_duration(of_game.step_limit)
        ),
        format!(
            "Measured: {} took {} to get ready for this game, {} {}.",
            player(case, Side::White),
            ready[0],
            player(case, Side::Black),
            ready[1]
        ),
    ]
}

/// The rule for starts where clocks run by the schedule.
fn by_schedule(ready_limit: Duration, start_attempts: u32) -> Vec<String> {
    vec![
        "Clocks run by the schedule (schedule.clock). The clock of the side that moves first starts with the round, or when a \
         slot was free for the game if that is later; the other side's clock starts when the first engine is up. An \
         engine that is not up when its own clock has run out loses the game without a move, and the rest of the \
         mini-match with it; until then it is started again, however often it fails. If the first side's clock runs out \
         while neither engine is up, both lose."
            .to_owned(),
        format!(
            "An engine that is up has {} for `readyok` before the game (engine.ready_limit); it also loses if that fails {} \
             times.",
            write_duration(ready_limit),
            start_attempts.max(2)
        ),
    ]
}

/// The game of the mini-match before which an engine failed to start.
fn cut_short_by(case: &AppealCase<'_>) -> Option<String> {
    let board = case.state.mini_match(case.id)?;
    let mut tried = board.games.iter().flatten().filter(|game| game.finished.has_record);
    let first = tried.find(|game| !game.finished.termination.was_played())?;
    Some(first.finished.id.to_string())
}

/// The measured facts that decided, from the record.
fn measured(case: &AppealCase<'_>, course: &GameCourse<'_>) -> Vec<String> {
    let record = course.record;
    let mut lines = Vec::new();
    let last = record.failed_attempts.iter().filter(|failed| decided(record, failed));
    lines.extend(last.map(|failed| format!("Measured: {}.", attempt(case, course, failed))));
    lines.extend(record.engine_end.map(|end| format!("Its process: {end}.")));
    lines.extend(record.adjudication.as_ref().map(|what| adjudicated(what, course)));
    lines.extend(
        start_failures(case, record)
            .into_iter()
            .map(|why| format!("Measured: {why}.")),
    );
    lines
}

/// Why starts failed, according to the evidence.
fn start_failures(case: &AppealCase<'_>, record: &GameRecord) -> Vec<String> {
    if record.termination.was_played() {
        return Vec::new();
    }
    let lines = case.evidence.unwrap_or_default().lines();
    let failures = lines.filter_map(|line| line.strip_prefix(START_FAILED));
    failures.map(harmless).collect()
}

fn adjudicated(what: &Adjudication, course: &GameCourse<'_>) -> String {
    let scores = |scores: &[DecisiveScore]| {
        let scores = scores.iter().map(|claim| {
            let ply = course.ply(claim.ply).map_or_else(String::new, |ply| ply.name.clone());
            format!("{ply} {}", eval(claim.eval))
        });
        scores.collect::<Vec<_>>().join(", ")
    };
    match what {
        Adjudication::Resign { loser, scores: said } => format!(
            "Measured: {} has lost by these scores, each from the point of view of the side that moved: {}.",
            loser.name(),
            scores(said)
        ),
        Adjudication::Draw { scores: said } => format!("Measured: level by these scores: {}.", scores(said)),
        Adjudication::Tablebase { men, to_move, verdict } => {
            let verdict = match verdict {
                TablebaseVerdict::Win => "won",
                TablebaseVerdict::CursedWin => "won but for the fifty-move rule",
                TablebaseVerdict::Draw => "drawn",
                TablebaseVerdict::BlessedLoss => "lost but for the fifty-move rule",
                TablebaseVerdict::Loss => "lost",
            };
            format!(
                "Measured: {men} men, {} to move: {verdict} by the tablebases.",
                to_move.name()
            )
        }
    }
}

fn eval(eval: Eval) -> String {
    match eval {
        Eval::Centipawns(value) => format!("{value:+} cp"),
        Eval::Mate(moves) => format!("mate in {moves}"),
    }
}

pub(super) fn json(case: &AppealCase<'_>, course: Option<&GameCourse<'_>>) -> Value {
    let game = case.game;
    json!({
        "result": game.map(|game| game.outcome().word()),
        "result_by_itself": game.map(|game| game.finished.outcome.word()),
        "termination": game.map(|game| game.finished.termination.word()),
        "fault_of": game.map(|game| {
            let fault = |side: &Side| game.finished.termination.is_fault_of(*side);
            Side::BOTH.into_iter().filter(fault).collect::<Vec<_>>()
        }),
        "winner": game.and_then(|game| match game.outcome() {
            Outcome::WhiteWins => Some(Side::White),
            Outcome::BlackWins => Some(Side::Black),
            Outcome::Draw | Outcome::BothLose | Outcome::Void => None,
        }),
        "process": course.and_then(|course| course.record.engine_end)
            .map(|end| end.to_string()),
        "fen": course.map(|course| harmless(&course.fen)),
        "adjudication": course.and_then(|course| course.record.adjudication.as_ref()),
        "in_words": lines(case, course),
    })
}
