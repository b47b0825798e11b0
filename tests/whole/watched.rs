//! The runner watches itself: guard and player that a signal stops go on.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::death::{Background, send, until};
use crate::support::{Place, engine};

const PATIENCE: Duration = Duration::from_secs(60);

/// Two games at once of agents that take 100 ms of the 600 ms they have for a move, some 4 s each.
pub(crate) fn event(more: &str) -> String {
    let agent = engine("fault-agent");
    let mut text = format!(
        "[event]\nname = \"watched\"\n[swiss]\nrounds = 1\nseeding = \"listed\"\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
         [game]\ntime_control = \"600ms/move\"\nattempts = 1\nmax_moves = 20\n[engine]\nisolation = \"off\"\n\
         [run]\nconcurrency = 2\noversubscribe = true\n{more}"
    );
    for name in ["Alpha", "Bravo"] {
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"100\"]\n"
        );
    }
    text
}

/// A run of it, once agents think.
fn playing(place: &Place) -> Background<'_> {
    let running = Background::start(place, &["run", "event.toml", "--out", "run"]);
    until("the first round", PATIENCE, || {
        place.read("complained").contains("Round 1 of 1").then_some(())
    });
    sleep(Duration::from_millis(700));
    running
}

/// The event is played to its end; nobody lost a game by a fault, and the log says the same.
#[track_caller]
fn assert_nobody_lost(place: &Place, running: &mut Background<'_>) {
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    let games = place.export_json("run", "games-json");
    let games = games["games"].as_array().expect("a list of games");
    assert_eq!(games.len(), 2);
    for game in games {
        assert!(game["fault_of"].is_null(), "{game:#}");
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

fn is_stopped(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
}

/// Once, and again and again for a second, so that most of that second is lost to the runner.
#[test]
fn a_player_that_is_stopped_goes_on_and_nobody_loses_by_it() {
    let place = Place::new();
    place.write("event.toml", &event(""));
    let mut running = playing(&place);
    let player = running.player();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(1) {
        send(player, Signal::STOP);
        sleep(Duration::from_millis(2));
    }
    until("the player goes on", Duration::from_secs(2), || {
        (!is_stopped(player)).then_some(())
    });
    assert_nobody_lost(&place, &mut running);
    let said = place.read("complained");
    let told = "swissmatch: the playing process was stopped by a signal, and goes on";
    assert_eq!(said.matches(told).count(), 1, "once, however often: {said}");
}

#[test]
fn a_guard_that_is_stopped_goes_on() {
    let place = Place::new();
    place.write("event.toml", &event(""));
    let mut running = playing(&place);
    for _ in 0..3 {
        send(running.guard(), Signal::STOP);
        until("it is stopped", PATIENCE, || is_stopped(running.guard()).then_some(()));
        until("the guard goes on", Duration::from_secs(2), || {
            (!is_stopped(running.guard())).then_some(())
        });
    }
    assert_nobody_lost(&place, &mut running);
    let said = place.read("complained");
    let told = "the guard was stopped by a signal, and goes on";
    assert_eq!(said.matches(told).count(), 1, "once, however often: {said}");
}
