//! Why a game ended, and its warnings, in the words that readers of those lines look for.
//!
//! May not: count.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;

use crate::player_name;
use swissmatch_game::Side;
use swissmatch_game::claims::{self, FalseClaimError, Warning};
use swissmatch_game::eval::Eval;
use swissmatch_game::record::{AttemptEnd, FailedAttempt, GameRecord};
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_game::time_control::Limit;
use swissmatch_tournament::limits::time_controls_of;
use swissmatch_tournament::peer_lines::{PeerFormat, PeerOutput};
use swissmatch_tournament::state::{LoggedGame, State};

/// Most characters that are shown of text in place of a move.
const NO_MOVE_CHARS: usize = 24;

/// The word of cutechess-cli for a draw by a fallen flag.
const OVER_TIME: &str = "timeout";

pub(super) fn reason(lines: PeerFormat, state: &State, finished: &LoggedGame, record: Option<&GameRecord>) -> String {
    let sentence = reason_by_itself(finished);
    let last = record.and_then(|record| Some((record, record.failed_attempts.last()?)));
    match (finished.termination, last) {
        (Termination::TimeForfeit { .. }, Some((record, attempt))) if lines == PeerFormat::Fastchess => {
            match overrun_ms(state, finished, record, attempt) {
                Some(overrun) => format!("{sentence} ({overrun}ms overrun)"),
                None => sentence,
            }
        }
        (Termination::IllegalMove { .. }, Some((_, attempt))) if lines == PeerFormat::Cutechess => {
            match said(attempt) {
                Some(said) => format!("{sentence}: {said}"),
                None => sentence,
            }
        }
        _ => sentence,
    }
}

/// Like [`reason`], but without what only the record knows.
pub(super) fn reason_by_itself(finished: &LoggedGame) -> String {
    let outcome = finished.outcome;
    let adjudicated = || match outcome {
        Outcome::WhiteWins => "White wins by adjudication",
        Outcome::BlackWins => "Black wins by adjudication",
        _ => "Draw by adjudication",
    };
    match finished.termination {
        Termination::Checkmate
        | Termination::Stalemate
        | Termination::ThreefoldRepetition
        | Termination::FiftyMoveRule
        | Termination::InsufficientMaterial => finished.termination.sentence(outcome, 0),
        Termination::MoveCap
        | Termination::ResignAdjudication
        | Termination::DrawAdjudication
        | Termination::ArbiterAdjudication
        | Termination::Awarded => adjudicated().to_owned(),
        Termination::Tablebase => format!("{}: SyzygyTB", adjudicated()),
        Termination::TimeForfeit { by } => format!("{} loses on time", by.name()),
        Termination::FlagFallDraw { .. } => format!("Draw by {OVER_TIME}"),
        Termination::IllegalMove { by } => format!("{} makes an illegal move", by.name()),
        Termination::Resignation { by } => format!("{} resigns", by.name()),
        Termination::NotReady { by } => format!("{}'s connection stalls", by.name()),
        Termination::Crash { by }
        | Termination::Disconnect { by }
        | Termination::ResourceLimit { by, .. }
        | Termination::DidNotStart { by }
        | Termination::DidNotCome { by }
        | Termination::TooManyFaults { by } => format!("{} disconnects", by.name()),
        Termination::NeitherStarted
        | Termination::NeitherReady
        | Termination::NeitherCame
        | Termination::TooManyFaultsOfBoth => "No result".to_owned(),
    }
}

/// A reason as cutechess-cli lists it, for the winner and for the loser.
pub(super) fn described(result: &str, why: &str) -> [String; 2] {
    match result {
        "1-0" | "0-1" => [format!("Win: {why}"), format!("Loss: {why}")],
        _ => [why.to_owned(), why.to_owned()],
    }
}

/// How much longer a side took than it had, in milliseconds.
fn overrun_ms(state: &State, finished: &LoggedGame, record: &GameRecord, attempt: &FailedAttempt) -> Option<u64> {
    let controls = time_controls_of(state, finished.id, [finished.white, finished.black]);
    let control = controls[attempt.side.index()];
    let had = match &control.limit {
        Limit::MoveTime(limit) => limit.as_micros(),
        Limit::Clock(clock) => match (attempt.ply as usize).checked_sub(2) {
            Some(before) => u128::from(*record.clock_us.get(before)?),
            None => clock.base.as_micros(),
        },
        Limit::Hourglass(_) | Limit::Guard => return None,
    };
    let over = u128::from(attempt.time_us).checked_sub(had)?;
    u64::try_from(over / 1000).ok()
}

/// What was said instead of a legal move.
fn said(attempt: &FailedAttempt) -> Option<String> {
    let (AttemptEnd::Illegal(said) | AttemptEnd::Unparsable(said)) = &attempt.end else {
        return None;
    };
    let said: String = harmless(said)
        .chars()
        .filter(|c| c.is_ascii_graphic() && !matches!(c, '{' | '}'))
        .take(NO_MOVE_CHARS)
        .collect();
    (!said.is_empty()).then_some(said)
}

/// The warnings of fastchess before it says how a game ended.
pub(super) fn warnings(wanted: &PeerOutput, state: &State, finished: &LoggedGame, record: &GameRecord) -> Vec<String> {
    let name = |side| player_name(state, player(finished, side));
    // A record of this program's own games has legal moves alone.
    let found = claims::warnings(record).unwrap_or_default();
    let mut lines: Vec<String> = found
        .iter()
        .filter_map(|warning| of_claim(wanted, warning, &name(warning.side), record))
        .collect();
    if let (Termination::IllegalMove { by }, Some(attempt)) = (finished.termination, record.failed_attempts.last()) {
        let said = said(attempt);
        if let (AttemptEnd::Unparsable(_), Some(said)) = (&attempt.end, &said) {
            lines.push(format!(
                "Warning; Move does not match uci move format, lowercase and 4/5 chars. Move {said} played by {}",
                name(by)
            ));
        }
        let said = said.unwrap_or_else(|| "<none>".to_owned());
        lines.push(format!("Warning; Illegal move {said} played by {}", name(by)));
    }
    lines
}

fn of_claim(wanted: &PeerOutput, warning: &Warning, name: &str, record: &GameRecord) -> Option<String> {
    let is_mate = |claim: &FalseClaimError| {
        matches!(
            claim,
            FalseClaimError::NoMate { .. } | FalseClaimError::OtherMate { .. }
        )
    };
    if is_mate(&warning.claim) && !wanted.has_mates {
        return None;
    }
    let what = match &warning.claim {
        FalseClaimError::IllegalMove { said, .. } => format!("Illegal PV move - move {} from {name}", harmless(said)),
        FalseClaimError::PastEnd { number } => {
            let (after, said) = past_end(warning, *number)?;
            format!("PV continues after {after} - move {said} from {name}")
        }
        FalseClaimError::OtherMove => format!(
            "Bestmove does not match beginning of last PV - move {} from {name}",
            warning.played
        ),
        FalseClaimError::NoMate { .. } => format!("Mating PV does not end with checkmate - from {name}"),
        FalseClaimError::OtherMate { claimed, plies } => {
            let expected = match claimed {
                moves if *moves > 0 => 2 * moves.unsigned_abs() - 1,
                moves => 2 * moves.unsigned_abs(),
            };
            let kind = if *plies > expected as usize {
                "Too long"
            } else {
                "Incomplete"
            };
            format!("{kind} mating PV - from {name}")
        }
        FalseClaimError::MateInZero | FalseClaimError::NoNumber { .. } | FalseClaimError::Overfull(_) => return None,
    };
    let score = match warning.eval {
        Some(Eval::Centipawns(value)) => format!(" score cp {value}"),
        Some(Eval::Mate(moves)) => format!(" score mate {moves}"),
        None => String::new(),
    };
    let start = match &record.opening.fen {
        Some(fen) => format!("fen {fen}"),
        None => "startpos".to_owned(),
    };
    let opening = record.opening.moves.iter().map(ToString::to_string);
    let played = record.moves.split_ascii_whitespace().take(warning.ply as usize);
    let moves: Vec<String> = opening.chain(played.map(str::to_owned)).collect();
    let parts = [
        format!("Warning; {what}"),
        format!("Info; info{score} pv {}", harmless(&warning.variation)),
        format!("Position; {start}"),
        format!("Moves; {}", moves.join(" ")),
    ];
    Some(parts.join(if wanted.is_one_line { " :: " } else { "\n" }))
}

/// What a variation goes on after, and by which move.
fn past_end(warning: &Warning, number: usize) -> Option<(&'static str, String)> {
    let words: Vec<&str> = warning.variation.split_ascii_whitespace().collect();
    let fen: Fen = warning.fen.parse().ok()?;
    let mut position: Chess = fen.into_position(CastlingMode::Chess960).ok()?;
    for word in words.get(..number)? {
        let uci: UciMove = word.parse().ok()?;
        position.play_unchecked(uci.to_move(&position).ok()?);
    }
    let after = if position.is_check() { "checkmate" } else { "stalemate" };
    Some((after, harmless(words.get(number)?)))
}

/// The warnings of fastchess about options for all engines that an engine does not declare.
pub(super) fn options_left_out(state: &State) -> Vec<String> {
    let created = state.created();
    let all = state.numbers().flat_map(|player| {
        let agent = &created.agents[created.order[player.index()]];
        let left_out = agent.introduction.iter().flat_map(|said| &said.options_left_out);
        left_out.map(move |option| (player, option))
    });
    all.map(|(player, option)| {
        let (name, option) = (player_name(state, player), harmless(option));
        format!("Warning; {name} doesn't have option {option}")
    })
    .collect()
}

const fn player(finished: &LoggedGame, side: Side) -> PairingNumber {
    match side {
        Side::White => finished.white,
        Side::Black => finished.black,
    }
}
