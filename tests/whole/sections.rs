//! Events of several sections, and with a house player, from outside.

use std::time::Duration;

use rustix::process::Signal;

use crate::death::{Background, games_in_log, send, until};
use crate::resume::RUN;
use crate::support::{Place, engine};

const PATIENCE: Duration = Duration::from_secs(60);

/// Players by name, rating and further lines; every other one is the better.
fn event(head: &str, games: u32, agents: [&str; 2], players: &[(String, u32, &str)]) -> String {
    let mut text =
        format!("{head}\n[mini_match]\ngames = {games}\nopenings = \"none\"\n[game]\nmax_plies = 40\nnodes = 800\n");
    for (number, (name, rating, more)) in (1..).zip(players) {
        let agent = engine(agents[(number + 1) % 2]);
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"{agent}\"\nrating = {rating}\noptions = {{ Seed = {number} }}\n{more}\n"
        );
    }
    text
}

/// Five in the upper section, three in the lower.
fn two_sections() -> String {
    let upper = (1..=5).map(|number| (format!("Upper {number}"), 2200 - number, ""));
    let lower = (1..=3).map(|number| (format!("Lower {number}"), 1800 - number, ""));
    // The first of the lower ones is rated above its section, and names it.
    let named = |(name, rating, more): (String, u32, _)| match name.as_str() {
        "Lower 1" => (name, 2300, "section = \"Under 2000\""),
        _ => (name, rating, more),
    };
    let players: Vec<_> = upper.chain(lower).map(named).collect();
    let sections =
        "{ name = \"Open\", from = 2000, format = \"4-SS\" }, { name = \"Under 2000\", to = 1999, format = \"3-SS\" }";
    let head = format!("[event]\nname = \"Two halls\"\nsections = [{sections}]");
    event(&head, 6, ["alphabeta", "random-mover"], &players)
}

/// The tables of a run: of each part its name, and names and places.
fn tables(place: &Place, run: &str) -> Vec<(String, Vec<String>)> {
    let standings: serde_json::Value =
        serde_json::from_str(&place.read(&format!("{run}/standings.json"))).expect("JSON");
    let parts = standings["parts"].as_array().expect("a list of parts");
    let table = |part: &serde_json::Value| {
        let rows = part["players"].as_array().expect("a list of players").iter();
        let row = |row: &serde_json::Value| format!("{} {} {}", row["place"], row["name"], row["match_points"]);
        (
            part["part"].as_str().expect("a name").to_owned(),
            rows.map(row).collect(),
        )
    };
    parts.iter().map(table).collect()
}

#[test]
fn two_odd_sections_through_a_kill() {
    let place = Place::new();
    place.write("event.toml", &two_sections());
    let plan = place.swissmatch(&["plan", "event.toml", "--json", "--events", "10"]);
    let plan: serde_json::Value = serde_json::from_str(&plan.stdout()).expect("JSON");
    // Two boards and one in three rounds, two in the fourth; six games each.
    assert_eq!((&plan["games"], &plan["rounds"]), (&66.into(), &4.into()));
    assert_eq!(plan["pairs_by_round"], serde_json::json!([3, 3, 3, 2]));

    let mut running = Background::start(&place, &RUN);
    until("games of round 2", PATIENCE, || {
        (games_in_log(&place, "run") > 20).then_some(())
    });
    send(running.player(), Signal::KILL);
    running.end(PATIENCE);
    assert!(games_in_log(&place, "run") < 66, "it was killed between");
    place.swissmatch(&RUN).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    place.swissmatch(&["run", "event.toml", "--out", "calm"]).expect_code(0);
    assert_eq!(tables(&place, "run"), tables(&place, "calm"));

    let tables = tables(&place, "run");
    let sizes: Vec<_> = tables.iter().map(|(name, rows)| (name.as_str(), rows.len())).collect();
    assert_eq!(sizes, [("Open", 5), ("Under 2000", 3)]);
    assert!(tables[1].1.iter().all(|row| row.contains("Lower")), "{tables:?}");
    let markdown = place.read("run/standings.md");
    for section in [
        "Two halls, Open: final standings after 4 rounds",
        "Two halls, Under 2000: final standings after 3",
    ] {
        assert!(markdown.contains(section), "{markdown}");
    }
    let pgn = place.read("run/games.pgn");
    assert_eq!(pgn.matches("[Section \"Under 2000\"]").count(), 18);
    let status = place.swissmatch(&["status", "run"]);
    status.expect_code(0);
    assert!(
        status.stdout().lines().any(|line| line.starts_with("Under 2000  1  ")),
        "{}",
        status.stdout()
    );
    let explained = place.swissmatch(&["explain", "round", "1", "--run", "run"]);
    assert_eq!(
        explained.stdout().matches("The bye: ").count(),
        2,
        "{}",
        explained.stdout()
    );
    let trf = place.swissmatch(&["export", "trf", "run", "--part", "2"]);
    trf.expect_code(0);
    assert!(
        trf.stdout().starts_with("012 Two halls, Under 2000"),
        "{}",
        trf.stdout()
    );
    assert_eq!(trf.stdout().matches("0000 - U").count(), 3, "{}", trf.stdout());
}

#[test]
fn a_house_player_fills_an_odd_field() {
    let place = Place::new();
    let mut players: Vec<_> = (1..=5)
        .map(|number| (format!("P{number}"), 2000 - number, ""))
        .collect();
    players.push(("House".to_owned(), 1500, "house = true"));
    let event = event(
        "[event]\nname = \"Filled\"\n[swiss]\nrounds = 4",
        2,
        ["greedy", "random-mover"],
        &players,
    );
    place.write("event.toml", &event);
    place.swissmatch(&RUN).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let games = place.export_json("run", "games-json");
    let games = games["games"].as_array().expect("a list");
    assert_eq!(games.len(), 4 * 3 * 2, "three boards in every round");
    let of_house = games
        .iter()
        .filter(|game| game["white"] == "House" || game["black"] == "House");
    assert_eq!(of_house.count(), 8);
    let standings: serde_json::Value = serde_json::from_str(&place.read("run/standings.json")).expect("JSON");
    let rows = standings["players"].as_array().expect("a list");
    assert!(
        rows.len() == 5 && rows.iter().all(|row| row["name"] != "House" && row["byes"] == 0),
        "{rows:?}"
    );
    assert!(!place.read("run/standings.csv").contains("House"));
    assert!(place.read("run/standings.md").contains("is not ranked: House."));
    // Other programs need its line all the same: others have met it.
    let trf = place.read("run/tournament.trf");
    assert_eq!(trf.lines().filter(|line| line.starts_with("001 ")).count(), 6, "{trf}");
    let teams = place.swissmatch(&["export", "trf", "run", "--view", "teams"]);
    assert_eq!(
        teams.stdout().lines().filter(|line| line.starts_with("310 ")).count(),
        6
    );
    for (refused, why) in [
        (&["explain", "House", "--run", "run"][..], "House is not in this table"),
        (&["standings", "run", "--confidence"], "house player"),
    ] {
        let ran = place.swissmatch(refused);
        ran.expect_code(4);
        assert!(ran.stderr().contains(why), "{refused:?}: {}", ran.stderr());
    }
}
