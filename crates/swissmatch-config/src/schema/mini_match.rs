//! The keys of `[mini_match]`.
//!
//! May not: know layers or files; see whether an opening file is there.

use serde_json::json;

use super::{Key, key};
use crate::error::{InvalidValue, nearest};
use crate::kind::{ValueKind, choice, or, whole};
use crate::value::{Value, quoted};
use swissmatch_tournament::setup::{MOST_GAMES, Openings, Setup};

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            mini_match.games,
            games(),
            "How many games two players play in one round: 1, or an even number, so that both have each colour equally often.",
        ),
        key!(
            mini_match.openings,
            openings(),
            r#"Where openings come from: "bundled", "unbalanced", "chess960", "none" or a file (.epd, .fen, .pgn, .bin, also .gz): docs/openings.md."#,
        ),
        key!(
            mini_match.opening_format,
            choice(),
            r#"What a file of openings is, whatever it is called; "by-name": as its extension says."#,
        ),
        key!(
            mini_match.opening_order,
            choice(),
            r#"Order in which openings are taken: "random" (by event.rng_seed) or "sequential"."#,
        ),
        key!(
            mini_match.opening_plies,
            or("none", whole("a number of plies", 1..=1000)),
            r#"Longest opening line taken from a PGN file or a Polyglot book, in plies; "none": PGN lines are taken whole."#,
        ),
        key!(
            mini_match.opening_start,
            whole("a whole number", 1..=u32::MAX),
            "Number of the first opening played, in that order; after the last one, the first comes again.",
        ),
        key!(
            mini_match.opening_policy,
            choice(),
            r#"Which mini-matches have the same openings: all of a "round", all of the "event", or none ("mini-match")."#,
        ),
    ]
}

/// Games of two players in one round.
pub(super) fn games() -> ValueKind<u32> {
    let schema = json!({ "anyOf": [
        { "const": 1 },
        { "type": "integer", "minimum": 2, "maximum": MOST_GAMES, "multipleOf": 2 },
    ] });
    let read = |value: Value<'_>| match value.whole(1..=MOST_GAMES.into())? {
        games if games != 1 && games % 2 == 1 => Err(value.unexpected()),
        games => Ok(games),
    };
    let expected = format!("1 or an even number of games up to {MOST_GAMES}");
    ValueKind::new(expected, schema, read, u32::to_string)
}

pub(super) fn openings() -> ValueKind<Openings> {
    let schema = json!({ "type": "string", "minLength": 1, "maxLength": 4096 });
    ValueKind::new(
        r#""bundled", "unbalanced", "chess960", "none" or the path of an EPD, FEN, PGN or Polyglot file"#,
        schema,
        read_openings,
        |openings| quoted(&String::from(openings.clone())),
    )
}

fn read_openings(value: Value<'_>) -> Result<Openings, InvalidValue> {
    let text = value.line(1..=4096)?;
    match Openings::from(text) {
        // A word without a dot or a folder is hardly a file, so it may be a slip.
        Openings::File(text)
            if !text.contains(['.', '/', '\\'])
                && nearest(&text, &["bundled", "unbalanced", "chess960", "none"]).is_some() =>
        {
            Err(value.unexpected().help(format!("write \"./{text}\" if it is a file")))
        }
        openings => Ok(openings),
    }
}
