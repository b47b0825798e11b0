//! What is stored of an event has the words of event files, and none of this program's own code.
#![expect(clippy::disallowed_methods, reason = "it reads the examples")]

use std::path::Path;

use serde_json::Value;
use swissmatch::config;
use swissmatch::game::Side;
use swissmatch::game::notation::{MeantMove, Notation};
use swissmatch::game::record::{AttemptEnd, EngineEnd};
use swissmatch::game::termination::{Outcome, Termination};
use swissmatch::tournament::setup::Setup;

/// Keys whose values are names, paths and words of others.
const OF_OTHERS: [&str; 10] = [
    "name", "site", "currency", "trophy", "command", "args", "options", "env", "team", "author",
];

/// Everything in it that looks like a name in code: keys with capitals, values that begin like a type's name, parts of times.
fn names_of_code(stored: &Value, at: &str, found: &mut Vec<String>) {
    let is_type = |text: &str| {
        let mut chars = text.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase)
    };
    match stored {
        Value::Object(fields) => {
            for (key, value) in fields.iter().filter(|(key, _)| !OF_OTHERS.contains(&key.as_str())) {
                if key.contains(char::is_uppercase) || ["secs", "nanos"].contains(&key.as_str()) {
                    found.push(format!("{at}.{key}"));
                }
                names_of_code(value, &format!("{at}.{key}"), found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| names_of_code(value, at, found)),
        Value::String(text) if is_type(text) => found.push(format!("{at} = {text}")),
        _ => {}
    }
}

fn check(text: &str) -> Value {
    let loaded = config::load(Path::new("event.toml"), text, &[]).expect("an event file");
    let stored = serde_json::to_value(&loaded.setup).expect("plain data");
    let mut found = Vec::new();
    names_of_code(&stored, "setup", &mut found);
    assert_eq!(found, [""; 0]);
    let read: Setup = serde_json::from_value(stored.clone()).expect("what was stored");
    assert_eq!(read, loaded.setup);
    stored
}

#[test]
fn every_example_is_stored_in_the_words_of_event_files() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    let mut seen = 0;
    for entry in std::fs::read_dir(examples).expect("the folder is there").flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "toml") {
            check(&std::fs::read_to_string(entry.path()).expect("text"));
            seen += 1;
        }
    }
    assert!(seen >= 8, "{seen} examples");
}

#[test]
fn keys_are_stored_as_they_are_written() {
    let stored = check(
        r#"
        [swiss]
        rounds = "log2+1"
        pairing = "dutch"
        color = "ignore"
        seeding = "random"
        edition = "2017"
        acceleration = "baku"
        [mini_match]
        games = 2
        openings = "chess960"
        opening_order = "sequential"
        opening_policy = "mini-match"
        [game]
        variant = "chess960"
        time_control = "40/90 SD/30 d5"
        illegal_attempts = 2
        margin = "20ms"
        [bye]
        again = "requested"
        [standings]
        edition = "2024"
        disqualified = "annulled"
        [playoff]
        places = [1]
        numbers = ["WIN", "DE"]
        start_after = "1.5s"
        [registration]
        until = 2
        missed = "half-point"
        [schedule]
        clock = "schedule"
        start = 2026-12-01T10:00:00Z
        [presence]
        check = "before-each-round"
        [run]
        pin = "none"
        evidence = "all"
        [adjudication]
        tablebase_adjudicate = "win"
        [[player]]
        name = "A"
        command = "a"
        margin = "1ms"
        [[player]]
        name = "B"
        command = "b"
        [[player]]
        name = "C"
        command = "c"
        [[player]]
        name = "D"
        command = "d"
        [[player]]
        name = "E"
        command = "e"
        [[player]]
        name = "F"
        command = "f"
        "#,
    );
    for (key, expected) in [
        ("/swiss/pairing", "dutch"),
        ("/swiss/edition", "2017"),
        ("/swiss/acceleration", "baku"),
        ("/mini_match/openings", "chess960"),
        ("/mini_match/opening_policy", "mini-match"),
        ("/game/time_control", "40/90 SD/30 d5"),
        ("/game/margin", "20ms"),
        ("/bye/again", "requested"),
        ("/playoff/start_after", "1.5s"),
        ("/registration/missed", "half-point"),
        ("/presence/check", "before-each-round"),
        ("/run/evidence", "all"),
        ("/adjudication/tablebase_adjudicate", "win"),
        ("/players/0/margin", "1ms"),
    ] {
        assert_eq!(stored.pointer(key), Some(&Value::from(expected)), "{key}");
    }
    assert_eq!(stored.pointer("/game/illegal_attempts"), Some(&Value::from(2)));
    assert_eq!(stored.pointer("/registration/until"), Some(&Value::from(2)));
    assert_eq!(stored.pointer("/playoff/numbers/0"), Some(&Value::from("WIN")));
}

fn stored(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

#[test]
fn how_a_game_ended_is_stored_in_words() {
    assert_eq!(stored(&Outcome::Draw), r#""1/2-1/2""#);
    assert_eq!(stored(&Outcome::BothLose), r#""0-0""#);
    assert_eq!(
        stored(&Termination::InsufficientMaterial),
        r#"{"termination":"insufficient-material"}"#
    );
    assert_eq!(
        stored(&Termination::TimeForfeit { by: Side::White }),
        r#"{"termination":"time-forfeit","lost_by":"white"}"#
    );
    assert_eq!(
        stored(&Termination::FlagFallDraw { by: Side::Black }),
        r#"{"termination":"flag-fall-draw","flag_of":"black"}"#
    );
    assert_eq!(stored(&AttemptEnd::SlowStart), r#""slow-start""#);
    assert_eq!(stored(&AttemptEnd::Illegal("a1a1".to_owned())), r#"{"illegal":"a1a1"}"#);
    assert_eq!(stored(&EngineEnd::Exited(3)), r#"{"exited":3}"#);
    let meant = MeantMove {
        notation: Notation::CastlingByRook,
        uci: "e1g1".to_owned(),
    };
    assert_eq!(stored(&meant), r#"{"notation":"castling-by-rook","move":"e1g1"}"#);
}
