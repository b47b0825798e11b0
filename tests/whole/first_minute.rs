//! What somebody meets who uses the program for the first time.

use crate::support::{Place, engine};

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
