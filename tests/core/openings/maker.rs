//! Makes the unbalanced suite, `configs/unbalanced.pgn`: `make unbalanced-suite`, which takes Stockfish a quarter of an hour.
//!
//! An opening is the beginning of a line of the balanced suite, and then a slip: a move after which Stockfish sees the other side
//! ahead by [`AHEAD`]. Each beginning gives [`EACH_BEGINNING`] of them at most. From all that were found, [`EACH`] in which White is
//! ahead and as many in which Black is are taken, evenly over the suite.

use std::collections::HashSet;
use std::fmt::Write as _;

use rayon::prelude::*;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position};

use super::stockfish::Stockfish;
use super::{AHEAD, DEPTH, EACH, balanced, hash, is_quiet};

/// The fewest plies of a beginning.
const FEWEST: usize = 4;
/// To what depth all moves of a beginning are looked at first.
const FIRST_LOOK: u32 = 8;
/// What a move has to be worth there, in centipawns, to be looked at again.
const LOOKED_AT: std::ops::RangeInclusive<i32> = 60..=150;
/// How many moves of a beginning are looked at again.
const AGAIN: usize = 4;
/// How many openings a beginning gives at most.
const EACH_BEGINNING: usize = 2;

/// An opening that was found, and its value for White in centipawns.
struct Found {
    moves: Vec<UciMove>,
    value: i32,
    end: u64,
}

#[test]
#[ignore = "a quarter of an hour, and writes a file: make unbalanced-suite"]
fn make() {
    let beginnings = beginnings();
    let size = beginnings.len().div_ceil(rayon::current_num_threads());
    let found: Vec<Found> = beginnings
        .par_chunks(size)
        .flat_map_iter(|chunk| {
            let mut stockfish = Stockfish::start();
            chunk
                .iter()
                .flat_map(|moves| slips(&mut stockfish, moves))
                .collect::<Vec<Found>>()
        })
        .collect();
    let mut ends: HashSet<u64> = balanced().iter().map(|opening| hash(&after(&opening.moves))).collect();
    let found: Vec<Found> = found.into_iter().filter(|found| ends.insert(found.end)).collect();
    println!("{} openings from {} beginnings", found.len(), beginnings.len());
    let of_side = |is_white: bool| {
        let all: Vec<&Found> = found.iter().filter(|found| (found.value > 0) == is_white).collect();
        assert!(all.len() >= EACH, "only {} in which one side is ahead", all.len());
        (0..EACH).map(move |number| all[number * all.len() / EACH])
    };
    let mut text = head(&Stockfish::start().name);
    for (white, black) in of_side(true).zip(of_side(false)) {
        for found in [white, black] {
            let value = f64::from(found.value) / 100.0;
            writeln!(text, "\n{} {{{value:+.2}}} *", movetext(&found.moves)).expect("it is a string");
        }
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/configs/unbalanced.pgn"), text).expect("it can be written");
}

fn head(stockfish: &str) -> String {
    format!(
        "\
% The unbalanced opening suite that comes with swissmatch: {both} openings of {} to {} plies. Each is the beginning of a
% line of the balanced suite, and then a move after which one side is ahead: White in {EACH} of them, Black in {EACH}.
%
% In braces stands the value for White, in pawns, that {stockfish} sees: one thread, 64 MB of hash, a new game before
% each position, depth {DEPTH}. It is {:.2} to {:.2} for the side that is ahead. To make the suite again, and to check it:
%
%     make unbalanced-suite
%     make openings-check
%
% SPDX-License-Identifier: GPL-3.0-or-later (the licence of the project)
",
        FEWEST + 1,
        super::PLIES.end() + 1,
        f64::from(*AHEAD.start()) / 100.0,
        f64::from(*AHEAD.end()) / 100.0,
        both = 2 * EACH,
    )
}

/// How lines of the balanced suite begin, each position once.
fn beginnings() -> Vec<Vec<UciMove>> {
    let mut seen = HashSet::new();
    let lines = balanced();
    let all = lines
        .iter()
        .flat_map(|line| (FEWEST..=line.moves.len()).map(|plies| line.moves[..plies].to_vec()));
    all.filter(|moves| seen.insert(hash(&after(moves)))).collect()
}

/// The slips that may follow a beginning, with the moves before them.
fn slips(stockfish: &mut Stockfish, moves: &[UciMove]) -> Vec<Found> {
    let position = after(moves);
    let sign = if position.turn() == Color::White { -1 } else { 1 };
    let middle = (AHEAD.start() + AHEAD.end()) / 2;
    let mut looked_at: Vec<(UciMove, i32)> = stockfish
        .values(moves, &position, FIRST_LOOK)
        .into_iter()
        .filter(|(_, value)| LOOKED_AT.contains(&(value * sign)))
        .collect();
    looked_at.sort_by_key(|(slip, value)| ((value * sign - middle).abs(), slip.to_string()));
    let found = looked_at.into_iter().take(AGAIN).filter_map(|(slip, _)| {
        let moves = [moves, &[slip]].concat();
        let end = after(&moves);
        if !is_quiet(&end) {
            return None;
        }
        let value = stockfish.value(&moves, &end, DEPTH)?;
        AHEAD.contains(&(value * sign)).then(|| Found {
            end: hash(&end),
            moves,
            value,
        })
    });
    found.take(EACH_BEGINNING).collect()
}

fn after(moves: &[UciMove]) -> Chess {
    moves.iter().fold(Chess::default(), |position, uci| {
        let chess_move = uci.to_move(&position).expect("the moves are legal");
        position.play(chess_move).expect("the moves are legal")
    })
}

fn movetext(moves: &[UciMove]) -> String {
    let mut position = Chess::default();
    let mut words = Vec::new();
    for (ply, uci) in moves.iter().enumerate() {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        }
        let chess_move = uci.to_move(&position).expect("the moves are legal");
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, chess_move).to_string());
    }
    words.join(" ")
}
