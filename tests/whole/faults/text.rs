//! Agents whose text is odd or hostile.

use std::process::Command;

use super::door::{Ends, assert_harmless, check};
use crate::support::system_engine;

/// A name that would break out of a PGN tag, a terminal or a page does not: no file and no output has it as it is.
#[test]
fn evil_name() {
    let event = check("--fault evil-name", &[], Ends::UNHARMED);
    let place = &event.place;
    for file in [
        "manifest.json",
        "games.pgn",
        "standings.md",
        "standings.csv",
        "standings.json",
        "crosstable.csv",
        "tournament.trf",
    ] {
        assert_harmless(&place.read(&format!("run/{file}")));
    }
    assert_harmless(&event.ran.stdout());
    assert_harmless(&event.ran.stderr());
    for view in [
        &["status", "run"][..],
        &["standings", "run"],
        &["crosstable", "run"],
        &["export", "pgn", "run"],
        &["export", "games-json", "run"],
        &["export", "markdown", "run"],
    ] {
        let shown = place.swissmatch(view);
        shown.expect_code(0);
        assert_harmless(&shown.stdout());
    }
    let manifest: serde_json::Value = serde_json::from_str(&place.read("run/manifest.json")).expect("JSON");
    let name = manifest["players"][0]["agent"]["introduction"]["name"]
        .as_str()
        .expect("a name");
    assert!(name.starts_with("evil[2J[31mred "), "{name}");

    let pgn = place.read("run/games.pgn");
    assert_eq!(pgn.matches("[Result ").count(), 4, "{pgn}");
    let parsed = Command::new(system_engine("pgn-extract"))
        .args(["-r", "run/games.pgn"])
        .current_dir(place.path(""))
        .output()
        .expect("pgn-extract runs");
    let said = String::from_utf8_lossy(&parsed.stderr);
    assert!(said.contains("4 games"), "{said}");
    assert!(!said.to_lowercase().contains("error"), "{said}");
}

#[test]
fn crlf() {
    let event = check("--fault crlf", &[], Ends::UNHARMED);
    for game in event.of_faulty() {
        let moves = game.record["moves"].as_str().unwrap_or_default();
        assert!(moves.split(' ').all(|word| (4..=5).contains(&word.len())), "{moves:?}");
    }
}
