//! `explain game GAME` on real games: a time forfeit, an illegal move, a crash, a mate, forfeits; and rulings on them.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use swissmatch::game::record::GameId;
use swissmatch::game::termination::Outcome;
use swissmatch::shell::store::Bundle;
use swissmatch::tournament::log::{Act, ArbiterActed, Entry};

use crate::support::{Place, engine, opened};

/// Players as (name, command, arguments).
type Players<'a> = [(&'a str, &'a str, &'a str)];

fn played(keys: &str, players: &Players<'_>) -> Place {
    let place = Place::new();
    let mut text = format!(
        "preset = \"global-chess-challenge\"\n[event]\nname = \"appeal\"\n[swiss]\nrounds = \"RR\"\nseeding = \"listed\"\n\
         [mini_match]\ngames = 2\nopenings = \"none\"\n[engine]\nstart_attempts = 2\nmust_start = false\nquit_grace = \"200ms\"\n\
         [run]\nconcurrency = 1\noversubscribe = true\n{keys}\n"
    );
    for (name, command, args) in players {
        let args: Vec<String> = args.split_whitespace().map(|arg| format!("{arg:?}")).collect();
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = {:?}\nargs = [{}]\n",
            engine(command),
            args.join(", ")
        );
    }
    place.write("event.toml", &text);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "out", "-q"]);
    let code = ran.output.status.code();
    assert!(matches!(code, Some(0 | 3)), "{}", ran.stderr());
    place
}

const SHORT: &str = "[game]\ntime_control = \"300ms/move\"\nattempts = 2\nmax_plies = 12";

/// The first game that ended so.
fn game_of(place: &Place, termination: &str) -> String {
    let games = place.export_json("out", "games-json");
    let games = games["games"].as_array().expect("games");
    let game = games.iter().find(|game| game["termination"] == termination);
    let game = game.unwrap_or_else(|| panic!("no {termination} in {games:#?}"));
    format!("{}.{}.{}", game["round"], game["board"], game["game"])
}

fn report(place: &Place, game: &str) -> (String, Value) {
    let text = place
        .swissmatch(&["explain", "game", game, "out"])
        .expect_code(0)
        .stdout();
    let json = place
        .swissmatch(&["explain", "game", game, "out", "--json"])
        .expect_code(0)
        .stdout();
    assert!(!text.contains('\u{1b}'), "{text}");
    (text, serde_json::from_str(&json).expect("JSON"))
}

#[track_caller]
fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn a_time_forfeit() {
    // 20 ms more than is asserted: a runner that the machine holds up begins to count a little later.
    let place = played(
        SHORT,
        &[
            ("Late", "fault-agent", "--fault late --at 2 --ms 420"),
            ("Fine", "random-mover", ""),
        ],
    );
    let (text, json) = report(&place, &game_of(&place, "time-forfeit"));
    says(
        &text,
        &[
            "resigns (loses on time after 2 attempts)",
            "Each attempt at a move has the full limit; the second failed attempt at one move loses",
            "attempt 1, after 0.4",
            "answered too late; the limit is 300ms",
            "(`300ms/move`): 300ms for every move",
            "go movetime 270",
            "swissmatch verify out",
        ],
    );
    let attempts = json["failed_attempts"].as_array().expect("a list");
    assert_eq!(attempts.len(), 2);
    for attempt in attempts {
        assert_eq!(attempt["kind"], "late");
        assert!(attempt["time_us"].as_u64() >= Some(400_000), "{attempt}");
    }
    assert_eq!(
        json["players"][0]["files"][0]["sha256"].as_str().map(str::len),
        Some(64)
    );
    // The hash that it names is that of the evidence.
    let evidence = json["evidence"]["evidence_sha256"].as_str().expect("a hash").to_owned();
    let file = place
        .evidence("out", json["game"].as_str().expect("an id"))
        .expect("evidence");
    assert_eq!(swissmatch::shell::store::sha256(file.as_bytes()), evidence);
    place.swissmatch(&["verify", "out"]).expect_code(0);
}

/// A legal move in another notation is illegal all the same; whoever looks is told which it is.
#[test]
fn a_move_in_another_notation() {
    let place = Place::new();
    let agent = "#!/bin/sh\nwhile read word rest; do case $word in\n\
                 uci) echo id name San; echo uciok;; isready) echo readyok;; go) echo bestmove Nf3;; quit) exit;;\nesac; done\n";
    let path = place.write("san.sh", agent);
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("its own");
    place.write(
        "event.toml",
        "event.name = \"san\"\nswiss.rounds = 1\nswiss.seeding = \"listed\"\nmini_match.games = 2\nmini_match.openings = \"none\"\n\
         game.attempts = 1\ngame.nodes = 20\n[[player]]\nname = \"San\"\ncommand = \"./san.sh\"\n\
         [[player]]\nname = \"Greedy\"\ncommand = \"greedy\"\n",
    );
    let ran = place.swissmatch(&["run", "event.toml", "--out", "out"]);
    ran.expect_code(0);
    let meant = "standard algebraic notation (SAN); in UCI it is g1f3";
    let fault = format!("fault: San lost 1.1.1 (illegal-move: it answered Nf3: {meant})");
    says(&ran.stderr(), &[&fault]);
    let (text, json) = report(&place, "1.1.1");
    says(
        &text,
        &[&format!("answered \"Nf3\", which is not a move: {meant}; the limit is")],
    );
    let expected = serde_json::json!({ "notation": "san", "move": "g1f3" });
    assert_eq!(json["failed_attempts"][0]["meant"], expected);
    let evidence = place.evidence("out", "1.1.1").expect("of a fault");
    says(
        &evidence,
        &[&format!(
            "attempt 1 failed: answered \"Nf3\", which is not a move: {meant}"
        )],
    );
    // Black's knight cannot go there.
    let (text, json) = report(&place, "1.1.2");
    assert!(!text.contains("in UCI"), "{text}");
    assert_eq!(json["failed_attempts"][0]["meant"], Value::Null);
    place.swissmatch(&["verify", "out"]).expect_code(0);
}

#[test]
fn an_illegal_move_and_a_crash() {
    let place = played(
        "[game]\ntime_control = \"10s/move\"\nattempts = 2\nmax_plies = 12",
        &[
            ("Illegal", "fault-agent", "--fault illegal --at 2"),
            ("Crash", "fault-agent", "--fault abort --at 3"),
            ("Fine", "random-mover", ""),
        ],
    );
    let (text, json) = report(&place, &game_of(&place, "illegal-move"));
    says(
        &text,
        &[
            "makes an illegal move after 2 attempts",
            "The second failed attempt at one move loses, overruns counted too",
            "answered \"a1a1\", which is not legal",
        ],
    );
    assert_eq!(json["failed_attempts"][1]["said"], "a1a1");
    let crashed = game_of(&place, "crash");
    let (text, json) = report(&place, &crashed);
    says(
        &text,
        &[
            "An engine whose process ends loses as soon as something is asked of it: Crash was asked",
            "Its process: was killed by signal 6.",
        ],
    );
    assert_eq!(json["end"]["process"], "was killed by signal 6");
    // To a file, and the whole transcript.
    let ran = place.swissmatch(&["explain", "game", &crashed, "out", "--full", "--output", "appeal.txt"]);
    assert_eq!(ran.expect_code(0).stdout(), "");
    says(
        &place.read("appeal.txt"),
        &["White > ucinewgame", "# its process was killed by signal 6"],
    );
}

#[test]
fn a_mate_forfeits_and_games_that_are_not_there() {
    let place = played(
        "[game]\ntime_control = \"depth=4\"",
        &[
            ("Alpha", "alphabeta", ""),
            ("Random", "random-mover", ""),
            ("Gone", "fault-agent", "--start-fails 99 --count-file /dev/null"),
        ],
    );
    let (text, json) = report(&place, &game_of(&place, "checkmate"));
    says(
        &text,
        &[
            "The side to move is in check and has no legal move (Laws of Chess 5.1.1).",
            "No transcript of this game is kept",
            "the engine is told no time; 60s is the limit for every move",
            "is told to search at most depth 4",
        ],
    );
    assert_eq!(json["failed_attempts"], serde_json::json!([]));
    let mate = text
        .lines()
        .find(|line| line.contains("The last move was"))
        .expect("a last move");
    assert!(mate.ends_with("#."), "{mate}");

    let forfeit = game_of(&place, "not-started");
    let (text, _) = report(&place, &forfeit);
    says(
        &text,
        &[
            "2 tries to start",
            "Its start was tried for this game.",
            "Measured: player 3, start 2",
        ],
    );
    let (rest, _) = forfeit.rsplit_once('.').expect("three parts");
    let (text, json) = report(&place, &format!("{rest}.2"));
    says(
        &text,
        &[
            &format!("it had failed for game {forfeit}."),
            "There is no record: nothing was sent to any engine.",
            &format!(
                "nothing was played in it. What was said before is kept with game {forfeit}: `swissmatch explain game"
            ),
        ],
    );
    assert_eq!(json["clocks"], Value::Null);

    for (game, why) in [
        ("9.1.1", "that round is not paired; the event has 3 rounds so far"),
        ("1.7.1", "that round has boards 1 to 1"),
        ("1.1.3", "its mini-match has games 1 to 2"),
        ("1.1", "write ROUND.BOARD.GAME"),
        ("1.1.01", "write ROUND.BOARD.GAME"),
        ("1p1.1.1", "that round is not paired"),
    ] {
        let ran = place.swissmatch(&["explain", "game", game, "out"]);
        ran.expect_code(4);
        says(&ran.stderr(), &[why]);
    }
}

#[test]
fn what_the_arbiter_made_of_it() {
    let place = played(
        "[game]\ntime_control = \"10s/move\"\nmax_plies = 8",
        &[("A", "random-mover", ""), ("B", "random-mover", "")],
    );
    let id = GameId {
        round: 1,
        playoff: 0,
        board: 1,
        game: 2,
    };
    let mut store = opened(&place.path("out/run.sqlite"));
    let acted = ArbiterActed {
        act: Act::SetResult {
            game: id,
            outcome: Outcome::BlackWins,
        },
        by: "C. Arbiter".to_owned(),
        reason: "the host was short of memory".to_owned(),
        overruled: Vec::new(),
    };
    let entry = Bundle::from(Entry::Acted(Box::new(acted)));
    store.append(&[entry], "2026-01-30T10:00:00Z").expect("appended");
    let (text, json) = report(&place, "1.1.2");
    says(
        &text,
        &[
            "Rulings of the arbiter",
            "2026-01-30T10:00:00Z: C. Arbiter set the result of game 1.1.2 to 0-1",
            "Reason: the host was short of memory",
            "It ended 1/2-1/2 by itself, and counts as 0-1.",
            "1/2-1/2: Draw by the move cap.",
        ],
    );
    assert_eq!(json["rulings"]["acts"][0]["by"], "C. Arbiter");
    assert_eq!(
        (&json["end"]["result"], &json["end"]["result_by_itself"]),
        (&"0-1".into(), &"1/2-1/2".into())
    );
}
