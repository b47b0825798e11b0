//! The keys of `[engine]`: limits of engine processes outside their thinking.

use std::time::Duration;

use super::{Key, TICK};
use crate::config::value::write_table;
use crate::tournament::setup::Setup;

/// Limits of engine processes, their options, and when they are started anew.
pub(super) const KEYS: &[Key<Setup>] = &[
    key!(
        "engine.start_limit",
        "a duration above zero, such as \"10s\"",
        "From start to uciok and, after the options, to readyok, each.",
        engine.start_limit = duration TICK
    ),
    key!(
        "engine.start_attempts",
        "a whole number from 1 to 100",
        "Tries to start an engine before the rest of its mini-match is forfeited.",
        engine.start_attempts = whole 1..=100
    ),
    key!(
        "engine.ready_limit",
        "a duration above zero, such as \"10s\"",
        "From isready to readyok between games, for each process once: docs/time-controls.md.",
        engine.ready_limit = duration TICK
    ),
    key!(
        "engine.step_limit",
        "a duration above zero, such as \"1s\"",
        "From isready to readyok after an overrun; more than its slowest start for a start in mid-game; more each game.",
        engine.step_limit = duration TICK
    ),
    key!(
        "engine.stop_grace",
        "a duration such as \"1s\"",
        "How long after stop a bestmove is waited for before the engine is killed and started anew.",
        engine.stop_grace = duration Duration::ZERO
    ),
    key!(
        "engine.quit_grace",
        "a duration such as \"1s\"",
        "How long after quit an engine may live before it is killed.",
        engine.quit_grace = duration Duration::ZERO
    ),
    Key::new(
        "engine.options",
        "a table of UCI options, such as { Hash = 16, Ponder = false }",
        "UCI options for every engine that declares them; player.options goes over them name by name.",
        |s, v| v.uci_options().map(|options| s.engine.options = options),
        |s| Some(write_table(&s.engine.options)),
    ),
    key!(
        "engine.restart",
        "\"never\" or \"game\"",
        "When engines are started anew: \"never\" while their mini-match lasts, or for each \"game\".",
        engine.restart = choice
    ),
];
