//! Agents that misbehave: each fault has a test of its own, which says how its games end and whose fault that was. That
//! opponents and other games do not suffer, that the event goes on to its end in bounded time and memory, and that no
//! process is left is seen to for all of them by `door`.

mod alarms;
mod door;
mod dying;
mod greed;
mod kept;
mod moves;
mod policies;
mod processes;
mod start;
mod text;
mod time;
mod volume;

use std::process::Command;

use crate::support::engine;

/// A kind of fault that the fault agent gets is not forgotten here.
#[test]
fn every_kind_has_a_test() {
    let tests = concat!(
        include_str!("faults/alarms.rs"),
        include_str!("faults/dying.rs"),
        include_str!("faults/greed.rs"),
        include_str!("faults/moves.rs"),
        include_str!("faults/processes.rs"),
        include_str!("faults/start.rs"),
        include_str!("faults/text.rs"),
        include_str!("faults/time.rs"),
        include_str!("faults/volume.rs"),
        include_str!("processor.rs"),
    );
    let help = Command::new(engine("fault-agent")).arg("--help").output();
    let help = String::from_utf8(help.expect("fault-agent runs").stdout).expect("text");
    let (_, kinds) = help.split_once("\nKinds ").expect("a list of kinds");
    let kinds: Vec<_> = kinds
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .collect();
    assert!(kinds.len() >= 40, "{kinds:?}");
    for kind in kinds {
        let is_tried = [
            format!("--fault {kind} "),
            format!("--fault {kind}\""),
            // As words of an event file.
            format!(r#"\"--fault\", \"{kind}\""#),
        ];
        let is_tried = is_tried.iter().any(|words| tests.contains(words));
        assert!(is_tried, "no test of {kind}");
    }
}
