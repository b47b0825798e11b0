//! What is kept of a game in which somebody was at fault: in one archive for whoever has neither the run nor the program, and no
//! more of what was said than there is room for.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use swissmatch::shell::store::{Store, chain_hash, sha256};

use super::door::{Agent, Ends, check, four, play};
use crate::support::Place;

/// What a command prints that has to succeed.
#[track_caller]
fn told(dir: &Path, program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(dir).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn an_archive_of_a_game_shows_why_it_was_lost() {
    let limits = ["game.time_control=20s/move", "engine.max_memory=200"];
    let event = check(
        "--fault take-memory --at 2",
        &limits,
        Ends::over_limit("over-limit memory"),
    );
    let (place, lost) = (&event.place, event.of_faulty()[0]);
    let ran = place.swissmatch(&["evidence", &lost.id(), "run"]);
    ran.expect_code(0);
    let name = format!("evidence-{}", lost.id());
    assert!(
        ran.stdout()
            .starts_with(&format!("{name}.tar.gz: 10 files about game ")),
        "{}",
        ran.stdout()
    );

    // The same run gives the same bytes.
    let again = place.swissmatch(&["evidence", &lost.id(), "run", "--output", "again.tar.gz"]);
    again.expect_code(0);
    let [first, second] = [&format!("{name}.tar.gz"), "again.tar.gz"].map(|file| std::fs::read(place.path(file)));
    assert_eq!(first.expect("an archive"), second.expect("an archive"));

    told(&place.path(""), "tar", &["-xzf", "again.tar.gz"]);
    let dir = place.path(&name);
    told(&dir, "sha256sum", &["--check", "--strict", "SHA256SUMS"]);
    let read = |file: &str| place.read(&format!("{name}/{file}"));
    let account = read("account.txt");
    let side = ["White", "Black"][usize::from(lost.line["black"] == "Faulty")];
    for said in [
        format!("{side} goes over its limit on memory."),
        "over its limit of 200.0 MiB (engine.max_memory)".to_owned(),
        "An engine may use up 200.0 MiB of memory".to_owned(),
        "Arguments: \"--fault\" \"take-memory\" \"--at\" \"2\"".to_owned(),
    ] {
        assert!(account.contains(&said), "{said}: {account}");
    }
    let json: Value = serde_json::from_str(&read("account.json")).expect("JSON");
    assert_eq!(json["limits"]["engine_may_use"]["memory"], 200 << 20);
    assert!(read("README.txt").contains("Begin with account.txt."));
    assert!(read("game.pgn").contains("[White \""));
    let keys: Value = serde_json::from_str(&read("keys.json")).expect("JSON");
    assert_eq!(keys["engine.max_memory"], "200");
    assert_eq!(
        keys["player.Faulty.args"]
            .as_str()
            .map(|args| args.contains("take-memory")),
        Some(true)
    );

    // Its hashes are in the log, whose entries are what they were made of.
    let entries: Vec<Value> = read("entries.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for entry in &entries {
        let [at, body, previous] = ["at", "body", "previous"].map(|field| entry[field].as_str().expect("text"));
        let seq = entry["entry"].as_i64().expect("a number");
        assert_eq!(entry["hash"], chain_hash(previous, seq, at, body));
    }
    let bodies = entries.iter().map(|entry| entry["body"].as_str().expect("text"));
    let bodies: Vec<Value> = bodies.map(|body| serde_json::from_str(body).expect("JSON")).collect();
    assert_eq!(bodies[0]["entry"], "round-paired");
    assert_eq!(bodies[1]["record"], sha256(read("record.json").as_bytes()));
    assert_eq!(bodies[1]["evidence"], sha256(read("evidence.txt").as_bytes()));
    assert_eq!(bodies.len(), 2);

    // No evidence was kept of a game without a fault; the rest is.
    let whole = event
        .games
        .iter()
        .find(|game| game.side_of("Faulty").is_none())
        .expect("a game");
    let ran = place.swissmatch(&["evidence", &whole.id(), "run", "--output", "whole.tar.gz"]);
    ran.expect_code(0);
    told(&place.path(""), "tar", &["-xzf", "whole.tar.gz"]);
    let dir = format!("evidence-{}", whole.id());
    assert!(
        place
            .read(&format!("{dir}/README.txt"))
            .contains("What was said in this game was not kept")
    );
    assert!(place.path(&format!("{dir}/record.json")).exists());
    assert!(!place.path(&format!("{dir}/evidence.txt")).exists());

    let none = place.swissmatch(&["evidence", "1.1.3", "run"]);
    none.expect_code(4);
    assert!(
        none.stderr().contains("game 1.1.3: its mini-match has games 1 to 2"),
        "{}",
        none.stderr()
    );
}

#[test]
fn who_says_much_pushes_out_nothing_of_its_opponent() {
    let place = Place::new();
    let chatter =
        "i=0; while [ $i -lt 400 ]; do echo \"info string chatter $i of mine, and more of it\"; i=$((i+1)); done";
    let loud = Agent::script(
        &place,
        &format!(
            "exec 3>&1; while read -r line; do case \"$line\" in go*) {{ {chatter}; }} >&3;; esac; echo \"$line\"; done | $AGENT --mark \"$MARK\" >&3"
        ),
    );
    let players = four(&place, loud);
    let event = play(place, &players, &["run.evidence=all", "run.evidence_game=16"]);
    for game in event.of_faulty() {
        let evidence = event.evidence(game).expect("evidence");
        assert!(evidence.len() < 17 << 10, "{}", evidence.len());
        assert!(
            evidence.contains(" sent or received and not kept: over run.evidence_game, 16 KiB)"),
            "{evidence}"
        );
        assert!(
            evidence.contains("chatter 5 of mine") && !evidence.contains("chatter 399 of mine"),
            "{evidence}"
        );
        let quiet = ["White", "Black"][usize::from(game.line["white"] == "Faulty")];
        let moves = evidence
            .lines()
            .filter(|line| line.contains(&format!("{quiet} < bestmove")))
            .count();
        let plies = game.line["plies"].as_u64().expect("a number");
        assert_eq!(moves as u64, plies / 2, "{evidence}");
    }
}

#[test]
fn no_agent_takes_up_the_room_of_the_whole_event() {
    let place = Place::new();
    let noise = "head -c 60000 /dev/urandom | base64 -w 900 >&2";
    let loud = Agent::script(
        &place,
        &format!(
            "while read -r line; do case \"$line\" in go*) {noise};; esac; echo \"$line\"; done | $AGENT --mark \"$MARK\""
        ),
    );
    let players = four(&place, loud);
    let keys = [
        "run.evidence=all",
        "run.evidence_event=1",
        "mini_match.games=10",
        "engine.max_stderr=100000",
    ];
    let event = play(place, &players, &keys);
    let kept = |game: &&super::door::Game| event.evidence(game).expect("evidence");
    let of_loud: Vec<String> = event.of_faulty().iter().map(kept).collect();
    let cut = " said and was sent is not kept: the evidence of the games of player 1 has taken up its share of run.evidence_event, \
               which is 1 MiB)";
    let whole = of_loud.iter().filter(|text| !text.contains(cut)).count();
    assert!((2..=9).contains(&whole), "{whole} of {}", of_loud.len());
    for text in &of_loud {
        assert!(text.starts_with("Game 1.1.") && text.contains("\nposition "), "{text}");
        assert!(
            text.contains(" < bestmove "),
            "of the one that says little, always: {text}"
        );
    }
    for game in event.games.iter().filter(|game| game.side_of("Faulty").is_none()) {
        assert!(kept(&game).contains(" < bestmove "));
    }
    let said = event.ran.stderr();
    assert_eq!(
        said.matches("and later games may be affected too: the evidence of the games of player 1")
            .count(),
        1,
        "{said}"
    );
    let log = Store::open_to_read(&event.place.path("run/run.sqlite")).expect("the log");
    let bytes: u64 = log
        .evidence_sizes()
        .expect("the log")
        .iter()
        .map(|parts| parts[0].1 + parts[1].1)
        .sum();
    assert!(bytes < 1 << 20, "{bytes}");
    event.place.swissmatch(&["verify", "run"]).expect_code(0);
}
