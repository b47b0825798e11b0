//! `thinking` of a real run, beside its records; plots of matches.

use roxmltree::Document;
use serde_json::Value;

use crate::support::{Place, engine};

/// A match of two agents under a clock, with a test that cannot be decided.
fn played() -> Place {
    let place = Place::new();
    let [strong, weak] = ["alphabeta", "random-mover"].map(engine);
    place.write(
        "event.toml",
        &format!(
            "preset = \"none\"\n[event]\nname = \"time\"\n[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 6\n\
             [game]\ntime_control = \"60+1 nodes=300\"\nmax_moves = 30\n[engine]\nisolation = \"off\"\n[sprt]\nelo0 = 0\nelo1 = 5\n\
             [[player]]\nname = \"Alpha <&>\"\ncommand = \"{strong}\"\n[[player]]\nname = \"Random\"\ncommand = \"{weak}\"\n"
        ),
    );
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(2);
    place
}

fn records(place: &Place) -> Vec<Value> {
    let ran = place.swissmatch(&["export", "records", "run"]);
    ran.expect_code(0);
    let lines = ran.stdout();
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn figures_are_those_of_the_records_and_plots_are_drawn() {
    let place = played();
    let ran = place.swissmatch(&["thinking", "run", "--json", "--band", "7", "--plot", "plots"]);
    ran.expect_code(0);
    let found: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
    let records = records(&place);
    assert_eq!(found["games"], records.len());
    assert_eq!(records.len(), 6);
    for player in list(&found, "players") {
        // Columns of the records by ply, of the plies of this player.
        let (mut times, mut nodes, mut lefts) = (Vec::new(), Vec::new(), Vec::new());
        for record in &records {
            let is_white = record["white"] == player["pairing_number"];
            let fen = record["opening"]["fen"].as_str().unwrap_or(" w ");
            let moves = record["opening"]["moves"]
                .as_str()
                .unwrap_or("")
                .split_whitespace()
                .count();
            let begins_with_white = fen.contains(" w ") == moves.is_multiple_of(2);
            let first = usize::from(is_white != begins_with_white);
            let mut clock = 60_000_000;
            for ply in (first..list(record, "time_us").len()).step_by(2) {
                let time = record["time_us"][ply].as_i64().expect("a time");
                times.push(time);
                nodes.extend(list(record, "nodes").get(ply).and_then(Value::as_i64));
                lefts.push(clock - time);
                clock = record["clock_us"][ply].as_i64().expect("a clock");
                assert!((lefts[lefts.len() - 1] + 1_000_000 - clock).abs() <= 1, "the increment");
            }
        }
        assert_eq!(player["games"], 6);
        assert_eq!(player["moves"], times.len());
        let in_bands: u64 = list(player, "bands")
            .iter()
            .filter_map(|band| band["moves"].as_u64())
            .sum();
        assert_eq!(in_bands, times.len() as u64);
        let near = |value: &Value, expected: f64| {
            let value = value.as_f64().expect("a number");
            assert!(
                (value - expected).abs() <= expected.abs() * 0.005 + 0.0015,
                "{value} {expected}"
            );
        };
        let sum: i64 = times.iter().sum();
        near(&player["time_ms"]["mean"], sum as f64 / 1000.0 / times.len() as f64);
        times.sort_unstable();
        near(
            &player["time_ms"]["median"],
            times[times.len().div_ceil(2) - 1] as f64 / 1000.0,
        );
        near(&player["time_ms"]["largest"], times[times.len() - 1] as f64 / 1000.0);
        let least = *lefts.iter().min().expect("moves") as f64 / 1000.0;
        near(&player["limits"]["least_left"]["ms"], least);
        assert_eq!(player["nodes"]["count"].as_u64().unwrap_or(0), nodes.len() as u64);
        if !nodes.is_empty() {
            near(
                &player["nodes"]["mean"],
                nodes.iter().sum::<i64>() as f64 / nodes.len() as f64,
            );
        }
        assert_eq!(
            (&player["limits"]["overruns"], &player["limits"]["time_forfeits"]),
            (&0.into(), &0.into())
        );
    }
    is_drawn(
        &place,
        &["time-per-move", "depth", "nodes", "speed"],
        &["Alpha <&>", "Random"],
    );
}

/// Whether these plots are there, well formed and with these names.
fn is_drawn(place: &Place, plots: &[&str], names: &[&str]) {
    for plot in plots {
        let svg = place.read(&format!("plots/{plot}.svg"));
        let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{plot}: {error}"));
        let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
        for name in names {
            assert!(texts.iter().any(|text| text.contains(name)), "{plot}: {texts:?}");
        }
    }
}

#[test]
fn a_match_has_plots_of_its_score_and_its_test() {
    let place = played();
    place.swissmatch(&["stats", "run", "--plot", "plots"]).expect_code(0);
    is_drawn(&place, &["score", "llr"], &["Alpha <&>"]);
    assert!(place.read("plots/llr.svg").contains("n = 3 game pairs."));
    assert!(place.read("plots/score.svg").contains("n = 3 game pairs."));

    std::fs::remove_dir_all(place.path("plots")).expect("they were drawn");
    place
        .swissmatch(&["export", "pgn", "run", "--output", "games.pgn"])
        .expect_code(0);
    place
        .swissmatch(&["stats", "games.pgn", "--plot", "plots"])
        .expect_code(0);
    is_drawn(&place, &["score"], &["Alpha <&>"]);
    assert!(place.read("plots/score.svg").contains("n = 3 game pairs."));
    assert!(!place.path("plots/llr.svg").exists(), "a file has no test");

    // Of several no match is drawn.
    std::fs::remove_dir_all(place.path("plots")).expect("they were drawn");
    place
        .swissmatch(&["stats", "run", "games.pgn", "--plot", "plots"])
        .expect_code(0);
    assert!(place.path("plots/ratings.svg").exists() && !place.path("plots/score.svg").exists());
}

#[test]
fn players_are_chosen_by_name_and_every_form_is_there() {
    let place = played();
    let shown = |args: &[&str]| {
        let ran = place.swissmatch(&[&["thinking", "run"], args].concat());
        ran.expect_code(0);
        ran.stdout()
    };
    let text = shown(&["--player", "Random", "--near", "100ms"]);
    assert!(text.contains("Random") && !text.contains("Alpha"), "{text}");
    assert!(text.contains("less than 100ms left"), "{text}");
    assert!(shown(&["--csv"]).starts_with("Part,Player,"));
    let bands = "## By the number of the move";
    assert!(!shown(&["--markdown"]).contains(bands));
    assert!(shown(&["--markdown", "--band", "10"]).contains(bands));
    for (args, said) in [
        (&["--player", "Nobody"][..], "give one of Alpha <&>, Random"),
        (&["--band", "0"], "--band"),
        (&["--near", "5"], "expected a unit"),
    ] {
        let ran = place.swissmatch(&[&["thinking", "run"], args].concat());
        ran.expect_code(4);
        assert!(ran.stderr().contains(said), "{}", ran.stderr());
    }
}
