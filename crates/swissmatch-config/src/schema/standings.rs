//! Keys of `[standings]`: the criteria that rank.
//!
//! May not: know layers or files.

use serde_json::json;

use super::{Key, key};
use crate::kind::{ValueKind, choice, criteria, or, whole};
use crate::value::{array, quoted};
use swissmatch_tournament::column::Column;
use swissmatch_tournament::setup::Setup;

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            standings.order,
            criteria(r#"["match-points", "h2h", "BH/C1", "SB"]"#).unless(|order| {
                let begins_with_points = order.first().is_some_and(|first| first.code.is_points());
                let message = "the first criterion must be \"match-points\" or \"game-points\"; the others break its ties";
                (!begins_with_points).then(|| message.to_owned())
            }),
            r#"What ranks the players: criteria strictly in turn, "match-points" or "game-points" first; see `swissmatch standings --list`."#,
        ),
        key!(
            standings.columns,
            columns(),
            r#"Columns after place and name: criteria, "acpl", "win-rate", "wdl", "wdl-white", "games", "byes", "faults" and more."#,
        )
        .output(),
        key!(
            standings.edition,
            choice(),
            r#"How the tie-breaks of C.07 treat unplayed rounds: as in "2026" (in force), "2024" or "2022", or "played-only"."#,
        ),
        key!(
            standings.black_wins,
            choice(),
            r#"What "BWG" counts: games won with Black "over-the-board", or "with-forfeits" of opponents who had White and did not come."#,
        ),
        key!(
            standings.unrated,
            or("none", whole("a rating", -10_000..=10_000)),
            r#"Rating that players without one have in tie-breaks; "none": tie-breaks of ratings are then left out."#,
        ),
        key!(
            standings.disqualified,
            choice(),
            r#"If a player is disqualified after the end, it is "off-the-list" and others keep their scores, or its results are "annulled"."#,
        ),
    ]
}

fn columns() -> ValueKind<Vec<Column>> {
    ValueKind::new(
        r#"a list of criteria, "acpl", "accuracy", "blunders", "win-rate", "wdl", "wdl-white", "wdl-black", "games", "byes", "forfeits", "faults", "attempts", "move-time", "tokens-in", "tokens-out", "cost", "cost-a-win", "legal-share", "score" and "score-without-faults""#,
        json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "uniqueItems": true }),
        |value| value.parsed_each::<Column>(|_| false),
        |columns| array(columns.iter().map(|column| quoted(&column.to_string()))),
    )
}
