//! Keys of `[ladder]`.
//!
//! May not: know layers or files.

use std::collections::BTreeMap;

use serde_json::json;

use super::mini_match::openings;
use super::{Key, key};
use crate::kind::{ValueKind, optional, parsed, whole};
use crate::value::{inline_table, key as written};
use swissmatch_tournament::setup::Setup;

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            ladder.schedule,
            optional(parsed(
                "when rounds begin, such as \"hourly\", \"hourly 08-22\" or \"every 15m\""
            )),
            r#"When rated rounds begin until submissions.lock, by schedule.time_zone: "hourly 08-22" (the last one at 22:00), "every 15m"; if left out, there are none."#,
        )
        .such_as(r#""hourly 08-22""#)
        .output(),
        key!(
            ladder.fixed,
            ratings(),
            "Players with a program of the organizer's, by name, whose ratings do not move.",
        )
        .such_as(r#"{ "Reference 1" = 1500 }"#)
        .output(),
        key!(
            ladder.games,
            whole("a number of games", 1..=2),
            "How many games two players play in a round of the ladder.",
        )
        .output(),
        key!(
            ladder.openings,
            openings(),
            "Where openings of the ladder come from, as in mini_match.openings; never from those of the event itself.",
        )
        .output(),
    ]
}

/// Ratings by name.
fn ratings() -> ValueKind<BTreeMap<String, i32>> {
    const RANGE: std::ops::RangeInclusive<i128> = -10_000..=10_000;
    ValueKind::new(
        r#"a table of ratings, such as { "Reference 1" = 1500 }"#,
        json!({ "type": "object", "additionalProperties": { "type": "integer", "minimum": -10_000, "maximum": 10_000 } }),
        |value| value.by_name(|rating| rating.whole(RANGE)),
        |ratings| {
            inline_table(
                ratings
                    .iter()
                    .map(|(name, rating)| format!("{} = {rating}", written(name)))
                    .collect(),
            )
        },
    )
}
