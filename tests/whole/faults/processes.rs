//! Agents that leave processes behind.

use std::time::{Duration, Instant};

use super::door::{self, Agent, Ends, check, four, mark, slowed};
use crate::support::{Place, Ran, finish, processes_with};

/// The faulty player leaves a process; it is gone with its engine, long before the event is over.
#[track_caller]
fn check_gone_with_its_engine(fault: &str) {
    let place = Place::new();
    // Its opponent is slow enough for the process to be seen.
    let players = slowed(&place, four(&place, Agent::fault(&place, fault)), 60);
    place.write("event.toml", &door::event(door::PRESET, &players));
    let keys = ["--set", "game.max_plies=16"];
    let arguments: Vec<_> = ["run", "event.toml", "--out", "run"].into_iter().chain(keys).collect();
    let begun = Instant::now();
    let mut child = place.command(&arguments).spawn().expect("swissmatch starts");
    let left_behind = format!("--linger 300 --mark {}", mark(&place));
    let mut seen = None;
    let mut gone = None;
    while child.try_wait().expect("its state").is_none() {
        let is_there = !processes_with(&left_behind).is_empty();
        match (seen, is_there) {
            (None, true) => seen = Some(begun.elapsed()),
            (Some(_), false) if gone.is_none() => gone = Some(begun.elapsed()),
            (Some(_), true) => gone = None,
            _ => {}
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let ran = Ran {
        output: finish(child),
        took: begun.elapsed(),
    };
    ran.expect_code(0);
    assert!(seen.is_some(), "no process was left behind");
    let gone = gone.unwrap_or_else(|| panic!("it stayed to the end"));
    assert!(
        gone + Duration::from_millis(200) < ran.took,
        "{gone:?} of {:?}",
        ran.took
    );
    assert_eq!(processes_with(&mark(&place)), Vec::<String>::new());
}

/// The door sees to it that nothing is left when the run is over.
#[test]
fn fork_setsid() {
    check("--fault fork-setsid --at 2", &[], Ends::UNHARMED);
}

#[test]
fn fork_keep_stdout() {
    check("--fault fork-keep-stdout --at 2", &[], Ends::UNHARMED);
}

#[test]
fn fork_setsid_is_gone_with_its_engine() {
    check_gone_with_its_engine("--fault fork-setsid --at 1");
}

#[test]
fn fork_keep_stdout_is_gone_with_its_engine() {
    check_gone_with_its_engine("--fault fork-keep-stdout --at 1");
}
