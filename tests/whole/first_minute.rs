//! What somebody meets who uses the program for the first time.

use std::fs;

use rustix::process::Signal;

use crate::death::{Background, send, until};
use crate::storage::PATIENCE;
use crate::support::{Place, engine, system_engine};

/// An event of two agents: one that plays, and one with these arguments.
fn event(keys: &str, args: &str) -> String {
    format!(
        "{keys}\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\n[game]\nnodes = 30\nmax_moves = 10\n\
         [[player]]\nname = \"Good\"\ncommand = \"{}\"\n\
         [[player]]\nname = \"Dead\"\ncommand = \"{}\"\nargs = [{args}]\n",
        engine("greedy"),
        engine("fault-agent")
    )
}

#[track_caller]
fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

/// Which agent, what it printed, what to do; and nothing is made.
#[test]
fn an_event_does_not_begin_with_an_agent_that_does_not_start() {
    let place = Place::new();
    place.write("event.toml", &event("", "\"--fault\", \"exit-at-start\""));
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(3);
    says(
        &ran.stderr(),
        &[
            "event.toml:14:1: player.command: Dead does not start: it ended before it was ready",
            "It printed nothing.",
            "What to do: run it by hand",
            "Nothing was begun",
            "--go-on",
        ],
    );
    assert!(!place.path("run").exists() && !place.path("results").exists());

    let ran = place.swissmatch(&["run", "event.toml", "--out", "run", "--go-on"]);
    ran.expect_code(3);
    says(&ran.stderr(), &["warning: Dead does not start"]);
    says(&ran.stdout(), &["Good"]);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    // What decides whether an event begins is no change of one that has begun.
    let again = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    again.expect_code(3);
    assert!(!again.stderr().contains("changed since"), "{}", again.stderr());
}

/// What an agent prints is harmless, short, and the last of it.
#[test]
fn what_a_dead_agent_printed_is_shown() {
    let place = Place::new();
    let script = "for n in 1 2 3 4 5 6 7 8; do echo line $n; done; printf '\\033[31mred\\n' >&2; exit 1";
    let text = event("", &format!("\"-c\", {script:?}")).replace(&engine("fault-agent"), "/bin/sh");
    place.write("event.toml", &text);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(3);
    says(&ran.stderr(), &["\n    line 8\n    \\u{1b}[31mred\n"]);
    assert!(!ran.stderr().contains("line 3"), "{}", ran.stderr());
}

/// An event of two agents that both play.
fn short(name: &str) -> String {
    event("", "").replace("\n[swiss]", &format!("\n[event]\nname = \"{name}\"\n[swiss]"))
}

/// gnuchess speaks UCI only with an argument, which stands in the file then; the second command is the whole event.
#[test]
fn two_commands_from_nothing_to_a_table() {
    let place = Place::new();
    let (stockfish, gnuchess) = (system_engine("stockfish"), system_engine("gnuchess"));
    let init = place.swissmatch(&["init", &stockfish, &gnuchess, "--output", "event.toml"]);
    init.expect_code(0);
    says(
        &init.stderr(),
        &[
            "40 games at 30s/move, about 10 h",
            "4 games at 100ms/move",
            "swissmatch run event.toml",
        ],
    );
    let text = place.read("event.toml");
    says(
        &text,
        &[
            "args = [\"--uci\"]\n",
            "\ngames = 4\n",
            "\ntime_control = \"100ms/move\"\n",
        ],
    );
    assert!(text.lines().count() < 45, "{text}");
    let ran = place.swissmatch(&["run", "event.toml"]);
    ran.expect_code(0);
    assert!(ran.took.as_secs() < 110, "{:?}", ran.took);
    says(
        &ran.stdout(),
        &["final standings", "Stockfish", "GNU Chess", "Files: results/event"],
    );
    let games = place.export_json("results/event", "games-json");
    let games = games["games"].as_array().expect("games").clone();
    assert!(
        games.iter().all(|game| game["termination"] != "not-started"),
        "{games:?}"
    );
}

/// It says what the engine printed and what to do, and writes nothing, unless it is told to.
#[test]
fn init_writes_no_engine_that_does_not_start() {
    let place = Place::new();
    let dead = format!("{} --fault exit-at-start", engine("fault-agent"));
    let init = ["init", "greedy", &dead, "no-such-engine", "--output", "event.toml"];
    let ran = place.swissmatch(&init);
    ran.expect_code(3);
    says(
        &ran.stderr(),
        &[
            "fault-agent does not start: it ended before it was ready",
            "no-such-engine: `no-such-engine` was found neither beside",
            "What to do: ",
            "Nothing was written. With --go-on",
        ],
    );
    assert!(!place.path("event.toml").exists());
    let ran = place.swissmatch(&[&init[..], &["--go-on"]].concat());
    ran.expect_code(0);
    says(&ran.stderr(), &["warning: fault-agent does not start"]);
    says(&place.read("event.toml"), &["name = \"no-such-engine\""]);
}

#[test]
fn init_takes_a_preset_and_values() {
    let place = Place::new();
    let args = ["init", "--preset", "none", "--games", "6", "--time-control", "2+0.1"];
    let ran = place.swissmatch(&args);
    ran.expect_code(0);
    says(
        &ran.stdout(),
        &["\npreset = \"none\"\n", "\ngames = 6\n", "\ntime_control = \"2+0.1\"\n"],
    );
    let added = "No engine was named: greedy and random-mover, which come with swissmatch, are entered.\n";
    says(&ran.stderr(), &[added]);
    for (wrong, said) in [
        (["--preset", "gct-tour"], "the presets are global-chess-challenge"),
        (["--games", "3"], "write 1 or an even number"),
        (["--time-control", "soon"], "--time-control"),
    ] {
        let ran = place.swissmatch(&[&["init"][..], &wrong].concat());
        ran.expect_code(4);
        says(&ran.stderr(), &[said]);
    }
}

#[test]
fn run_says_what_is_about_to_begin() {
    let place = Place::new();
    let timed = short("mini").replace("nodes = 30", "time_control = \"10ms/move\"");
    place.write("event.toml", &timed);
    let ran = place.swissmatch(&["run", "event.toml", "--set", "run.concurrency=1"]);
    ran.expect_code(0);
    says(
        &ran.stderr(),
        &[
            "\nEvent         mini\nRounds        1\nGames         2, 1 at once\nTime control  10ms/move; engines are told 1ms less\nIsolation     guarded\nLikely time   about 30 s\nLongest time  ",
            "\nResults       results/mini\nTo stop       Ctrl-C",
        ],
    );
    // Of one that goes on, or whose searches end by nodes, that is not told.
    let again = place.swissmatch(&["run", "event.toml", "--set", "run.concurrency=1"]);
    again.expect_code(0);
    assert!(!again.stderr().contains("To stop"), "{}", again.stderr());
    place.write("event.toml", &short("nodes"));
    let ran = place.swissmatch(&["run", "event.toml"]);
    ran.expect_code(0);
    assert!(!ran.stderr().contains(" time  "), "{}", ran.stderr());
}

/// Results lie beside the event file, which stands for its run; who names none is told which one was taken.
#[test]
fn results_lie_beside_the_event_file() {
    let place = Place::new();
    fs::create_dir(place.path("there")).expect("a directory");
    place.write("there/event.toml", &short("one"));
    let none = place.swissmatch(&["standings", "there/event.toml"]);
    none.expect_code(4);
    says(
        &none.stderr(),
        &[
            "no run of it in there/results/one yet",
            "swissmatch run there/event.toml",
        ],
    );
    place.swissmatch(&["run", "there/event.toml"]).expect_code(0);
    assert!(place.path("there/results/one/run.sqlite").is_file() && !place.path("results").exists());
    for command in ["standings", "status", "crosstable", "verify"] {
        let of_file = place.swissmatch(&[command, "there/event.toml"]);
        of_file.expect_code(0);
        let of_run = place.swissmatch(&[command, "there/results/one"]);
        assert_eq!(of_file.stdout(), of_run.stdout(), "{command}");
        assert!(!of_run.stderr().contains("newest run"), "{}", of_run.stderr());
    }
    place.write("event.toml", &short("two"));
    place.swissmatch(&["run", "event.toml"]).expect_code(0);
    for command in ["standings", "verify"] {
        let newest = place.swissmatch(&[command]);
        newest.expect_code(0);
        says(&newest.stderr(), &["note: results/two, the newest run"]);
    }
    for command in [&["run"][..], &["plan"], &["config"], &["check", "--all"]] {
        let refused = place.swissmatch(&[command, &["results/two"]].concat());
        refused.expect_code(4);
        says(
            &refused.stderr(),
            &["results/two is the directory of a run, but an event file is needed here"],
        );
    }
    let refused = place.swissmatch(&["run", "there"]);
    refused.expect_code(4);
    says(&refused.stderr(), &["there is a directory", "there/event.toml"]);
}

/// An act is of the run that is being played, though another one was written to later.
#[test]
fn an_act_takes_the_run_that_is_played() {
    let place = Place::new();
    place.write("event.toml", &short("alive"));
    let mut alive = Background::start(&place, &["run", "event.toml", "--confirm-rounds"]);
    until("the first pairing", PATIENCE, || {
        let pairing = place.swissmatch(&["arbiter", "pairing", "results/alive"]);
        (pairing.output.status.code() == Some(0)).then_some(())
    });
    place.write("later.toml", &short("later"));
    place.swissmatch(&["run", "later.toml"]).expect_code(0);
    let paused = place.swissmatch(&["arbiter", "pause", "--by", "Ann", "--reason", "why"]);
    paused.expect_code(0);
    assert!(paused.stdout().starts_with("alive: "), "{}", paused.stdout());
    says(&paused.stderr(), &["note: results/alive, the run that is being played"]);
    send(alive.player(), Signal::TERM);
    assert_eq!(alive.end(PATIENCE).code(), Some(130));
}

#[test]
fn a_place_that_cannot_be_written_is_named_with_the_remedy() {
    let place = Place::new();
    place.write("event.toml", &short("one"));
    // Nobody makes a directory there, not even root.
    let refused = place.swissmatch(&["run", "event.toml", "--out", "/proc/swissmatch/run"]);
    refused.expect_code(4);
    says(
        &refused.stderr(),
        &["/proc/swissmatch/run cannot be written", "--out DIR"],
    );
}

/// A message names the flag that was typed, and no other.
#[test]
fn errors_name_what_was_typed() {
    let place = Place::new();
    place.write("event.toml", &short("one"));
    for (args, said) in [
        (
            &["run", "event.toml", "--set", "swiss.rounds=0"][..],
            "swissmatch: --set: swiss.rounds: ",
        ),
        (
            &["run", "event.toml", "--set", "swiss.ronds=3"],
            "swissmatch: --set: swiss.ronds: unknown key; did you mean swiss.rounds?",
        ),
        (
            &["run", "event.toml", "--set", "mini_match.games=3"],
            "swissmatch: --set: mini_match.games: ",
        ),
        (
            &["run", "event.toml", "--set", "rounds"],
            "swissmatch: --set rounds: write KEY=VALUE",
        ),
        (
            &["run", "event.toml", "--concurrency", "many"],
            "swissmatch: --concurrency: run.concurrency: ",
        ),
        (
            &["check", "greedy", "--set", "game.attempts=0"],
            "swissmatch: --set: game.attempts: ",
        ),
        (
            &["check", "greedy", "--games", "0"],
            "swissmatch: --games: eligibility.games: ",
        ),
        (
            &["check", "greedy", "--score", "2"],
            "swissmatch: --score: eligibility.score: ",
        ),
        (
            &["check", "greedy", "--games", "4"],
            "swissmatch: --games: eligibility.games: ",
        ),
        (
            &["check", "greedy", "--against", ""],
            "swissmatch: --against: eligibility.baseline: ",
        ),
        (
            &["check", "greedy", "--option", "Hash"],
            "swissmatch: --option Hash: write NAME=VALUE",
        ),
        (
            &["check", "greedy", "--option", "=3"],
            "swissmatch: --option: player.options",
        ),
    ] {
        let ran = place.swissmatch(args);
        ran.expect_code(4);
        assert!(ran.stderr().starts_with(said), "{args:?}: {}", ran.stderr());
    }
}
