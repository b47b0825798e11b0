//! Valid league files, and the errors of others.

use std::path::Path;

use super::{League, LeagueFormat, load_league};
use crate::ConfigError;

const LEAGUE: &str = r#"
[league]
name = "Rook nightly"
max_games = 100
max_time = "120m"

[[build]]
name = "1.0"
path = "released/rook-1.0"
sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
elo = 2800

[[build]]
name = "main"
main = true
checkout = ".."
make = "make && cp rook $OUT"
options = { Hash = 16 }

[game]
time_control = "nodes=20000"
"#;

fn load(text: &str) -> Result<League, ConfigError> {
    load_league(Path::new("LEAGUE.toml"), text)
}

#[test]
fn a_league_is_read_and_its_night_is_an_event() {
    let league = load(LEAGUE).expect("a league");
    assert_eq!(league.keys.name, "Rook nightly");
    assert_eq!(
        (league.keys.format, league.keys.max_games),
        (LeagueFormat::Gauntlet, Some(100))
    );
    assert_eq!(league.builds[0].elo, Some(2800));
    let programs = [(0, "released/rook-1.0".to_owned()), (1, "builds/x/main".to_owned())];
    let (text, loaded) = league.event("2026-11-26", &programs).expect("an event");
    let names: Vec<&str> = loaded.setup.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["main", "1.0"], "who meets all others comes first");
    assert_eq!(loaded.setup.event.name, "Rook nightly, 2026-11-26");
    assert_eq!(loaded.setup.players[0].command, "builds/x/main");
    assert_eq!(loaded.setup.players[0].options["Hash"], "16");
    assert_eq!(loaded.setup.game.time_control.to_string(), "nodes=20000");
    assert!(text.contains("rounds = \"RR\""), "two builds meet: {text}");
    // The same programs make the same event, whatever the day.
    let again = league.event("2026-11-26", &programs).expect("an event");
    assert_eq!(again.0, text);
}

#[test]
fn what_is_wrong_is_told_at_its_place() {
    let check = |from: &str, to: &str, expected: &str| {
        assert!(LEAGUE.contains(from), "{from}");
        let error = load(&LEAGUE.replacen(from, to, 1)).expect_err(expected).to_string();
        assert_eq!(error, expected);
    };
    check(
        "max_games = 100",
        "max_gmes = 100",
        "LEAGUE.toml:4:1: league.max_gmes: unknown key; did you mean league.max_games?",
    );
    check(
        "elo = 2800",
        "elo = \"high\"",
        "LEAGUE.toml:11:7: build.elo: expected a whole number from -10000 to 10000, found \"high\"",
    );
    check(
        "make = \"make && cp rook $OUT\"\n",
        "",
        "LEAGUE.toml:13:1: build.make: missing; write the command that builds it, such as make = \"make && cp rook $OUT\"",
    );
    check(
        "path = \"released/rook-1.0\"",
        "pth = \"x\"",
        "LEAGUE.toml:9:1: build.pth: unknown key; did you mean build.path?",
    );
    check(
        "name = \"main\"",
        "name = \"1.0\"",
        "LEAGUE.toml:13:1: build.name: \"1.0\" reads like \"1.0\", another build",
    );
    check(
        "main = true\n",
        "",
        "LEAGUE.toml: build.main: missing; a gauntlet has builds that meet all others; write main = true at the build that meets all others",
    );
    check(
        "[game]",
        "[[player]]\nname = \"x\"\n[game]",
        "LEAGUE.toml:20:3: player: a league has no such key; write [[build]]",
    );
    check(
        "name = \"Rook nightly\"\n",
        "",
        "LEAGUE.toml: league.name: missing; every league has a name",
    );
}

/// An error of the event is told at the line of the league file that causes it.
#[test]
fn a_key_of_the_event_has_its_place_in_the_league_file() {
    let programs = [(0, "a".to_owned()), (1, "b".to_owned())];
    let event = |from: &str, to: &str| {
        let league = load(&LEAGUE.replacen(from, to, 1)).expect("a league");
        league.event("x", &programs).expect_err("no event").to_string()
    };
    assert!(
        event("time_control = \"nodes=20000\"", "time_control = \"soon\"")
            .starts_with("LEAGUE.toml:21:1: game.time_control: ")
    );
    assert!(event("[game]\n", "[game]\nmax_mves = 3\n").starts_with("LEAGUE.toml:21:1: game.max_mves: unknown key"));
}
