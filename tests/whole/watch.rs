//! `status --watch` on a terminal: it draws, follows runners that come and go, and gives the terminal back.

use std::io::Write as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;

use crate::death::{Background, Process, processes_in, send, until};
use crate::support::{Place, SWISSMATCH, engine, finish, system_engine};

const PATIENCE: Duration = Duration::from_secs(60);
const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];

fn event(place: &Place) {
    let mut text = "preset = \"none\"\n[event]\nname = \"Spring\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
         [game]\ntime_control = \"60+1\"\nmax_plies = 200\n[run]\nconcurrency = 1\n"
        .to_owned();
    for (seed, name) in ["Anna", "Berta"].into_iter().enumerate() {
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = {:?}\nargs = [\"--fault\", \"sleep\", \"--ms\", \"30\", \"--seed\", \"{seed}\"]\n",
            engine("fault-agent")
        );
    }
    place.write("event.toml", &text);
}

/// A shell on a terminal of its own, what it shows going to the file `shown`.
fn shell(place: &Place, words: &str) -> (Child, ChildStdin) {
    let program = place.command(&[]).get_program().to_string_lossy().into_owned();
    let session =
        format!("stty rows 24 cols 80; stty -a > before; '{program}' {words}; echo \"code $?\"; stty -a > after");
    let mut command = Command::new(system_engine("script"));
    command.args(["-qefc", &session, "shown"]).env("TERM", "xterm");
    command.current_dir(place.path("")).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("script starts");
    let keys = child.stdin.take().expect("a pipe");
    (child, keys)
}

fn shows(place: &Place, what: &str) {
    until(what, PATIENCE, || {
        let shown = std::fs::read(place.path("shown")).unwrap_or_default();
        String::from_utf8_lossy(&shown).contains(what).then_some(())
    });
}

fn assert_restored(place: &Place) {
    let shown = place.read("shown");
    let (_, after) = shown.rsplit_once("\u{1b}[?1049l").expect("the screen is given back");
    assert!(after.contains("code 0"), "{after}");
    assert!(shown.contains("\u{1b}[?1049h") && shown.contains("\u{1b}[?25h"));
    assert_eq!(place.read("before"), place.read("after"));
}

#[test]
fn a_run_is_watched_over_two_runners_until_a_key_leaves() {
    let place = Place::new();
    event(&place);
    let mut run = Background::start(&place, &RUN);
    until("the log", PATIENCE, || {
        place.path("run/run.sqlite").exists().then_some(())
    });
    let (child, mut keys) = shell(&place, "status run --watch");
    for what in [
        "Spring",
        "A runner is at work on it.",
        "Games under way",
        "1.1.1",
        "Standings",
        "q leaves",
    ] {
        shows(&place, what);
    }
    // A clock that runs.
    shows(&place, "*");
    send(run.guard(), Signal::TERM);
    send(run.guard(), Signal::TERM);
    run.end(PATIENCE);
    shows(&place, "No runner is at work on it");
    let mut again = Background::start(&place, &RUN);
    shows(&place, "1.1.2");
    assert_eq!(again.end(PATIENCE).code(), Some(0));
    shows(&place, "The event is over.");
    keys.write_all(b"q").expect("script reads");
    let output = finish(child);
    assert!(output.status.success());
    assert_restored(&place);
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let place = Place::new();
    event(&place);
    let faster = place
        .read("event.toml")
        .replace("\"30\"", "\"0\"")
        .replace("max_plies = 200", "max_plies = 4");
    place.write("event.toml", &faster);
    place.swissmatch(&RUN).expect_code(0);
    let (child, keys) = shell(&place, "status run --watch");
    shows(&place, "The event is over.");
    let watching = until("the process", PATIENCE, || {
        let mut all = processes_in(&place).into_iter();
        let is_it = |process: &Process| process.line.starts_with(SWISSMATCH) && process.line.contains("--watch");
        all.find(is_it).map(|process| process.pid)
    });
    send(watching, Signal::TERM);
    finish(child);
    drop(keys);
    assert_restored(&place);
}

#[test]
fn without_a_terminal_it_says_what_to_call_instead() {
    let place = Place::new();
    event(&place);
    let faster = place
        .read("event.toml")
        .replace("\"30\"", "\"0\"")
        .replace("max_plies = 200", "max_plies = 4");
    place.write("event.toml", &faster);
    place.swissmatch(&RUN).expect_code(0);
    let refused = place.swissmatch(&["status", "run", "--watch"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("`swissmatch status` prints the same once"),
        "{}",
        refused.stderr()
    );
}
