//! Keys of `[bye]`: who has one, what it is worth, and requests for byes.
//!
//! May not: know layers or files.

use serde_json::json;

use super::{Key, entry, key};
use crate::kind::{Tone, ValueKind, choice, list, listed, or, points, table, whole};
use crate::value::Value;
use swiss_system::score::Points;
use swissmatch_tournament::setup::{ByeLimit, Setup};

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            bye.order,
            listed(),
            r#"Who gets the bye when an odd number play, under "match-points": criteria strictly in turn. Other systems have their own rules."#,
        ),
        Key::shorthand(
            "bye.score",
            both_points(),
            r#"Match and game points of a bye, by name: "protocol" is 0.5 and 1, "leaderboard" is 1 and 2."#,
            &["bye.match_points", "bye.game_points"],
            |setup, (match_points, game_points)| {
                (setup.bye.match_points, setup.bye.game_points) = (match_points, Some(game_points));
            },
        ),
        key!(bye.match_points, points("points", 0..=1000), "Match points of a bye."),
        key!(
            bye.game_points,
            or("auto", points("points", 0..=100_000)),
            r#"Game points of a bye; "auto": its match points divided by a win's, times the games of a round; 1.5 in "double-swiss"."#,
        ),
        key!(
            bye.again,
            choice(),
            r#"What a player gets who is left over but has no right to the bye: the "bye", what a "requested" one gives, or "zero"."#,
        ),
        key!(
            bye.requests,
            list("a list such as [{ rounds = 5, byes = 1 }, { rounds = 9, byes = 2 }], in order of rising rounds, or []", limit()).unless(|limits| {
                let rise = limits.is_sorted_by(|one, other| one.rounds < other.rounds);
                let message = "bye.requests: each line must be for more rounds than the one before";
                (!rise).then(|| message.to_owned())
            }),
            "How many half-point byes (`byes`) a player may ask for in an event of up to `rounds` rounds, each before its round is paired.",
        )
        .output(),
    ]
}

/// Both points of a bye by one name.
fn both_points() -> ValueKind<(Points, Points)> {
    let read = |value: Value<'_>| match value.string()? {
        "protocol" => Ok((Points::HALF, Points::ONE)),
        "leaderboard" => Ok((Points::ONE, Points::whole(2))),
        _ => Err(value.unexpected()),
    };
    ValueKind::new(
        r#""protocol" (0.5 match points, 1 game point) or "leaderboard" (1 match point, 2 game points)"#,
        json!({ "enum": ["protocol", "leaderboard"] }),
        read,
        |_| String::new(),
    )
}

/// One of `bye.requests`.
fn limit() -> ValueKind<ByeLimit> {
    let tone = Tone::Of {
        table: "bye.requests",
        has: "a line has",
        found: false,
    };
    table(
        tone,
        || ByeLimit { rounds: 0, byes: 0 },
        vec![
            entry!(
                ByeLimit.rounds,
                whole("a number", 1..=1000),
                "For events of up to this many rounds.",
            )
            .required(),
            entry!(
                ByeLimit.byes,
                whole("a number", 0..=1000),
                "How many half-point byes a player may ask for in such an event.",
            )
            .required(),
        ],
    )
}
