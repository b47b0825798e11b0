//! How the event is carried out: the keys of `[run]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::config::kind::{Kind, choice, choices, or, switch, whole};
use crate::tournament::setup::Setup;

/// How the event is carried out.
pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            run.concurrency,
            or("cores", games()),
            r#"Games at once: a number, or "cores", as many as have a core for each thread: docs/engines.md."#,
        )
        .output(),
        key!(run.max_games_per_player, or("none", games()), r#"Games at once of one player; "none": no cap."#).output(),
        key!(
            run.pin,
            choice(),
            r#"Each game on cores of its own: "auto" where the games at once take all cores, "always", or "none"."#,
        )
        .output(),
        key!(
            run.evidence,
            choice(),
            r#"Which games keep their UCI transcript and standard error: those with "faults", or "all"."#,
        )
        .output(),
        key!(
            run.pgn_extras,
            choices(),
            r#"More in the comments of moves: "clock", "latency", "nodes", "seldepth", "nps", "hashfull", "tbhits", "pv" …"#,
        )
        .output(),
        key!(
            run.oversubscribe,
            switch(),
            "Whether games at once may have more threads than there are hardware threads, as agents that wait for a network may.",
        )
        .output(),
    ]
}

fn games() -> Kind<u32> {
    whole("a number of games", 1..=10_000)
}
