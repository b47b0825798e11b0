//! Every key of `[adjudication]`.
//!
//! May not: know layers or files.

use super::Key;
use crate::config::value::{array, quoted};
use crate::tournament::setup::Setup;

const SCORE: std::ops::RangeInclusive<i128> = 1..=100_000;
const MOVES: std::ops::RangeInclusive<i128> = 1..=1000;

pub(super) const KEYS: &[Key<Setup>] = &[
    key!(
        "adjudication.resign_score",
        "\"none\" or centipawns from 1 to 100000",
        "A game is lost when its loser says so many centipawns below zero and its winner as many above; \"none\": played on.",
        adjudication.resign_score = "none" or whole SCORE
    ),
    key!(
        "adjudication.resign_moves",
        "a number of moves from 1 to 1000",
        "For that, so many moves of a side one after the other.",
        adjudication.resign_moves = whole MOVES
    ),
    key!(
        "adjudication.resign_two_sided",
        "true or false",
        "Whether both engines must say so; with false the loser's own scores decide alone.",
        adjudication.resign_two_sided = switch
    ),
    key!(
        "adjudication.draw_score",
        "\"none\" or centipawns from 0 to 100000",
        "A game is drawn when both say that it is at most so many centipawns from level; \"none\": played on.",
        adjudication.draw_score = "none" or whole 0..=100_000
    ),
    key!(
        "adjudication.draw_moves",
        "a number of moves from 1 to 1000",
        "For that, so many moves of each side one after the other; captures and pawn moves begin anew.",
        adjudication.draw_moves = whole MOVES
    ),
    key!(
        "adjudication.draw_from_move",
        "the number of a move from 1 to 10000",
        "Not before both have made the move of this number.",
        adjudication.draw_from_move = whole 1..=10_000
    ),
    Key::new(
        "adjudication.tablebases",
        "a list of directories with Syzygy tables, such as [\"/srv/syzygy/345\", \"/srv/syzygy/6\"], or []",
        "Directories of Syzygy tables that end games, relative to this file; []: none. See docs/adjudication.md.",
        |s, v| {
            let directories = v.list()?.into_iter().map(|v| v.line(1..=4096));
            s.adjudication.tablebases = directories.collect::<Result<_, _>>()?;
            Ok(())
        },
        |s| {
            Some(array(
                s.adjudication.tablebases.iter().map(|directory| quoted(directory)),
            ))
        },
    ),
    key!(
        "adjudication.tablebase_men",
        "a number of men from 3 to 7",
        "Positions of at most so many men are looked up; the tables of all of them must be there.",
        adjudication.tablebase_men = whole 3..=7
    ),
    key!(
        "adjudication.tablebase_rule50",
        "true or false",
        "Whether a win of the tablebases that the fifty-move rule spoils is a draw.",
        adjudication.tablebase_rule50 = switch
    ),
    key!(
        "adjudication.tablebase_adjudicate",
        "\"win-draw\", \"win\" or \"draw\"",
        "What the tablebases end: games that are won or drawn (\"win-draw\"), or one of both (\"win\", \"draw\").",
        adjudication.tablebase_adjudicate = choice
    ),
];
