//! Keys on how the event is carried out, `[run]`.
//!
//! May not: know layers or files.

use serde_json::json;

use super::{Key, key};
use crate::kind::{ValueKind, choice, choices, list, or, parsed, seconds, switch, whole};
use crate::value::quoted;
use swissmatch_tournament::setup::{Anchor, FaultBound, Setup};

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            run.concurrency,
            or("cores", games()),
            r#"How many games are played at once: a number, or "cores": as many as have a core for each thread, and beside them those of models and web services; see docs/engines.md."#,
        )
        .output(),
        key!(run.max_games_per_player, or("none", games()), r#"How many games one player may play at once; "none": no cap."#).output(),
        key!(
            run.pin,
            choice(),
            r#"Whether each game has its own cores: "auto" (when the games at once take all cores), "always" or "none"."#,
        )
        .output(),
        key!(
            run.gpus,
            list("a list of GPUs, such as [0, 1]", whole("the number of a GPU", 0..=1023)),
            r#"GPUs for agents with devices = ["gpu"], one for each engine: docs/isolation.md."#,
        )
        .output(),
        key!(
            run.evidence,
            choice(),
            r#"Which games keep their UCI transcript and standard error: those with "faults", or "all"."#,
        )
        .output(),
        key!(
            run.evidence_game,
            whole("a number of KiB", 16..=65_536),
            "How much text of a game is kept as evidence, in KiB; what is left out is counted there.",
        )
        .output(),
        key!(
            run.evidence_event,
            whole("a number of MiB", 1..=1_000_000),
            "How much the evidence of all games may take up in the log, in MiB; each agent has an equal share of it.",
        )
        .output(),
        key!(
            run.pgn_extras,
            choices(),
            r#"What else the comments of moves contain: "clock", "latency", "nodes", "seldepth", "nps", "hashfull", "tbhits", "pv" and more."#,
        )
        .output(),
        key!(
            run.oversubscribe,
            switch(),
            "Whether the games at once may have more threads than the hardware has, as suits agents that wait for a network.",
        )
        .output(),
        key!(
            run.max_faults,
            or("none", fault_bound()),
            r#"Games that an agent may lose by a fault, or give an alarm in (engine.alarms): a number, or a share of its games (at least 1); with more, the exit code is 3."#,
        )
        .output(),
        key!(
            run.anchor,
            list(
                r#"a list of anchors, such as ["file:/srv/anchors.ndjson", "exec:publish"]"#,
                parsed::<Anchor>("an anchor"),
            ),
            r#"Who takes the head of the log as it grows: "file:PATH" or "exec:PROGRAM"; see docs/anchor.md."#,
        )
        .output(),
        // It decides who rules on a game, the runner or the arbiter, but no result: a resumed run may have another value.
        key!(
            run.replays,
            whole("a number of times", 0..=100),
            "How many times a game that was open when the runner ended is played again by itself; after that the arbiter rules.",
        )
        .output(),
        key!(
            run.lease,
            seconds("30s"),
            "How long a worker may be silent before others are given its games: docs/workers.md.",
        )
        .output(),
    ]
}

fn games() -> ValueKind<u32> {
    whole("a number of games", 1..=10_000)
}

/// Most games that a bound may have.
const MOST_FAULTS: u32 = 10_000;

fn fault_bound() -> ValueKind<FaultBound> {
    let number = json!({ "type": "integer", "minimum": 0, "maximum": MOST_FAULTS });
    let share = json!({ "type": "string", "pattern": "^([1-9]?[0-9]|100)%$" });
    ValueKind::new(
        format!("a number of games from 0 to {MOST_FAULTS} or a share from \"0%\" to \"100%\""),
        json!({ "anyOf": [number, share] }),
        |value| match value.string() {
            Ok(text) if text.ends_with('%') => text.parse().map_err(|_| value.unexpected()),
            _ => value.whole(0..=MOST_FAULTS.into()).map(FaultBound::Games),
        },
        |bound| match bound {
            FaultBound::Games(games) => games.to_string(),
            share @ FaultBound::Percent(_) => quoted(&share.to_string()),
        },
    )
}
