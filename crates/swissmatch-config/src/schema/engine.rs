//! The keys of `[engine]`: limits of engine processes outside their thinking.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{choice, choices, duration, exec, line, list, optional, or, switch, time, uci_options, whole};
use swiss_system::word::Word as _;
use swissmatch_game::isolation::Protection;
use swissmatch_tournament::setup::Setup;

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            engine.start_limit,
            time("10s"),
            "Time limit from an engine's start to uciok, and again from its options to readyok.",
        ),
        key!(
            engine.start_attempts,
            whole("a whole number", 1..=100),
            "How many failed starts of an engine forfeit the rest of its mini-match.",
        ),
        key!(
            engine.ready_limit,
            time("10s"),
            "Time limit from isready to readyok between games, once for each process: docs/time-controls.md.",
        ),
        key!(
            engine.step_limit,
            time("1s"),
            "Time limit from isready to readyok after an overrun; also extra time for a start in mid-game, and for each game begun.",
        ),
        key!(
            engine.stop_grace,
            duration("1s"),
            "How long to wait for bestmove after stop before the engine is killed and restarted.",
        ),
        key!(
            engine.quit_grace,
            duration("1s"),
            "How long an engine may go on running after quit before it is killed.",
        ),
        key!(
            engine.options,
            uci_options("{ Hash = 16, Ponder = false }"),
            "UCI options for every engine that declares them; player.options override them name by name.",
        ),
        key!(
            engine.restart,
            choice(),
            r#"When engines are restarted: "never" during a mini-match, or for each "game"."#,
        ),
        key!(
            engine.must_start,
            switch(),
            "Whether an event begins only if every agent starts; if false, an agent that does not start forfeits its games.",
        )
        .of_the_beginning(),
        key!(
            engine.isolation,
            choice(),
            r#"What agents may reach: "sealed", "guarded" or, as the runner's user may, everything: docs/isolation.md."#,
        ),
        key!(
            engine.isolation_require,
            or("all", choices::<Protection>()).map(
                |list| list.unwrap_or_else(|| Protection::ALL.to_vec()),
                |list| Some((list.len() < Protection::ALL.len()).then(|| list.clone())),
            ),
            "What this machine must be able to keep agents from, or no game begins: docs/isolation.md.",
        ),
        key!(
            engine.exec,
            exec(),
            r#"Which programs isolated agents may run: "own" (command, interpreter and own files), these and the listed ones, or "any"; if left out, sealed agents "own", others "any": docs/isolation.md."#,
        )
        .such_as(r#""own""#),
        key!(
            engine.max_memory,
            optional(whole("a number of MiB", 16..=1_000_000_000)),
            "How much memory the processes of an agent may have together, with what is swapped out, in MiB; if left out, half of the machine's.",
        )
        .such_as("4096"),
        key!(
            engine.max_processes,
            whole("a number of processes and threads", 1..=1_000_000),
            "How many processes and threads an agent may have.",
        ),
        key!(
            engine.max_disk,
            whole("a number of MiB", 1..=1_000_000_000),
            "How much an agent may write to disk, from its start to its end, in MiB.",
        ),
        key!(
            engine.max_output,
            whole("a number of KiB", 64..=1_000_000_000),
            "How much an agent may write to its output within a second, in KiB.",
        ),
        key!(
            engine.max_line,
            whole("a number of KiB", 4..=65_536),
            "How long a line of an agent may be, in KiB.",
        ),
        key!(
            engine.max_stderr,
            whole("a number of KiB", 64..=1_000_000_000),
            "How much an agent may write to standard error within a second, in KiB.",
        ),
        key!(
            engine.max_options,
            whole("a number of options", 1..=100_000),
            "How many UCI options an agent may declare.",
        ),
        key!(
            engine.max_introduction,
            whole("a number of KiB", 1..=65_536),
            "How long its name, its author and its options may be together, as an agent says them before uciok, in KiB.",
        ),
        // It decides what is told of a game and the exit code, but no result.
        key!(
            engine.alarms,
            list(
                r#"a list of at most 64 texts, such as ["built-in", "FATAL"]"#,
                line("a text of 3 to 100 characters", 3..=100),
            )
            .unless(|texts| (texts.len() > 64).then(|| format!("{} texts are more than 64", texts.len()))),
            r#"Texts that sound an alarm in a line of an agent's standard error, which run.max_faults counts; "built-in": those of sanitizers, failed assertions and panics: docs/faults.md."#,
        )
        .output(),
    ]
}
