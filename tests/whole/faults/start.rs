//! Agents that cannot be started, or not in time, or not always.

use std::os::unix::fs::PermissionsExt as _;

use super::door::{self, Agent, Ends, check, check_agent, four, play};
use crate::support::{Place, engine};

/// An event file that is refused: exit code 4, the message names all of `said`, and nothing was made.
#[track_caller]
fn check_refused(faulty: impl FnOnce(&Place) -> Agent, said: &[&str]) {
    let place = Place::new();
    let faulty = faulty(&place);
    place.write("event.toml", &door::event(door::PRESET, &four(&place, faulty)));
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(4);
    for said in said {
        assert!(ran.stderr().contains(said), "{said} is not in\n{}", ran.stderr());
    }
    assert!(!place.path("run").exists(), "nothing is made");
    assert!(!place.path("results").exists(), "nothing is made");
}

fn program(place: &Place, name: &str, content: &str, mode: u32) -> Agent {
    let path = place.write(name, content);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("the mode is set");
    Agent {
        command: path.display().to_string(),
        ..Agent::fault(place, "")
    }
}

#[test]
fn missing_binary() {
    let missing = |place: &Place| Agent {
        command: "./no-such-engine".to_owned(),
        ..Agent::fault(place, "")
    };
    check_refused(missing, &["event.toml:", "no-such-engine", "there is no file"]);
}

#[test]
fn not_executable() {
    let faulty = |place: &Place| program(place, "plain.txt", "#!/bin/sh\n", 0o644);
    check_refused(faulty, &["event.toml:", "plain.txt", "not executable"]);
}

/// Whoever writes the event file is told before anything is played.
#[test]
fn an_option_that_the_agent_lacks() {
    let faulty = |_: &Place| Agent {
        command: engine("alphabeta"),
        args: Vec::new(),
        more: "options = { Skil = 3 }".to_owned(),
    };
    check_refused(faulty, &["event.toml:", "no option `Skil`", "did it mean `Skill`?"]);
}

/// The header of a program for a machine that this is not.
#[test]
fn wrong_architecture() {
    let header = "\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x15\0\x01\0\0\0";
    let event = check_agent(|place| program(place, "foreign", header, 0o755), &[], Ends::NoShow);
    let said = event.ran.stderr();
    assert!(said.contains("warning: Faulty does not start"), "{said}");
}

#[test]
fn missing_interpreter() {
    let script = "#!/no/such/interpreter\n";
    let event = check_agent(|place| program(place, "script", script, 0o755), &[], Ends::NoShow);
    let said = event.ran.stderr();
    assert!(
        said.contains("warning: Faulty does not start: it could not be run"),
        "{said}"
    );
}

/// More than the kernel gives a program: an argument has 128 KiB at most.
#[test]
fn an_argument_that_is_too_long() {
    let faulty = |place: &Place| Agent {
        args: vec!["x".repeat(200_000)],
        ..Agent::fault(place, "")
    };
    check_refused(
        faulty,
        &["event.toml:", "player.args", "longer than this machine allows"],
    );
}

/// Somebody is writing the program, and it has no private copy that could be started.
#[test]
fn text_file_busy() {
    let mut writing = None;
    let faulty = |place: &Place| {
        let faulty = program(place, "agent", "", 0o755);
        std::fs::copy(engine("fault-agent"), &faulty.command).expect("a copy");
        writing = std::fs::OpenOptions::new().append(true).open(&faulty.command).ok();
        faulty
    };
    let event = check_agent(faulty, &["engine.isolation=off"], Ends::NoShow);
    assert!(writing.is_some());
    let said = event.ran.stderr();
    let expected = "warning: Faulty does not start: it could not be run: Text file busy";
    assert!(said.contains(expected), "{said}");
}

/// An agent that is not there loses its games, and its opponent has the points; the evidence says why.
#[test]
fn exits_at_start() {
    let event = check("--fault exit-at-start", &[], Ends::NoShow);
    let said = event.ran.stderr();
    assert!(said.contains("Faulty does not start: it ended before"), "{said}");
    let games = event.of_faulty();
    let evidence = event.evidence(games[0]).expect("evidence");
    assert!(evidence.contains("start 2: it ended before it was ready"), "{evidence}");
    let standing = event.standing("Faulty");
    assert_eq!(standing["match_points"], 0);
    assert_eq!(standing["forfeits_lost"], 2);
    let opponent = if games[0].side_of("Faulty") == Some("white") {
        "black"
    } else {
        "white"
    };
    let standing = event.standing(games[0].line[opponent].as_str().expect("a name"));
    assert_eq!(standing["match_points"], 1);
    assert_eq!(standing["forfeits_won"], 2);
}

#[test]
fn no_uciok() {
    let event = check("--fault no-uciok", &["engine.start_limit=400ms"], Ends::NoShow);
    let said = event.ran.stderr();
    assert!(said.contains("no `uciok` within 400ms"), "{said}");
}

#[test]
fn uciok_that_is_slow_but_within_the_limit() {
    check("--fault slow-uciok --ms 300", &[], Ends::UNHARMED);
}

#[test]
fn uciok_beyond_the_limit() {
    let keys = ["engine.start_limit=400ms"];
    check("--fault slow-uciok --ms 2000", &keys, Ends::NoShow);
}

#[test]
fn no_readyok() {
    let event = check("--fault no-readyok", &["engine.start_limit=400ms"], Ends::NoShow);
    let said = event.ran.stderr();
    assert!(said.contains("no `readyok` within 400ms"), "{said}");
}

/// It comes up, and is lost at each game's beginning.
#[test]
fn no_readyok_at_newgame() {
    let keys = ["engine.ready_limit=300ms"];
    let event = check("--fault no-readyok-at-newgame", &keys, Ends::NoShow);
    let evidence = event.evidence(event.of_faulty()[0]).expect("evidence");
    for said in ["> ucinewgame", "# no readyok in time", "# killed and started anew"] {
        assert!(evidence.contains(said), "{said} is not in\n{evidence}");
    }
}

#[test]
fn never_reads() {
    check("--fault never-read", &["engine.ready_limit=300ms"], Ends::NoShow);
}

#[test]
fn garbage_and_a_megabyte_of_options_at_the_start() {
    let event = check("--fault garbage-start", &[], Ends::NoShow);
    assert!(
        event.ran.stderr().contains("(engine.max_options)"),
        "{}",
        event.ran.stderr()
    );
    check("--fault garbage-start", ANY_OPTIONS, Ends::UNHARMED);
}

/// More than an agent declares.
const ANY_OPTIONS: &[&str] = &["engine.max_options=100000", "engine.max_introduction=2048"];

#[test]
fn an_option_among_a_megabyte_of_options() {
    let faulty = |place: &Place| Agent {
        more: "options = { \"filler 7\" = \"seven\" }".to_owned(),
        ..Agent::fault(place, "--fault garbage-start")
    };
    check_agent(faulty, ANY_OPTIONS, Ends::UNHARMED);
}

/// The first start is that of the check before the event, which the warning tells of; then one of two attempts works.
#[test]
fn starts_that_fail_until_the_last_attempt() {
    let faulty = |place: &Place| counted(place, 2);
    let event = check_agent(faulty, &[], Ends::UNHARMED);
    assert!(event.ran.stderr().contains("Faulty does not start"));
    assert_eq!(event.place.read("starts"), "...");
}

/// A mini-match whose engine did not start is forfeited as a whole, and the engine is not tried again in it.
#[test]
fn starts_that_fail_beyond_the_attempts() {
    for keys in [
        &[][..],
        &[
            "run.max_games_per_player=none",
            "run.concurrency=1",
            "mini_match.games=2",
        ],
    ] {
        let event = check_agent(|place| counted(place, 9), keys, Ends::NoShow);
        assert_eq!(event.place.read("starts"), "...", "{keys:?}");
    }
}

/// An engine lives through its whole mini-match, though its player may have one game at a time and other slots are free.
#[test]
fn one_start_for_a_mini_match() {
    for keys in [&[][..], &["run.max_games_per_player=none", "run.concurrency=1"]] {
        let event = check_agent(|place| counted(place, 0), keys, Ends::UNHARMED);
        assert_eq!(event.place.read("starts"), "..", "{keys:?}");
    }
}

/// The next round is another chance, and then the agent has played: the exit code is that of an event without no-shows.
#[test]
fn the_next_round_is_another_chance() {
    let place = Place::new();
    let players = four(&place, counted(&place, 3));
    let event = play(place, &players, &["swiss.rounds=2"]);
    event.ran.expect_code(0);
    let endings: Vec<_> = event
        .of_faulty()
        .iter()
        .map(|game| game.line["termination"].clone())
        .collect();
    assert_eq!(endings, ["not-started", "not-started", "move-cap", "move-cap"]);
}

fn counted(place: &Place, failing: u32) -> Agent {
    let file = place.path("starts");
    Agent::at_large(
        place,
        &format!("--start-fails {failing} --count-file {}", file.display()),
    )
}

/// Nobody wins a game that nobody came to.
#[test]
fn both_dead() {
    let place = Place::new();
    let dead = Agent::fault(&place, "--fault exit-at-start");
    let event = play(place, &[("Dead", dead.clone()), ("Gone", dead)], &[]);
    event.ran.expect_code(3);
    assert_eq!(event.games.len(), 2);
    for game in &event.games {
        let line = &game.line;
        assert_eq!(
            [&line["result"], &line["termination"], &line["fault_of"]],
            ["0-0", "neither-started", "both"]
        );
    }
    for name in ["Dead", "Gone"] {
        let standing = event.standing(name);
        assert_eq!([&standing["match_points"], &standing["game_points"]], [0, 0]);
        assert_eq!(standing["faults"], 2);
    }
    let pgn = event.place.read("run/games.pgn");
    assert_eq!(pgn.matches("[Result \"*\"]").count(), 2, "{pgn}");
}
