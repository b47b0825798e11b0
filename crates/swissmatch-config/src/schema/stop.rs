//! Keys of the rule that ends an event before its last round, `[stop]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{or, parsed, time, whole};
use swissmatch_tournament::setup::Setup;

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            stop.when,
            or(
                "none",
                parsed(r#"places and how sure they are to be, such as "places 1-3 at 95%""#)
            ),
            "The event ends after a round of a Swiss, or a cycle, in which these places are sure: docs/confidence.md.",
        ),
        key!(
            stop.from_round,
            or("auto", whole("a round", 1..=10_000_u32)),
            r#"The first round after which that is looked at; "auto": log2 of the number of players, rounded up."#,
        ),
        key!(
            stop.games,
            or("none", whole("a number of games", 1..=1_000_000_000_u32)),
            "The event has at most so many games: no round of a Swiss, and no cycle, begins that would make more.",
        ),
        key!(
            stop.time,
            or("none", time("480m")),
            "No round of a Swiss, and no cycle, begins after the players have thought so long, both sides of all games together.",
        ),
    ]
}
