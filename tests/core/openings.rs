//! The opening suites that come with the program: that they are well-formed, and, on request, that one is balanced and the other is
//! not.
//!
//! The second check takes some minutes and needs Stockfish: `make openings-check` runs it and shows the value of each opening.

#![expect(
    clippy::disallowed_methods,
    reason = "this test stands outside the program: it runs Stockfish itself"
)]

mod maker;
mod stockfish;

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Position, Role};
use swissmatch::game::opening::{BUNDLED, BUNDLED_FORMAT, Opening, UNBALANCED, parse_suite};
use swissmatch::game::variant::Variant;

use stockfish::Stockfish;

/// The fewest openings that the balanced suite may have.
const MIN_OPENINGS: usize = 100;

/// The plies that an opening of the balanced suite may have.
const PLIES: RangeInclusive<usize> = 6..=10;

/// The plies that an opening of the unbalanced suite may have.
const PLIES_UNBALANCED: RangeInclusive<usize> = 5..=11;

/// The largest difference in material, in pawns: a gambit, but no piece that is still to be taken back.
const MAX_MATERIAL: i32 = 1;

/// The depth of the search, in plies.
const DEPTH: u32 = 16;

/// The largest value, in centipawns for either side, of a balanced opening.
const MAX_CENTIPAWNS: i32 = 70;

/// The value, in centipawns for the side that is ahead, of an unbalanced opening.
const AHEAD: RangeInclusive<i32> = 80..=120;

/// Openings of the unbalanced suite in which White is ahead, and in which Black is.
const EACH: usize = 500;

fn suite(text: &str) -> Vec<Opening> {
    let suite = parse_suite(text.as_bytes(), BUNDLED_FORMAT, Variant::Standard, None);
    suite.expect("the suite parses").iter().collect()
}

fn balanced() -> Vec<Opening> {
    suite(BUNDLED)
}

fn final_position(opening: &Opening) -> Chess {
    let start = opening.start_position().expect("a parsed opening has one");
    opening.moves.iter().fold(start, |position, uci| {
        let chess_move = uci.to_move(&position).expect("a parsed opening has legal moves");
        position.play(chess_move).expect("a parsed opening has legal moves")
    })
}

fn hash(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

/// Whether no side is in check, and no exchange is under way.
fn is_quiet(position: &Chess) -> bool {
    let difference = (material(position, Color::White) - material(position, Color::Black)).abs();
    let other_to_move = position.clone().swap_turn();
    difference <= MAX_MATERIAL && other_to_move.is_ok_and(|position| !position.legal_moves().is_empty())
}

/// All openings have so many plies, end quietly, and end in positions of their own.
fn check_form(openings: &[Opening], plies: &RangeInclusive<usize>) {
    let mut positions = HashMap::new();
    for opening in openings {
        let name = &opening.name;
        assert!(opening.fen.is_none(), "{name} begins elsewhere");
        let count = opening.moves.len();
        assert!(plies.contains(&count), "{name}: {count} plies");
        let position = final_position(opening);
        assert!(
            is_quiet(&position),
            "{name} ends in check or in the middle of an exchange"
        );
        if let Some(other) = positions.insert(hash(&position), name) {
            panic!("{name} and {other} end in the same position");
        }
    }
}

#[test]
fn bundled_suite_is_well_formed() {
    let openings = balanced();
    assert!(openings.len() >= MIN_OPENINGS, "only {} openings", openings.len());
    check_form(&openings, &PLIES);
    let mut names = HashSet::new();
    for Opening { name, .. } in &openings {
        // A name made up from the line would mean that the suite has none.
        assert!(!name.starts_with("line "), "the opening on {name} has no name");
        assert!(names.insert(name), "two openings are named {name}");
    }
}

#[test]
fn unbalanced_suite_is_well_formed() {
    let openings = suite(UNBALANCED);
    assert_eq!(openings.len(), 2 * EACH);
    check_form(&openings, &PLIES_UNBALANCED);
    let of_balanced: HashSet<u64> = balanced()
        .iter()
        .map(|opening| hash(&final_position(opening)))
        .collect();
    for (opening, value) in openings.iter().zip(values_written()) {
        let end = final_position(opening);
        assert!(!of_balanced.contains(&hash(&end)), "{} is balanced", opening.name);
        // Who has just moved has slipped.
        let ahead = if end.turn() == Color::White { value } else { -value };
        assert!(AHEAD.contains(&ahead), "{}: {value}", opening.name);
    }
    let white = values_written().iter().filter(|value| **value > 0).count();
    assert_eq!(white, EACH, "White is ahead in {white}");
}

/// The values for White that stand in the unbalanced suite, in centipawns.
fn values_written() -> Vec<i32> {
    let comments = UNBALANCED
        .lines()
        .filter_map(|line| line.split_once('{')?.1.split_once('}'));
    let value = |text: &str| {
        text.replace('.', "")
            .parse()
            .expect("a value in pawns, with two decimals")
    };
    comments.map(|(text, _)| value(text)).collect()
}

/// The material of a side, in pawns, by the usual 1, 3, 3, 5 and 9.
fn material(position: &Chess, color: Color) -> i32 {
    let worth = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    worth
        .iter()
        .map(|&(role, pawns)| {
            position
                .board()
                .by_piece(role.of(color))
                .into_iter()
                .map(|_| pawns)
                .sum::<i32>()
        })
        .sum()
}

/// The openings of a suite whose value is not as it should be, of all those that Stockfish says.
fn misvalued(openings: &[Opening], is_right: impl Fn(i32) -> bool) -> Vec<String> {
    let mut stockfish = Stockfish::start();
    println!("{}, depth {DEPTH}", stockfish.name);
    let mut wrong = Vec::new();
    for opening in openings {
        let value = stockfish.value(&opening.moves, &final_position(opening), DEPTH);
        println!("{value:?}\t{}", opening.name);
        if !value.is_some_and(&is_right) {
            wrong.push(format!("{}: {value:?}", opening.name));
        }
    }
    wrong
}

#[test]
#[ignore = "takes a minute: make openings-check"]
fn bundled_suite_is_balanced() {
    let wrong = misvalued(&balanced(), |value| value.abs() <= MAX_CENTIPAWNS);
    assert!(wrong.is_empty(), "beyond {MAX_CENTIPAWNS} centipawns: {wrong:#?}");
}

#[test]
#[ignore = "takes some minutes: make openings-check"]
fn unbalanced_suite_is_unbalanced() {
    let wrong = misvalued(&suite(UNBALANCED), |value| AHEAD.contains(&value.abs()));
    assert!(wrong.is_empty(), "not ahead by {AHEAD:?} centipawns: {wrong:#?}");
}
