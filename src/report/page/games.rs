//! The games of a mini-match as JSON: moves, times, what engines said of them. docs/page.md.
//!
//! May not: hold what an agent wrote to standard error, or anything of its command.

use serde::Serialize;
use swiss_system::text::harmless;

use super::super::pgn;
use crate::game::Side;
use crate::game::eval::Eval;
use crate::game::record::{FailedAttempt, GameRecord};
use crate::game::variant::Variant;
use crate::game::variations::Variations;
use crate::tournament::state::{Game, State};

#[derive(Serialize)]
struct Games<'a> {
    schema: u32,
    games: Vec<OneGame<'a>>,
}

/// Columns have one entry a ply of `moves`, or none at all.
#[derive(Serialize)]
struct OneGame<'a> {
    game: u32,
    fen: String,
    opening: String,
    opening_name: Option<String>,
    moves: &'a str,
    chess960: bool,
    time_us: &'a [u64],
    clock_us: &'a [u64],
    eval: &'a [Option<Eval>],
    depth: &'a [Option<u32>],
    nodes: &'a [Option<u64>],
    pv: &'a Variations,
    attempts: Vec<Attempt>,
    ending: String,
}

/// An attempt at a move that failed.
#[derive(Serialize)]
struct Attempt {
    ply: u32,
    side: Side,
    attempt: u32,
    time_us: u64,
    text: String,
}

/// Games of one mini-match that were played, with their records, as JSON.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(state: &State, played: &[(Game, GameRecord)]) -> String {
    let games = played.iter().map(|(game, record)| one_game(state, game, record));
    let document = Games {
        schema: 1,
        games: games.collect(),
    };
    serde_json::to_string(&document).expect("plain data")
}

fn one_game<'a>(state: &State, game: &Game, record: &'a GameRecord) -> OneGame<'a> {
    OneGame {
        game: game.finished.id.game,
        fen: record.opening.start_fen(),
        opening: record.opening.moves_text(),
        opening_name: (!record.opening.name.is_empty()).then(|| harmless(&record.opening.name)),
        moves: &record.moves,
        chess960: record.opening.variant == Variant::Chess960,
        time_us: &record.time_us,
        clock_us: &record.clock_us,
        eval: &record.eval,
        depth: &record.depth,
        nodes: &record.nodes,
        pv: &record.pv,
        attempts: record.failed_attempts.iter().map(attempt).collect(),
        ending: pgn::reason(state, game, record),
    }
}

fn attempt(failed: &FailedAttempt) -> Attempt {
    Attempt {
        ply: failed.ply,
        side: failed.side,
        attempt: failed.attempt,
        time_us: failed.time_us,
        text: harmless(&failed.end.to_string()),
    }
}
