//! Every key of `[playoff]`.
//!
//! May not: know layers or files.

use std::time::Duration;

use super::{Key, entry, key};
use crate::kind::{
    Tone, ValueKind, choice, criteria, duration, list, one_of_tables, or, rising, tagged, time_control, whole,
};
use swissmatch_game::time_control::{Limit, TimeControl};
use swissmatch_tournament::playoff_rules::{Colors, PlayoffStage};
use swissmatch_tournament::setup::{PlayoffNumbers, Setup};

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            playoff.places,
            rising(
                "the places must rise",
                list(
                    "a list of places from 1 to 10000 in rising order, such as [1] or [1, 3], or []",
                    whole("a place", 1..=10_000)
                )
            ),
            "Places that a play-off separates from the next place when players are tied for both: [1] is the first; []: none.",
        ),
        key!(
            playoff.when,
            choice(),
            r#"Which ties are played off: all for such a place ("tied"), or only those for an "indivisible-prize" of [prizes]."#,
        ),
        key!(
            playoff.tied_on,
            choice(),
            r#"Which players are tied: those level on "points" (the first criterion of standings.order), or on the whole "order"."#,
        ),
        key!(
            playoff.entrants,
            choice(),
            r#"Who plays when three or more are tied: "all", or the "top-two" by playoff.numbers."#,
        ),
        key!(
            playoff.numbers,
            or("lot", criteria(r#"["WIN", "BPG", "DE"]"#)).map(
                |criteria| criteria.map_or(PlayoffNumbers::Lot, PlayoffNumbers::By),
                |numbers| match numbers {
                    PlayoffNumbers::Lot => Some(None),
                    PlayoffNumbers::By(criteria) => Some(Some(criteria.clone())),
                },
            ),
            r#"Pairing numbers of tied players: criteria strictly in turn, then lots; or only by "lot", drawn anew as the tour's rules say."#,
        ),
        key!(
            playoff.stages,
            list(
                r#"a list of stages, such as [{ kind = "round-robin", two = "8:00+3", more = "5:00+2" }]"#,
                stage()
            ),
            r#"Stages of a play-off, in turn: kind = "head-to-head", "round-robin" or "armageddon"; after them the arbiter decides."#,
        ),
        key!(
            playoff.head_to_head,
            choice(),
            r#"Which games count head to head: those of rounds paired on the day of the last round ("same-day"), or those of "any-day"."#,
        ),
        key!(
            playoff.knockout,
            choice(),
            r#"Who goes on from a level mini-match of a knockout: who wins the "play-off", or the "better-seed": docs/formats.md."#,
        ),
        key!(
            playoff.third,
            choice(),
            r#"Who is third in a knockout: both who lost in the semi-finals ("shared"), the "better-seed" of them, or who wins their "match"."#,
        ),
        key!(
            playoff.start_after,
            duration("15m").called(r#"a duration such as "15m" or "0s""#),
            "Least time from the end of the last game to the first game of a play-off.",
        )
        .output(),
    ]
}

/// Limits for two players, and for three or more.
type RoundRobin = (TimeControl, TimeControl);
/// White's limits, Black's limits, and how colours are settled.
type Armageddon = (TimeControl, TimeControl, Colors);

/// A stage: a table whose entry `kind` says which others it has.
fn stage() -> ValueKind<PlayoffStage> {
    let kind = |word| Some(("kind", word));
    let limits = || time_control("a time control as a string");
    let head_to_head = tagged(kind("head-to-head"), Tone::Bare, || (), Vec::new()).map(
        |()| PlayoffStage::HeadToHead,
        |stage| matches!(stage, PlayoffStage::HeadToHead).then_some(()),
    );
    let round_robin = tagged(
        kind("round-robin"),
        Tone::Bare,
        || (no_time(), no_time()),
        vec![
            entry!("two", RoundRobin.0, limits(), "Time control for two players.").required(),
            entry!(
                "more",
                RoundRobin.1,
                limits(),
                "Time control for three or more players."
            )
            .required(),
        ],
    )
    .map(
        |(two, more)| PlayoffStage::RoundRobin { two, more },
        |stage| match stage {
            PlayoffStage::RoundRobin { two, more } => Some((two.clone(), more.clone())),
            _ => None,
        },
    );
    let armageddon = tagged(
        kind("armageddon"),
        Tone::Bare,
        || (no_time(), no_time(), Colors::Choice),
        vec![
            entry!("white", Armageddon.0, limits(), "White's time control.").required(),
            entry!("black", Armageddon.1, limits(), "Black's time control.").required(),
            entry!(
                "colors",
                Armageddon.2,
                choice(),
                "How White is settled: the winner of a coin toss chooses (\"choice\"), or by \"lot\".",
            )
            .required(),
        ],
    )
    .map(
        |(white, black, colors)| PlayoffStage::Armageddon { white, black, colors },
        |stage| match stage {
            PlayoffStage::Armageddon { white, black, colors } => Some((white.clone(), black.clone(), *colors)),
            _ => None,
        },
    );
    one_of_tables(
        "a stage",
        "kind",
        vec![
            ("head-to-head", head_to_head),
            ("round-robin", round_robin),
            ("armageddon", armageddon),
        ],
    )
}

/// A placeholder for required entries, which replace it.
fn no_time() -> TimeControl {
    Limit::MoveTime(Duration::ZERO).into()
}
