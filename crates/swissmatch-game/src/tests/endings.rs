//! Every ending by the rules of chess and of the event, and which comes first.

use super::*;
use crate::record::AttemptEnd;
use crate::rules::PliesFrom;
use crate::termination::{Outcome, Termination};

fn check(spec: GameSpec, line: &'static [&'static str], outcome: Outcome, termination: Termination) {
    let played = Script::new(spec).play(&moves(line));
    assert_eq!(
        (played.record.outcome, played.record.termination),
        (outcome, termination),
        "{line:?}"
    );
    assert_eq!(played.record.plies(), line.len());
}

const SHUFFLE: [&str; 8] = [
    "bestmove g1f3",
    "bestmove g8f6",
    "bestmove f3g1",
    "bestmove f6g8",
    "bestmove g1f3",
    "bestmove g8f6",
    "bestmove f3g1",
    "bestmove f6g8",
];

#[test]
fn mate_and_stalemate() {
    check(
        spec(protocol_limits()),
        &FOOLS_MATE,
        Outcome::BlackWins,
        Termination::Checkmate,
    );
    let stalemate = from_fen(protocol_limits(), "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    check(stalemate, &["bestmove f1f7"], Outcome::Draw, Termination::Stalemate);
}

#[test]
fn threefold_repetition_counts_the_start_and_the_opening() {
    check(
        spec(protocol_limits()),
        &SHUFFLE,
        Outcome::Draw,
        Termination::ThreefoldRepetition,
    );
    let mut with_opening = spec(protocol_limits());
    with_opening.opening.moves = ["g1f3", "g8f6", "f3g1", "f6g8"]
        .map(|uci| uci.parse().expect("a move"))
        .to_vec();
    let line = &["bestmove g1f3", "bestmove g8f6", "bestmove f3g1", "bestmove f6g8"];
    check(with_opening, line, Outcome::Draw, Termination::ThreefoldRepetition);
}

#[test]
fn a_lost_right_to_castle_makes_another_position() {
    // The king moves away and back: the first position cannot be repeated, the third return is the second repetition.
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let line: &[&str] = &[
        "bestmove e1e2",
        "bestmove e8e7",
        "bestmove e2e1",
        "bestmove e7e8",
        "bestmove e1e2",
        "bestmove e8e7",
        "bestmove e2e1",
        "bestmove e7e8",
        "bestmove e1e2",
        "bestmove e8e7",
    ];
    let played = Script::new(from_fen(protocol_limits(), fen)).play(&moves(line));
    assert_eq!(played.record.termination, Termination::ThreefoldRepetition);
    assert_eq!(
        played.record.plies(),
        10,
        "not at ply 8, where the placement stands for the third time"
    );
}

#[test]
fn fifty_moves_are_claimed_and_mate_comes_first() {
    let fen = "7k/8/8/8/8/8/R7/1R5K w - - 98 80";
    check(
        from_fen(protocol_limits(), fen),
        &["bestmove h1g1", "bestmove h8g8"],
        Outcome::Draw,
        Termination::FiftyMoveRule,
    );
    let mate = "7k/R7/8/8/8/8/8/1R5K w - - 99 80";
    check(
        from_fen(protocol_limits(), mate),
        &["bestmove b1b8"],
        Outcome::WhiteWins,
        Termination::Checkmate,
    );
}

#[test]
fn dead_positions_by_material() {
    let fen = "8/8/8/3k4/8/3K4/4p3/8 w - - 0 1";
    check(
        from_fen(protocol_limits(), fen),
        &["bestmove d3e2"],
        Outcome::Draw,
        Termination::InsufficientMaterial,
    );
}

#[test]
fn the_cap_counts_plies_of_this_game_alone_and_a_mate_on_the_last_move_stands() {
    let capped = |plies| GameLimits {
        max_plies: Some(plies),
        ..protocol_limits()
    };
    check(
        spec(capped(3)),
        &["bestmove f2f3", "bestmove e7e5", "bestmove g2g4"],
        Outcome::Draw,
        Termination::MoveCap,
    );
    check(spec(capped(4)), &FOOLS_MATE, Outcome::BlackWins, Termination::Checkmate);
    let mut after_opening = spec(capped(2));
    after_opening.opening.moves = ["f2f3", "e7e5"].map(|uci| uci.parse().expect("a move")).to_vec();
    check(
        after_opening,
        &["bestmove g2g4", "bestmove d8h4"],
        Outcome::BlackWins,
        Termination::Checkmate,
    );
}

#[test]
fn from_the_start_the_plies_of_the_opening_count() {
    let from_start = |plies| GameLimits {
        max_plies: Some(plies),
        plies_from: PliesFrom::Start,
        ..protocol_limits()
    };
    let with_moves = |spec: GameSpec, moves: &[&str]| GameSpec {
        opening: Opening {
            moves: moves.iter().map(|uci| uci.parse().expect("a move")).collect(),
            ..spec.opening.clone()
        },
        ..spec
    };
    let capped = |spec: GameSpec, line: &'static [&'static str]| check(spec, line, Outcome::Draw, Termination::MoveCap);
    capped(with_moves(spec(from_start(3)), &["f2f3", "e7e5"]), &["bestmove g2g4"]);
    check(
        with_moves(spec(from_start(4)), &["f2f3", "e7e5"]),
        &["bestmove g2g4", "bestmove d8h4"],
        Outcome::BlackWins,
        Termination::Checkmate,
    );
    // Black's second move is the fourth ply: three came before the position.
    let black = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    capped(from_fen(from_start(4), black), &["bestmove b8c6"]);
    capped(
        with_moves(from_fen(from_start(6), black), &["b8c6"]),
        &["bestmove f1b5", "bestmove a7a6"],
    );
    // A longer opening leaves nothing to play.
    capped(from_fen(from_start(3), black), &[]);
}

#[test]
fn black_to_move_starts_when_the_position_says_so() {
    let mut spec = from_fen(
        protocol_limits(),
        "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2",
    );
    spec.limits.max_plies = Some(1);
    let played = Script::new(spec).play(&moves(&["bestmove d8h4"]));
    assert_eq!(played.record.outcome, Outcome::BlackWins);
    assert!(
        played
            .sent
            .iter()
            .any(|text| text.starts_with("position fen rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b"))
    );
}

#[test]
fn promotions_castling_and_en_passant_are_moves_like_any_other() {
    let fen = "r3k2r/1P6/8/8/4p3/8/3P4/R3K2R w KQkq - 0 1";
    let line: &[&str] = &[
        "bestmove d2d4",
        "bestmove e4d3",
        "bestmove b7a8q",
        "bestmove e8e7",
        "bestmove e1c1",
    ];
    let mut spec = from_fen(protocol_limits(), fen);
    spec.limits.max_plies = Some(5);
    let played = Script::new(spec).play(&moves(line));
    assert_eq!(played.record.moves, "d2d4 e4d3 b7a8q e8e7 e1c1");
}

#[test]
fn a_promotion_without_its_piece_is_illegal() {
    let fen = "7k/1P6/8/8/8/8/8/7K w - - 0 1";
    let limits = GameLimits {
        attempts: Attempts::Shared(1),
        ..protocol_limits()
    };
    let played = Script::new(from_fen(limits, fen)).play(&moves(&["bestmove b7b8"]));
    assert_eq!(
        played.record.failed_attempts[0].end,
        AttemptEnd::Illegal("b7b8".to_owned())
    );
}

#[test]
fn every_ending_has_its_blame_and_its_words() {
    let by = Side::White;
    for (termination, blame, played, pgn) in [
        (Termination::Checkmate, None, true, "normal"),
        (Termination::Stalemate, None, true, "normal"),
        (Termination::ThreefoldRepetition, None, true, "normal"),
        (Termination::FiftyMoveRule, None, true, "normal"),
        (Termination::InsufficientMaterial, None, true, "normal"),
        (Termination::MoveCap, None, true, "adjudication"),
        (Termination::TimeForfeit { by }, Some(by), true, "time forfeit"),
        (Termination::FlagFallDraw { by }, None, true, "time forfeit"),
        (Termination::IllegalMove { by }, Some(by), true, "rules infraction"),
        (Termination::Resignation { by }, None, true, "normal"),
        (Termination::Crash { by }, Some(by), true, "abandoned"),
        (Termination::Disconnect { by }, Some(by), true, "abandoned"),
        (Termination::DidNotStart { by }, Some(by), false, "abandoned"),
        (Termination::NeitherStarted, None, false, "unterminated"),
        (Termination::NotReady { by }, Some(by), false, "abandoned"),
        (Termination::NeitherReady, None, false, "unterminated"),
        (Termination::DidNotCome { by }, None, false, "abandoned"),
        (Termination::NeitherCame, None, false, "unterminated"),
        (Termination::TooManyFaults { by }, None, false, "abandoned"),
        (Termination::TooManyFaultsOfBoth, None, false, "unterminated"),
        (Termination::ArbiterAdjudication, None, true, "adjudication"),
        (Termination::Awarded, None, false, "adjudication"),
        (Termination::ResignAdjudication, None, true, "adjudication"),
        (Termination::DrawAdjudication, None, true, "adjudication"),
        (Termination::Tablebase, None, true, "adjudication"),
    ] {
        assert_eq!(termination.blame(), blame);
        assert_eq!(termination.was_played(), played);
        assert_eq!(termination.pgn(), pgn);
        assert!(!termination.sentence(Outcome::BlackWins, 3).is_empty());
        let stored = serde_json::to_value(termination).expect("plain data");
        assert_eq!(stored["termination"], termination.word());
    }
    assert!(
        Side::BOTH
            .into_iter()
            .all(|side| Termination::NeitherStarted.is_fault_of(side))
    );
}
