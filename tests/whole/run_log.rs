//! The runner's own doings: `run.log` in the run's directory, and --verbose.

use std::time::Duration;

use rustix::process::Signal;

use crate::death::{send, until};
use crate::resume::{RUN, tiny_event};
use crate::support::{Place, Ran, engine, finish};

fn tiny() -> Place {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place
}

fn run(place: &Place, more: &[&str]) -> Ran {
    place.swissmatch(&[&RUN[..], more].concat())
}

/// That each of these is in a line of its own, in this order.
#[track_caller]
fn expect_in_order(log: &str, expected: &[&str]) {
    let mut lines = log.lines();
    for words in expected {
        assert!(
            lines.any(|line| line.contains(words)),
            "{words:?} is not in, or not there, in\n{log}"
        );
    }
}

#[test]
fn a_run_tells_what_it_did() {
    let place = tiny();
    run(&place, &[]).expect_code(0);
    let log = place.read("run/run.log");
    let begins = "run begins version=\"0.1.0\" event=\"tiny\" dir=run players=3 rounds=2 finished=0";
    let expected = [
        "INFO",
        "agent introduced player=\"A\"",
        begins,
        "played here machine=",
        "round paired round=1 pairs=1 byes=1",
        "engine started player=",
        "round is over round=1",
        "round paired round=2 pairs=1 byes=1",
        "round is over round=2",
        "run ends ended=Complete games=4 finished=4",
    ];
    expect_in_order(&log, &expected);
    assert!(log.contains("slot is ready slot=0 cores="), "{log}");
    let engines = |what: &str| log.matches(what).count();
    assert_eq!(
        engines("engine started player="),
        engines("engine ended player="),
        "{log}"
    );
    for line in log.lines() {
        let (time, _) = line.split_once(' ').expect("words");
        assert!(time.len() == 24 && time.ends_with('Z'), "{line}");
    }
    // Games and commits are for those who ask for more.
    assert!(!log.contains("DEBUG"), "{log}");
    place.swissmatch(&["verify", "run"]).expect_code(0);

    // Over it stays as it is.
    run(&place, &[]).expect_code(0);
    assert_eq!(place.read("run/run.log"), log);
    run(&place, &["--fresh"]).expect_code(0);
    assert_eq!(place.read("run.1/run.log"), log);
    let anew = place.read("run/run.log");
    assert_eq!(anew.matches("run begins").count(), 1, "{anew}");
}

#[test]
fn a_run_that_goes_on_adds_to_its_log() {
    let place = tiny();
    let mut child = place.command(&[&RUN[..], &["--confirm-rounds"]].concat());
    let child = child.spawn().expect("it starts");
    let paired = |log: &str| log.contains("a pairing waits for the arbiter's yes round=1");
    until("a pairing that waits", Duration::from_secs(60), || {
        let log = std::fs::read_to_string(place.path("run/run.log"));
        log.is_ok_and(|log| paired(&log)).then_some(())
    });
    send(child.id(), Signal::INT);
    assert_eq!(finish(child).status.code(), Some(130));
    run(&place, &[]).expect_code(0);
    let expected = [
        "run begins",
        "a pairing waits for the arbiter's yes round=1",
        "asked to stop",
        "run ends ended=Stopped",
        "run goes on",
        "run ends ended=Complete",
    ];
    expect_in_order(&place.read("run/run.log"), &expected);
}

#[test]
fn why_an_engine_ended_is_in_it() {
    let place = Place::new();
    let event = format!(
        "[event]\nname = \"crash\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\nmax_moves = 20\nnodes = 20\n\
         [[player]]\nname = \"Faulty\"\ncommand = \"{}\"\nargs = [\"--fault\", \"abort\", \"--at\", \"2\"]\n\
         [[player]]\nname = \"Good\"\ncommand = \"{}\"\n",
        engine("fault-agent"),
        engine("greedy")
    );
    place.write("event.toml", &event);
    run(&place, &[]).expect_code(0);
    let log = place.read("run/run.log");
    expect_in_order(
        &log,
        &[
            "engine started player=\"Faulty\" pid=",
            "engine is gone in a game player=",
            "engine ended player=\"Faulty\" pid=",
            "run ends",
        ],
    );
    assert!(log.contains("how=Signalled(6)"), "{log}");
}

#[test]
fn without_a_place_for_it_a_run_is_played_and_says_so_once() {
    let place = tiny();
    std::fs::create_dir_all(place.path("run/run.log")).expect("a directory");
    let ran = run(&place, &[]);
    ran.expect_code(0);
    let told = "warning: no run.log: run/run.log: it is not a plain file; play goes on without it";
    assert_eq!(ran.stderr().matches("run.log").count(), 2, "{}", ran.stderr());
    assert!(ran.stderr().contains(told), "{}", ran.stderr());
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn a_run_that_is_refused_leaves_none() {
    let place = tiny();
    place.write("event.toml", &tiny_event().replace("[swiss]", "[swis]"));
    run(&place, &["-v"]).expect_code(4);
    assert!(!place.path("run").exists());
}

#[test]
fn verbose_tells_on_standard_error_alone() {
    let (plain, verbose) = (tiny(), tiny());
    let (quiet, told) = (run(&plain, &[]), run(&verbose, &["-v"]));
    assert_eq!(told.expect_code(0).stdout(), quiet.expect_code(0).stdout());
    assert!(!quiet.stderr().contains("INFO"), "{}", quiet.stderr());
    let expected = ["run begins", "round paired round=1", "run ends ended=Complete"];
    expect_in_order(&told.stderr(), &expected);
    assert!(!told.stderr().contains("DEBUG"), "{}", told.stderr());
    assert!(told.stderr().contains("Round 1 of 2"), "{}", told.stderr());

    // Before or behind the command, and more of it.
    let more = verbose.swissmatch(&[&["-vv"], &RUN[..], &["--fresh", "--json"]].concat());
    let told = more.expect_code(0).stderr();
    expect_in_order(&told, &["run begins", "game finished game=1.1.", "run ends"]);
    assert!(told.contains("committed entries="), "{told}");
    assert!(more.stdout().lines().all(|line| line.starts_with('{')));
    assert!(verbose.read("run/run.log").contains("game finished"), "it has as much");
    let files = || {
        let names = std::fs::read_dir(verbose.path("run")).expect("the run").flatten();
        names.map(|entry| entry.file_name()).collect::<Vec<_>>()
    };
    let before = files();
    let verified = verbose.swissmatch(&["verify", "run", "--verbose"]);
    verified.expect_code(0);
    assert_eq!(files(), before);
}
