//! Which claims of engines give a warning, and which do not.

use super::*;
use crate::claims::{FalseClaimError, warnings};
use crate::eval::Eval;
use crate::record::OddInfo;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White mates in one with the rook, or in two by waiting.
const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

/// A record of one move, with what was said of it.
fn said(fen: &str, played: &str, eval: Option<Eval>, variation: &str) -> GameRecord {
    let mut record = GameRecord::begin(&from_fen(protocol_limits(), fen));
    record.moves = played.to_owned();
    record.time_us = vec![1];
    record.eval = vec![eval];
    record.pv.push(variation);
    record
}

fn claims(record: &GameRecord) -> Vec<FalseClaimError> {
    let found = warnings(record).expect("a legal game");
    found.into_iter().map(|warning| warning.claim).collect()
}

fn check(fen: &str, eval: Option<Eval>, variation: &str, expected: &[FalseClaimError]) {
    let played = variation.split(' ').next().unwrap_or_default();
    assert_eq!(claims(&said(fen, played, eval, variation)), expected, "{variation}");
}

#[test]
fn a_warning_names_position_move_and_variation() {
    let mut record = said(START, "e2e4 e7e5", None, "");
    record.eval.push(Some(Eval::Centipawns(-5)));
    record.pv.push("e7e5 g1f3 f3e5");
    let [warning] = &warnings(&record).expect("a legal game")[..] else {
        panic!("one warning")
    };
    assert_eq!((warning.ply, warning.side, warning.move_number), (1, Side::Black, 1));
    assert_eq!(
        (warning.played.as_str(), warning.eval),
        ("e7e5", Some(Eval::Centipawns(-5)))
    );
    assert_eq!(
        warning.fen,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    );
    assert_eq!(warning.variation, "e7e5 g1f3 f3e5");
    assert_eq!(warning.claim.to_string(), "move 3 of the variation, f3e5, is not legal");
}

#[test]
fn illegal_moves_null_moves_and_moves_past_the_end() {
    let illegal = |number, said: &str| FalseClaimError::IllegalMove {
        number,
        said: said.to_owned(),
    };
    check(START, None, "e2e4 e7e5 0000", &[illegal(3, "0000")]);
    check(
        START,
        None,
        "f2f3 e7e5 g2g4 d8h4 e1f2",
        &[FalseClaimError::PastEnd { number: 4 }],
    );
    // Stalemate by the queen.
    check(
        "7k/5K2/8/8/8/8/8/6Q1 w - - 0 1",
        None,
        "g1g6 h8h7",
        &[FalseClaimError::PastEnd { number: 1 }],
    );
    let other = claims(&said(START, "e2e4", None, "d2d4 d7d5"));
    assert_eq!(other, [FalseClaimError::OtherMove]);
    assert_eq!(claims(&said(START, "e2e4", None, "e2e5")), [illegal(1, "e2e5")]);
}

/// Cases in which other runners warned without cause.
#[test]
fn what_is_no_error() {
    // A variation may be cut short, and may go on through repetitions, after fifty moves, and without mating
    // material.
    check(START, Some(Eval::Centipawns(9)), "e2e4", &[]);
    check(START, None, "g1f3 g8f6 f3g1 f6g8 ".repeat(5).trim_end(), &[]);
    check("7k/8/8/8/8/8/R7/K7 w - - 99 80", None, "a2a3 h8g8 a3a4 g8h8", &[]);
    check("7k/8/8/8/8/8/1p6/K7 w - - 0 1", None, "a1b2 h8g8 b2b3", &[]);
    check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", None, "e1g1 e8c8", &[]);
    check("4k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 1", None, "e5d6 e8d7 a7a8n", &[]);
    // Castling given as the king taking the rook is the same move.
    let record = said("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", None, "e1h1");
    assert_eq!(claims(&record), []);
    // A claimed mate whose variation the hash table cut, a mate as claimed, and bounds, which claim nothing.
    check(BACK_RANK, Some(Eval::Mate(5)), "h2h3 h7h6", &[]);
    check(BACK_RANK, Some(Eval::Mate(1)), "a1a8", &[]);
    check(
        "6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1",
        Some(Eval::Mate(-1)),
        "h2h4 a2a1",
        &[FalseClaimError::NoMate { claimed: -1, plies: 2 }],
    );
    check(
        "6k1/5ppp/8/8/8/8/r4PPP/7K w - - 0 1",
        Some(Eval::Mate(-1)),
        "h1g1 a2a1",
        &[],
    );
    let mut record = said(BACK_RANK, "h2h3", Some(Eval::Mate(1)), "h2h3 h7h6 a1a8");
    record.eval_bounds = vec![0];
    assert_eq!(claims(&record), []);
    // Nothing said.
    assert_eq!(claims(&said(START, "e2e4", None, "")), []);
}

#[test]
fn claims_of_mate_are_counted() {
    check(
        BACK_RANK,
        Some(Eval::Mate(2)),
        "a1a8",
        &[FalseClaimError::OtherMate { claimed: 2, plies: 1 }],
    );
    check(
        BACK_RANK,
        Some(Eval::Mate(-1)),
        "a1a8",
        &[FalseClaimError::OtherMate { claimed: -1, plies: 1 }],
    );
    check(
        BACK_RANK,
        Some(Eval::Mate(1)),
        "h2h3",
        &[FalseClaimError::NoMate { claimed: 1, plies: 1 }],
    );
    check(
        BACK_RANK,
        Some(Eval::Mate(1)),
        "h2h3 h7h6",
        &[FalseClaimError::NoMate { claimed: 1, plies: 2 }],
    );
    let stalemate = "7k/5K2/8/8/8/8/8/6Q1 w - - 0 1";
    check(
        stalemate,
        Some(Eval::Mate(9)),
        "g1g6",
        &[FalseClaimError::NoMate { claimed: 9, plies: 1 }],
    );
    check(BACK_RANK, Some(Eval::Mate(i32::MIN)), "h2h3", &[]);
    check(BACK_RANK, Some(Eval::Mate(0)), "h2h3", &[FalseClaimError::MateInZero]);
}

#[test]
fn numbers_that_are_none() {
    let mut record = said(START, "e2e4", None, "");
    record.hashfull = vec![Some(1001)];
    record.odd_info = vec![OddInfo {
        ply: 0,
        field: "depth".to_owned(),
        said: "-1".to_owned(),
    }];
    let texts: Vec<_> = claims(&record).iter().map(FalseClaimError::to_string).collect();
    assert_eq!(
        texts,
        [
            "hashfull 1001 is more than 1000 thousandths",
            "`depth` is followed by `-1`"
        ]
    );
}

#[test]
fn a_record_that_is_no_game_is_refused() {
    assert!(warnings(&said(START, "e2e5", None, "")).is_err());
}
