//! The keys of `[engine]`: limits of engine processes outside their thinking.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::config::kind::{choice, duration, switch, time, uci_options, whole};
use crate::tournament::setup::Setup;

/// Limits of engine processes, their options, and when they are started anew.
pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            engine.start_limit,
            time("10s"),
            "From start to uciok and, after the options, to readyok, each.",
        ),
        key!(
            engine.start_attempts,
            whole("a whole number", 1..=100),
            "Tries to start an engine before the rest of its mini-match is forfeited.",
        ),
        key!(
            engine.ready_limit,
            time("10s"),
            "From isready to readyok between games, for each process once: docs/time-controls.md.",
        ),
        key!(
            engine.step_limit,
            time("1s"),
            "From isready to readyok after an overrun; more than its slowest start for a start in mid-game; more each game.",
        ),
        key!(
            engine.stop_grace,
            duration("1s"),
            "How long after stop a bestmove is waited for before the engine is killed and started anew.",
        ),
        key!(
            engine.quit_grace,
            duration("1s"),
            "How long after quit an engine may live before it is killed.",
        ),
        key!(
            engine.options,
            uci_options("{ Hash = 16, Ponder = false }"),
            "UCI options for every engine that declares them; player.options override them name by name.",
        ),
        key!(
            engine.restart,
            choice(),
            r#"When engines are started anew: "never" while their mini-match lasts, or for each "game"."#,
        ),
        key!(
            engine.must_start,
            switch(),
            "Whether an event begins only if every agent starts; with false the games of one that does not are forfeited.",
        )
        .of_the_beginning(),
    ]
}
