//! Events of every format, from the event file to what can be said about them.

use crate::support::{Place, engine};

/// An event of so many players whose games are short, in mini-matches of two where the format does not say it, with these
/// lines of `[swiss]`.
fn event(players: usize, swiss: &str) -> String {
    let games = if swiss.contains("double") { "" } else { "games = 2\n" };
    let mut event = format!(
        "[event]\nname = \"of a format\"\n[mini_match]\nopenings = \"none\"\n{games}[game]\nmax_plies = 30\n[swiss]\n{swiss}\n"
    );
    for number in 1..=players {
        // Every other one wins, so that not everything is level.
        let agent = engine(if number % 2 == 1 { "greedy" } else { "random-mover" });
        event += &format!(
            "[[player]]\nname = \"R{number}\"\ncommand = \"{agent}\"\nrating = {}\noptions = {{ Seed = {number} }}\n",
            2000 - number
        );
    }
    event
}

/// Plays it; what can be checked of every format is checked.
#[track_caller]
fn play(players: usize, swiss: &str, games: usize) -> Place {
    let place = Place::new();
    place.write("event.toml", &event(players, swiss));
    let plan = place.swissmatch(&["plan", "event.toml", "--json", "--events", "10"]);
    plan.expect_code(0);
    let plan: serde_json::Value = serde_json::from_str(&plan.stdout()).expect("JSON");
    assert_eq!(plan["games"], games, "{swiss}: planned");

    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(0);
    let listed = place.export_json("run", "games-json");
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(games), "{swiss}: played");
    place.swissmatch(&["verify", "run"]).expect_code(0);
    for view in ["status", "standings", "crosstable"] {
        place.swissmatch(&[view, "run"]).expect_code(0);
    }
    let status = place.swissmatch(&["status", "run", "--json"]);
    let status: serde_json::Value = serde_json::from_str(&status.stdout()).expect("JSON");
    assert_eq!(
        (&status["final"], &status["games"]["event"]),
        (&true.into(), &games.into()),
        "{swiss}"
    );
    assert_eq!(status["rounds"], plan["rounds"], "{swiss}: rounds");
    place
        .swissmatch(&["explain", "round", "1", "--run", "run"])
        .expect_code(0);
    place.swissmatch(&["explain", "R1", "--run", "run"]).expect_code(0);
    place
}

/// Whom each player met, by name, in order of rounds.
fn met(place: &Place, player: &str) -> Vec<String> {
    let listed = place.export_json("run", "games-json");
    let games = listed["games"].as_array().expect("a list of games");
    let mut met = Vec::new();
    for game in games {
        let (white, black) = (
            game["white"].as_str().expect("a name"),
            game["black"].as_str().expect("a name"),
        );
        let other = if white == player {
            black
        } else if black == player {
            white
        } else {
            continue;
        };
        if met.last().is_none_or(|last| last != other) {
            met.push(other.to_owned());
        }
    }
    met
}

#[test]
fn everybody_once() {
    let place = play(4, "rounds = \"RR\"", 6 * 2);
    assert_eq!(met(&place, "R4"), ["R1", "R3", "R2"], "by the Berger tables");
}

#[test]
fn double_forms_are_rounds_of_two_games() {
    let place = play(4, "rounds = \"double-RR\"", 6 * 2);
    assert_eq!(met(&place, "R4"), ["R1", "R3", "R2"]);
    play(5, "rounds = \"2-double-SS\"", 2 * 2 * 2);
    // Four players in three rounds would be an all-play-all by "auto".
    let place = play(4, "rounds = \"double-SS\"", 3 * 2 * 2);
    assert!(place.swissmatch(&["status", "run"]).stdout().contains("Swiss"));
}

#[test]
fn a_gauntlet() {
    let place = play(5, "rounds = \"gauntlet-2\"", 3 * 2 * 2);
    assert_eq!(met(&place, "R1"), ["R3", "R4", "R5"]);
    let mut third = met(&place, "R3");
    third.sort_unstable();
    assert_eq!(third, ["R1", "R2"]);
}

#[test]
fn us_chess_pairs_half_against_half_and_gives_the_bye_to_the_lowest() {
    let place = play(5, "rounds = 2\npairing = \"us-chess\"", 2 * 2 * 2);
    assert_eq!(met(&place, "R1")[0], "R3");
    assert_eq!(met(&place, "R5").len(), 1, "the lowest rated had the bye of round 1");
}
