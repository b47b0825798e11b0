//! Tests of both grammars.

mod own;
mod peers;
mod real;

use std::path::Path;

use super::{
    Dialect, MatchEvent, MatchFlags, MatchWordsError, Output, PeerRequest, PgnFile, Surroundings, of_agents, of_peers,
};
use crate::load;

/// Words as a shell cuts them.
fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_else(|| panic!("{line}"))
}

/// A machine of eight hardware threads.
fn around() -> Surroundings {
    Surroundings {
        engines_json: Some(ENGINES.to_owned()),
        set: Vec::new(),
        openings: None,
        threads: 8,
    }
}

fn read_as(called: Option<Dialect>, line: &str) -> Result<MatchEvent, MatchWordsError> {
    match of_peers(&words(line), called, &around()) {
        Ok(PeerRequest::Match(event)) => Ok(*event),
        Ok(other) => panic!("{line}: {other:?}"),
        Err(wrong) => Err(wrong),
    }
}

/// Whether an event has a line, perhaps with a comment behind it.
fn has_line(event: &str, line: &str) -> bool {
    let is_it = |other: &str| {
        other
            .strip_prefix(line)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("  # "))
    };
    event.lines().any(is_it)
}

/// Players of an event, which is TOML.
fn players(event: &str) -> usize {
    let table = toml::de::DeTable::parse(event).unwrap_or_else(|error| panic!("{error}\n{event}"));
    let players = table
        .get_ref()
        .get("player")
        .and_then(|players| players.get_ref().as_array());
    players.map_or(0, |players| players.len())
}

/// Checks that an event file loads without an error.
#[track_caller]
fn loads(event: &MatchEvent) {
    let text = &event.event;
    let loaded = load(Path::new("match.toml"), text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let names: Vec<String> = loaded.setup.players.into_iter().map(|player| player.name).collect();
    assert_eq!(names, event.names);
}

/// "There too an engine is told a little less by default, in every dialect."
#[test]
fn engines_are_told_a_little_less_than_a_time_per_move() {
    let own = |line: &str, flags: MatchFlags| of_agents(&words(line), &flags).expect("a match").event;
    let with_time = |time: &str, set: &[&str]| MatchFlags {
        time: Some(time.to_owned()),
        set: set.iter().map(|word| (*word).to_owned()).collect(),
        ..MatchFlags::default()
    };
    let less = |event: &str, time: &str| has_line(event, &format!("move_overhead = \"{time}\""));
    assert!(less(&own("a b", with_time("1s/move", &[])), "10ms"));
    assert!(less(&own("a time=50ms/move b", MatchFlags::default()), "5ms"));
    assert!(less(
        &own("a b", with_time("1s/move", &["game.move_overhead=30ms"])),
        "30ms"
    ));
    assert!(less(
        &own("a b", with_time("10+0.1", &["game.time_control=2s/move"])),
        "10ms"
    ));
    for time in ["10+0.1", "nodes=100"] {
        assert!(!own("a b", with_time(time, &[])).contains("move_overhead"), "{time}");
    }
    for dialect in [None, Some(Dialect::Fastchess), Some(Dialect::Cutechess)] {
        let of = |each: &str| {
            read_as(
                dialect,
                &format!("-engine cmd=a name=A -engine cmd=b name=B -rounds 1 -each proto=uci {each}"),
            )
        };
        let event = of("st=0.5 timemargin=20").expect("a match");
        assert!(less(&event.event, "10ms"), "{dialect:?}: {}", event.event);
        assert!(
            event.notes.iter().any(|note| note.contains("are told 10ms less")),
            "{dialect:?}: {:?}",
            event.notes
        );
        loads(&event);
        let event = of("tc=10+0.1").expect("a match");
        assert!(
            !event.event.contains("move_overhead") && !event.notes.iter().any(|note| note.contains("told")),
            "{:?}",
            event.notes
        );
    }
}

const ENGINES: &str = r#"[
    { "name": "Plain", "command": "./plain", "protocol": "uci" },
    { "name": "Old", "command": "old", "protocol": "xboard" },
    {
        "name": "Full", "command": "./full", "protocol": "uci", "workingDirectory": "engines/full", "ponder": true,
        "restart": "on", "timeoutScaleFactor": 1, "variants": ["standard"],
        "options": [
            { "name": "Hash", "type": "spin", "value": 64, "default": 16, "min": 1, "max": 1024 },
            { "name": "Threads", "type": "spin", "value": 1, "default": 1 },
            { "name": "Clear Hash", "type": "button" },
            { "name": "OwnBook", "type": "check", "value": true, "default": false }
        ]
    },
    { "name": "Odd", "command": "odd", "protocol": "uci", "stderrFile": "odd.err", "whitepov": true,
      "initStrings": ["hello"], "validateClaims": false, "timeoutScaleFactor": 2.5 }
]"#;
