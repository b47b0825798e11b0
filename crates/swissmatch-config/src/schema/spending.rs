//! Keys of `[spending]`, limits on spending at services.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{ValueKind, choice, micros, optional, whole};
use swissmatch_tournament::setup::{Micros, Setup};

/// The largest amount of a limit.
const MOST: Micros = Micros(1_000_000_000_000_000);

/// Keys for limits on spending, all of which may be raised when a run is resumed.
pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            spending.event,
            optional(amount()),
            "How much all players may spend together, in the event and all rounds of its ladder, in the unit of the prices; if left out, any amount.",
        )
        .output(),
        key!(
            spending.player,
            optional(amount()),
            "How much each player may spend, in the same unit; if left out, any amount.",
        )
        .output(),
        key!(
            spending.tokens,
            optional(whole("a number of tokens", 1..=1_000_000_000_000_000)),
            "How many tokens the calls of all players may have; if left out, any number.",
        )
        .output(),
        key!(
            spending.requests,
            optional(whole("a number of requests", 1..=1_000_000_000_000)),
            "How many requests all players may make; if left out, any number.",
        )
        .output(),
        key!(
            spending.at_limit,
            choice(),
            r#"What happens where one of these is reached: "pause" pauses the run, by "forfeit" whoever needs the call loses the game."#,
        )
        .output(),
    ]
}

fn amount() -> ValueKind<Micros> {
    micros(
        "an amount above 0 with at most six decimals, such as 50.0",
        Micros(1)..=MOST,
    )
}
