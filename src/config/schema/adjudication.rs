//! Every key of `[adjudication]`.
//!
//! May not: know layers or files.

use super::Key;
use crate::config::value::{array, or_word, quoted, word};
use crate::tournament::setup::Setup;

const SCORE: std::ops::RangeInclusive<i128> = 1..=100_000;
const MOVES: std::ops::RangeInclusive<i128> = 1..=1000;

pub(super) const KEYS: &[Key<Setup>] = &[
    Key::new(
        "adjudication.resign_score",
        "\"none\" or centipawns from 1 to 100000",
        "A game is lost when its loser says so many centipawns below zero and its winner as many above; \"none\": played on.",
        |s, v| {
            v.word_or("none", |v| v.whole(SCORE))
                .map(|score| s.adjudication.resign_score = score)
        },
        |s| Some(or_word(s.adjudication.resign_score, "none")),
    ),
    Key::new(
        "adjudication.resign_moves",
        "a number of moves from 1 to 1000",
        "For that, so many moves of a side one after the other.",
        |s, v| v.whole(MOVES).map(|moves| s.adjudication.resign_moves = moves),
        |s| Some(s.adjudication.resign_moves.to_string()),
    ),
    Key::new(
        "adjudication.resign_two_sided",
        "true or false",
        "Whether both engines must say so; with false the loser's own scores decide alone.",
        |s, v| v.switch().map(|two_sided| s.adjudication.resign_two_sided = two_sided),
        |s| Some(s.adjudication.resign_two_sided.to_string()),
    ),
    Key::new(
        "adjudication.draw_score",
        "\"none\" or centipawns from 0 to 100000",
        "A game is drawn when both say that it is at most so many centipawns from level; \"none\": played on.",
        |s, v| {
            v.word_or("none", |v| v.whole(0..=100_000))
                .map(|score| s.adjudication.draw_score = score)
        },
        |s| Some(or_word(s.adjudication.draw_score, "none")),
    ),
    Key::new(
        "adjudication.draw_moves",
        "a number of moves from 1 to 1000",
        "For that, so many moves of each side one after the other; captures and pawn moves begin anew.",
        |s, v| v.whole(MOVES).map(|moves| s.adjudication.draw_moves = moves),
        |s| Some(s.adjudication.draw_moves.to_string()),
    ),
    Key::new(
        "adjudication.draw_from_move",
        "the number of a move from 1 to 10000",
        "Not before both have made the move of this number.",
        |s, v| v.whole(1..=10_000).map(|number| s.adjudication.draw_from_move = number),
        |s| Some(s.adjudication.draw_from_move.to_string()),
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
    Key::new(
        "adjudication.tablebase_men",
        "a number of men from 3 to 7",
        "Positions of at most so many men are looked up; the tables of all of them must be there.",
        |s, v| v.whole(3..=7).map(|men| s.adjudication.tablebase_men = men),
        |s| Some(s.adjudication.tablebase_men.to_string()),
    ),
    Key::new(
        "adjudication.tablebase_rule50",
        "true or false",
        "Whether a win of the tablebases that the fifty-move rule spoils is a draw.",
        |s, v| v.switch().map(|rule50| s.adjudication.tablebase_rule50 = rule50),
        |s| Some(s.adjudication.tablebase_rule50.to_string()),
    ),
    Key::new(
        "adjudication.tablebase_adjudicate",
        "\"win-draw\", \"win\" or \"draw\"",
        "What the tablebases end: games that are won or drawn (\"win-draw\"), or one of both (\"win\", \"draw\").",
        |s, v| v.choice().map(|decides| s.adjudication.tablebase_adjudicate = decides),
        |s| Some(word(s.adjudication.tablebase_adjudicate)),
    ),
];
