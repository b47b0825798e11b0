//! The keys of `[mini_match]`.
//!
//! May not: know layers or files; see whether an opening file is there.

use super::Key;
use crate::config::error::{Problem, nearest};
use crate::config::value::{Value, quoted};
use crate::tournament::setup::{Openings, Setup};

/// How many games two players play, and from which openings.
pub(super) const KEYS: &[Key<Setup>] = &[
    Key::new(
        "mini_match.games",
        "1 or an even number of games up to 10000",
        "Games of two players in one round: 1 or an even number, so that both have each colour equally often.",
        |s, v| match v.whole(1..=10_000)? {
            games if games != 1 && games % 2 == 1 => Err(v.unexpected()),
            games => {
                s.mini_match.games = games;
                Ok(())
            }
        },
        |s| Some(s.mini_match.games.to_string()),
    ),
    Key::new(
        "mini_match.openings",
        "\"bundled\", \"chess960\", \"none\" or the path of an EPD, FEN, PGN or Polyglot file",
        "Where openings come from: \"bundled\", \"chess960\", \"none\" or a file (.epd, .fen, .pgn, .bin, also .gz): docs/openings.md.",
        |s, v| read_openings(v).map(|openings| s.mini_match.openings = openings),
        |s| {
            Some(match &s.mini_match.openings {
                Openings::Bundled => quoted("bundled"),
                Openings::None => quoted("none"),
                Openings::Chess960 => quoted("chess960"),
                Openings::File(path) => quoted(path),
            })
        },
    ),
    key!(
        "mini_match.opening_order",
        "\"random\" or \"sequential\"",
        "In which order openings are taken: \"random\" (by event.rng_seed) or \"sequential\".",
        mini_match.opening_order = choice
    ),
    key!(
        "mini_match.opening_plies",
        "\"none\" or a number of plies from 1 to 1000",
        "Longest opening line taken from a PGN file or a Polyglot book, in plies; \"none\" takes PGN lines whole.",
        mini_match.opening_plies = "none" or whole 1..=1000
    ),
    Key::new(
        "mini_match.opening_start",
        "a whole number from 1 to 4294967295",
        "The first opening played, by its number in that order; after the last one the first follows.",
        |s, v| {
            v.whole(1..=u32::MAX.into())
                .map(|start| s.mini_match.opening_start = start)
        },
        |s| Some(s.mini_match.opening_start.to_string()),
    ),
    key!(
        "mini_match.opening_policy",
        "\"round\" or \"mini-match\"",
        "The same openings in all mini-matches of a \"round\", or openings of its own for each \"mini-match\".",
        mini_match.opening_policy = choice
    ),
];

fn read_openings(value: Value<'_>) -> Result<Openings, Problem> {
    let text = value.line(1..=4096)?;
    match text.as_str() {
        "bundled" => Ok(Openings::Bundled),
        "none" => Ok(Openings::None),
        "chess960" => Ok(Openings::Chess960),
        // A word without a dot or a folder is hardly a file: see whether it is a slip.
        _ if !text.contains(['.', '/', '\\']) && nearest(&text, &["bundled", "chess960", "none"]).is_some() => {
            Err(value.unexpected().help(format!("write \"./{text}\" if it is a file")))
        }
        _ => Ok(Openings::File(text)),
    }
}
