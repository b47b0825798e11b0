//! `standings --confidence` of real runs.

use crate::schemas;
use crate::support::{Place, engine, finish};

/// Plays four agents, two of them alike, in mini-matches of so many games.
fn played(games: u32) -> Place {
    let place = Place::new();
    let mut event = format!(
        "[event]\nname = \"four\"\nrng_seed = 5\n[swiss]\nrounds = 3\n[mini_match]\ngames = {games}\n[game]\nnodes = 200\n"
    );
    let agents = [
        ("Alpha", "alphabeta", ""),
        ("Greedy", "greedy", ""),
        ("One", "random-mover", "options = { Seed = 1 }"),
        ("Two", "random-mover", "options = { Seed = 2 }"),
    ];
    for (name, command, more) in agents {
        event += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"{}\"\n{more}\n",
            engine(command)
        );
    }
    place.write("event.toml", &event);
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place
}

#[test]
fn confidence_of_a_run_is_shown_in_every_form_and_the_same_on_1_and_4_threads() {
    let place = played(8);
    let shown = |args: &[&str], threads: &str| {
        let mut command = place.command(&[&["standings", "run", "--confidence"], args].concat());
        let output = finish(command.env("RAYON_NUM_THREADS", threads).spawn().expect("it runs"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    for args in [&[][..], &["--json"], &["--markdown"], &["--csv"]] {
        assert_eq!(shown(args, "1"), shown(args, "4"), "{args:?}");
    }
    assert_ne!(shown(&["--json"], "1"), shown(&["--json", "--rng-seed", "6"], "1"));

    let text = shown(&[], "2");
    let header = text.lines().find(|line| line.starts_with("#")).expect("a header");
    assert!(header.ends_with("1st %  Top 3 %  Places"), "{text}");

    let json: serde_json::Value = serde_json::from_str(&shown(&["--json"], "2")).expect("JSON");
    schemas::check("standings", &json);
    assert_eq!(
        json["confidence"]["rng_seed"], 5,
        "the event's seed, where none is given"
    );
    let players = json["players"].as_array().expect("players");
    let alpha = players
        .iter()
        .find(|player| player["name"] == "Alpha")
        .expect("it played");
    assert!(alpha["confidence"]["first"].as_f64() > Some(0.9), "{alpha}");
    let first = players
        .iter()
        .filter_map(|player| player["confidence"]["first"].as_f64())
        .sum::<f64>();
    assert!((first - 1.0).abs() < 1e-4, "somebody comes first: {first}");

    let csv = shown(&["--csv"], "2");
    assert_eq!(shown(&["--csv", "--plot", "plots"], "2"), csv);
    let svg = place.read("plots/rank-confidence.svg");
    assert!(
        svg.contains("Rank confidence: four") && svg.contains(">Greedy<"),
        "{svg}"
    );
}

#[test]
fn a_tournament_file_is_refused() {
    let place = Place::new();
    place.write("open.trf", "012 Open\n");
    let ran = place.swissmatch(&["standings", "open.trf", "--confidence"]);
    ran.expect_code(4);
    assert!(ran.stderr().contains("the directory of a run"), "{}", ran.stderr());
}

#[test]
fn too_few_game_pairs_are_refused() {
    let ran = played(2).swissmatch(&["standings", "run", "--confidence=500"]);
    ran.expect_code(4);
    assert!(
        ran.stderr().contains("round 1 board 1 has 1 played game pair (") && ran.stderr().contains("mini_match.games"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn a_plot_or_a_seed_without_confidence_is_wrong_usage() {
    let place = played(2);
    for flag in [&["--plot", "plots"][..], &["--rng-seed", "1"]] {
        let ran = place.swissmatch(&[&["standings", "run"], flag].concat());
        ran.expect_code(4);
        assert!(ran.stderr().contains("--confidence"), "{}", ran.stderr());
    }
}
