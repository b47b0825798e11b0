//! The keys of `[engine]`: limits of engine processes outside their thinking.

use std::time::Duration;

use super::{Key, TICK};
use crate::config::value::{quoted, word, write_table};
use crate::game::time_control::write_duration;
use crate::tournament::setup::Setup;

/// Limits of engine processes, their options, and when they are started anew.
pub(super) const KEYS: &[Key<Setup>] = &[
    Key::new(
        "engine.start_limit",
        "a duration above zero, such as \"10s\"",
        "From start to uciok and, after the options, to readyok, each.",
        |s, v| v.duration(TICK).map(|limit| s.engine.start_limit = limit),
        |s| Some(quoted(&write_duration(s.engine.start_limit))),
    ),
    Key::new(
        "engine.start_attempts",
        "a whole number from 1 to 100",
        "Tries to start an engine before the rest of its mini-match is forfeited.",
        |s, v| v.whole(1..=100).map(|attempts| s.engine.start_attempts = attempts),
        |s| Some(s.engine.start_attempts.to_string()),
    ),
    Key::new(
        "engine.ready_limit",
        "a duration above zero, such as \"10s\"",
        "From isready to readyok between games, for each process once: docs/time-controls.md.",
        |s, v| v.duration(TICK).map(|limit| s.engine.ready_limit = limit),
        |s| Some(quoted(&write_duration(s.engine.ready_limit))),
    ),
    Key::new(
        "engine.step_limit",
        "a duration above zero, such as \"1s\"",
        "From isready to readyok after an overrun; more than its slowest start for a start in mid-game; more each game.",
        |s, v| v.duration(TICK).map(|limit| s.engine.step_limit = limit),
        |s| Some(quoted(&write_duration(s.engine.step_limit))),
    ),
    Key::new(
        "engine.stop_grace",
        "a duration such as \"1s\"",
        "How long after stop a bestmove is waited for before the engine is killed and started anew.",
        |s, v| v.duration(Duration::ZERO).map(|grace| s.engine.stop_grace = grace),
        |s| Some(quoted(&write_duration(s.engine.stop_grace))),
    ),
    Key::new(
        "engine.quit_grace",
        "a duration such as \"1s\"",
        "How long after quit an engine may live before it is killed.",
        |s, v| v.duration(Duration::ZERO).map(|grace| s.engine.quit_grace = grace),
        |s| Some(quoted(&write_duration(s.engine.quit_grace))),
    ),
    Key::new(
        "engine.options",
        "a table of UCI options, such as { Hash = 16, Ponder = false }",
        "UCI options for every engine that declares them; player.options goes over them name by name.",
        |s, v| v.uci_options().map(|options| s.engine.options = options),
        |s| Some(write_table(&s.engine.options)),
    ),
    Key::new(
        "engine.restart",
        "\"never\" or \"game\"",
        "When engines are started anew: \"never\" while their mini-match lasts, or for each \"game\".",
        |s, v| v.choice().map(|restart| s.engine.restart = restart),
        |s| Some(word(s.engine.restart)),
    ),
];
