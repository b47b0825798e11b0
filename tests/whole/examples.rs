//! The event files of configs/, and that of README.md: each is played as it stands.

use serde_json::Value;

use crate::services::llama;
use crate::support::{Place, engine};

/// The example with its agents found by their paths, in `configs/` of a place.
fn example(place: &Place, name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("configs")
        .join(name);
    let mut text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for agent in ["alphabeta", "greedy", "random-mover"] {
        text = text.replace(
            &format!("command = \"{agent}\""),
            &format!("command = \"{}\"", engine(agent)),
        );
    }
    std::fs::create_dir_all(place.path("configs")).expect("a directory");
    place.write(&format!("configs/{name}"), &text);
    format!("configs/{name}")
}

/// Plays it to its end; its run is in `results/` beside it.
fn play(place: &Place, name: &str) {
    let file = example(place, name);
    place.swissmatch(&["run", &file]).expect_code(0);
    let run = format!("configs/results/{}", name.trim_end_matches(".toml"));
    place.swissmatch(&["verify", &run]).expect_code(0);
}

fn json(place: &Place, args: &[&str]) -> Value {
    let ran = place.swissmatch(args);
    ran.expect_code(0);
    serde_json::from_str(&ran.stdout()).expect("JSON")
}

/// The longer ones, with fewer games.
#[test]
fn quickstart_and_engine_match_can_be_played() {
    let place = Place::new();
    for name in ["quickstart", "engine-match"] {
        let file = example(&place, &format!("{name}.toml"));
        let short = ["--set", "mini_match.games=2", "--set", "game.nodes=100"];
        let ran = place.swissmatch(&[&["run", file.as_str()], short.as_slice()].concat());
        ran.expect_code(0);
        assert!(ran.stdout().contains("final standings"), "{}", ran.stdout());
    }
}

#[test]
fn us_chess_gives_the_cup_to_one() {
    let place = Place::new();
    play(&place, "us-chess.toml");
    let prizes = json(&place, &["prizes", "configs/results/us-chess", "--json"]);
    let players = prizes["players"].as_array().expect("players");
    let cups = players.iter().filter(|player| player.to_string().contains("Cup"));
    assert_eq!(cups.count(), 1);
    assert_eq!(prizes["pending"], serde_json::json!([]));
}

/// A cup for one of the Open, a medal for one of the others; every game counts for itself.
#[test]
fn sections_have_prizes_and_ties_for_first_of_their_own() {
    let place = Place::new();
    play(&place, "sections.toml");
    let prizes = json(&place, &["prizes", "configs/results/sections", "--json"]);
    let parts = prizes["parts"].as_array().expect("a table a section");
    for (part, (name, trophy)) in parts.iter().zip([("Open", "Cup"), ("Under 1500", "Medal")]) {
        assert_eq!(part["part"], name);
        let players = part["players"].as_array().expect("players");
        let have_it = players.iter().filter(|player| player["trophies"][0] == trophy);
        assert_eq!(have_it.count(), 1, "{part}");
        assert_eq!(part["pending"], serde_json::json!([]));
    }
    let page = place.swissmatch(&["prizes", "configs/results/sections"]);
    assert!(
        page.stdout().contains("sections, Open: prizes in USD")
            && page.stdout().contains("sections, Under 1500: prizes in USD"),
        "{}",
        page.stdout()
    );
    let standings = json(
        &place,
        &["standings", "configs/results/sections", "--part", "1", "--json"],
    );
    let points: f64 = standings["players"]
        .as_array()
        .expect("players")
        .iter()
        .filter_map(|player| player["game_points"].as_f64())
        .sum();
    assert!(
        (points - 12.0).abs() < 1e-9,
        "two boards of two games in three rounds: {points}"
    );
    // The odd section of three is an all-play-all: its free rounds are no byes.
    let file = place.swissmatch(&["export", "trf", "configs/results/sections", "--part", "2"]);
    assert!(!file.stdout().contains("0000 - U"), "{}", file.stdout());
}

#[test]
fn immortal_game_gives_each_bye_to_another_player() {
    let place = Place::new();
    play(&place, "immortal-game.toml");
    let standings = json(&place, &["standings", "configs/results/immortal-game", "--json"]);
    let players = standings["players"].as_array().expect("players");
    let byes: Vec<u64> = players.iter().filter_map(|player| player["byes"].as_u64()).collect();
    assert_eq!(
        (byes.len(), byes.iter().sum::<u64>()),
        (7, 5),
        "an odd number in five rounds"
    );
    assert!(byes.iter().all(|&byes| byes <= 1), "nobody twice: {byes:?}");
    let explained = place.swissmatch(&["explain", "round", "2", "--run", "configs/results/immortal-game"]);
    assert!(
        explained.stdout().starts_with("Round 2, by \"immortal\""),
        "{}",
        explained.stdout()
    );
}

#[test]
fn knockout_ends_with_one_winner() {
    let place = Place::new();
    play(&place, "knockout.toml");
    let standings = json(&place, &["standings", "configs/results/knockout", "--json"]);
    let places: Vec<&Value> = (0..4).map(|row| &standings["ranking"][row]["place"]).collect();
    assert_eq!(places, [1, 2, 3, 3]);
}

#[test]
fn the_tour_of_two_events_has_a_winner() {
    let place = Place::new();
    for event in ["gct-rapid-blitz", "gct-classical"] {
        play(&place, &format!("{event}.toml"));
        let prizes = json(&place, &["prizes", &format!("configs/results/{event}"), "--json"]);
        assert_eq!(prizes["pending"], serde_json::json!([]), "{event}");
    }
    let file = example(&place, "gct-tour.toml");
    let before = json(&place, &["tour", &file, "--json"]);
    assert_eq!(before["players"].as_array().map(Vec::len), Some(4));
    let mut ran = place.swissmatch(&["run", &file]);
    // Agents alike may stay level to the end: then the arbiter is asked.
    while ran.output.status.code() == Some(2) {
        let playoff: Value = serde_json::from_str(&place.read("configs/results/gct-tour/playoff.json")).expect("JSON");
        let ties = playoff["ties"].as_array().expect("ties");
        for question in ties
            .iter()
            .flat_map(|tie| tie["questions"].as_array().expect("questions"))
        {
            let (tie, first) = (&question["tie"], &question["players"][0]);
            let (tie, first) = (tie.as_str().expect("a tie"), first.as_str().expect("a name"));
            let words = [
                "arbiter",
                "decide",
                "configs/results/gct-tour",
                "--by",
                "Arbiter",
                "--reason",
                "a test",
                "--tie",
                tie,
            ];
            place
                .swissmatch(&[words.as_slice(), &["--result", first]].concat())
                .expect_code(0);
        }
        ran = place.swissmatch(&["run", &file]);
    }
    ran.expect_code(0);
    let after = json(&place, &["tour", "configs/results/gct-tour", "--json"]);
    assert_eq!(after["to_play_off"], serde_json::json!([]));
    assert_eq!(after["players"][0]["place"], 1);
    assert_eq!(after["players"][1]["place"], 2);
    place.swissmatch(&["verify", "configs/results/gct-tour"]).expect_code(0);
}

/// What `config` prints is an event file that gives the same event, for every example.
#[test]
fn every_example_prints_as_an_event_file_that_gives_the_same() {
    let place = Place::new();
    let files = std::fs::read_dir(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("configs")).expect("configs/");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let names: Vec<String> = names.filter(|name| name.ends_with(".toml")).collect();
    assert!(names.len() >= 8, "{names:?}");
    let bare = |text: String| -> Vec<String> {
        text.lines()
            .map(|line| line.split("  #").next().unwrap_or_default().trim_end().to_owned())
            .collect()
    };
    for name in names {
        let file = example(&place, &name);
        let printed = place.swissmatch(&["config", &file]);
        printed.expect_code(0);
        place.write("configs/printed.toml", &printed.stdout());
        let again = place.swissmatch(&["config", "configs/printed.toml"]);
        again.expect_code(0);
        assert_eq!(bare(again.stdout()), bare(printed.stdout()), "{name}");
    }
}

/// What README.md prints as an event file is one, word for word.
#[test]
fn the_event_file_in_the_readme_is_played_as_it_is_printed() {
    let readme = include_str!("../../README.md");
    let samples = readme.split("```toml\n").skip(1);
    let samples: Vec<&str> = samples.filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(
        samples.len(),
        1,
        "README.md has another number of event files than this test plays"
    );
    let place = Place::new();
    place.write("event.toml", samples[0]);
    for words in [&["config", "event.toml"][..], &["plan", "event.toml", "--events", "10"]] {
        let ran = place.swissmatch(words);
        ran.expect_code(0);
        assert_eq!(ran.stderr(), "", "{words:?}");
    }
    let short = ["--set", "mini_match.games=2", "--set", "game.nodes=50"];
    let ran = place.swissmatch(&[&["run", "event.toml"], short.as_slice()].concat());
    ran.expect_code(0);
    assert!(!ran.stderr().contains("warning"), "{}", ran.stderr());
}

/// A short form of it, at a real server.
#[test]
fn language_models_can_be_played() {
    let place = Place::new();
    let (_server, address) = llama(&place, 0);
    let file = example(&place, "global-chess-challenge-llm.toml");
    place.write("configs/challenge.jinja", include_str!("../../configs/challenge.jinja"));
    let url = format!("endpoint.local.url={address}/v1");
    let short = [
        "mini_match.games=2",
        "swiss.rounds=1",
        "game.max_moves=2",
        "model.max_tokens=20",
    ];
    let keys = [url.as_str()].into_iter().chain(short).flat_map(|key| ["--set", key]);
    let ran = place.swissmatch(&["run", file.as_str()].into_iter().chain(keys).collect::<Vec<_>>());
    ran.expect_code(0);
    assert!(ran.stdout().contains("Model, constrained"), "{}", ran.stdout());
}
