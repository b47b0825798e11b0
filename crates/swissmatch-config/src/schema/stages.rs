//! The list of stages, `event.stages`.
//!
//! May not: know layers or files; see whether stages fit each other.

use super::{entry, mini_match};
use crate::kind::{Tone, ValueKind, list, optional, rounds, table, time_control, whole};
use swissmatch_tournament::setup::{Rounds, StageKeys};

/// One of `event.stages`.
pub(super) fn stage() -> ValueKind<StageKeys> {
    let tone = Tone::Of {
        table: "a stage",
        has: "a stage has",
        found: false,
    };
    let blank = || StageKeys {
        format: Rounds::Auto,
        top: None,
        games: None,
        games_by_round: Vec::new(),
        time_control: None,
    };
    let top = whole("a number", 1..=10_000).called("a number of players of the stage before");
    // An empty list means none, and is not written.
    let by_round = list("a list of games, such as [4, 6, 8]", mini_match::games()).map(
        |games| games,
        |games: &Vec<u32>| (!games.is_empty()).then(|| games.clone()),
    );
    table(
        tone,
        blank,
        vec![
            entry!(
                StageKeys.format,
                rounds("a format as in swiss.rounds"),
                "What is played, as in swiss.rounds.",
            )
            .required_saying("a stage has no format", "give it one, such as format = \"7-SS\""),
            entry!(
                StageKeys.top,
                optional(top),
                "How many players go on to it from the stage before; the first stage has no top, since everybody plays it.",
            ),
            entry!(
                StageKeys.games,
                optional(mini_match::games()),
                "How many games two players play in one round, in place of mini_match.games.",
            ),
            entry!(
                StageKeys.games_by_round,
                by_round,
                "The same of a knockout, counted from its end: the last is of the final, the first also of all rounds before its own.",
            ),
            entry!(
                StageKeys.time_control,
                optional(time_control("a time control as a string")),
                "Time control of the stage, in place of game.time_control.",
            ),
        ],
    )
}
