//! `stats` of runs and files, `stats` and `sprt` of counts.

use std::io::Write as _;

use serde_json::{Value, json};
use swissmatch::game::termination::Outcome;

use crate::support::{Place, Ran, engine};

/// Game pairs of two players: White, Black and the results of both games, the first player having White in the first.
fn pgn(pairs: &[(&str, &str, &str, &str)]) -> String {
    let mut text = String::new();
    for (round, (one, other, first, second)) in (1..).zip(pairs) {
        for (white, black, result) in [(one, other, first), (other, one, second)] {
            let number = text.len();
            text += &format!(
                "[Event \"t\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
                 [Site \"{number}\"]\n\n1. e4 {{book}} e5 2. Nf3 {result}\n\n"
            );
        }
    }
    text
}

const WON: &str = "1-0";
const LOST: &str = "0-1";
const DRAWN: &str = "1/2-1/2";

/// A and B twenty pairs, B and C twenty.
fn file() -> String {
    let mut pairs = Vec::new();
    for [one, other] in [["A", "B"], ["B", "C"]] {
        pairs.extend([(one, other, WON, LOST); 5]);
        pairs.extend([(one, other, WON, DRAWN); 6]);
        pairs.extend([(one, other, DRAWN, DRAWN); 5]);
        pairs.extend([(one, other, LOST, DRAWN); 4]);
    }
    pgn(&pairs)
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout()).unwrap_or_else(|error| panic!("{error}\n{}", ran.stdout()))
}

/// Runs a command that is done.
fn done(place: &Place, args: &[&str]) -> String {
    let ran = place.swissmatch(args);
    ran.expect_code(0);
    ran.stdout()
}

#[test]
fn a_file_is_rated_by_its_pairs_packed_or_not() {
    let place = Place::new();
    place.write("games.pgn", &file());
    let text = done(&place, &["stats", "games.pgn"]);
    for said in [
        "3 players, 80 games of 1 file, 80 in game pairs",
        "± is half of a 95 % interval, from the spread of game pairs, as every player has at least 10",
        "White's advantage: ",
        "Draws between equals: ",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let rated = json(&place.swissmatch(&["stats", "games.pgn", "--json"]));
    assert_eq!(rated["errors"], "pairs");
    let names: Vec<&Value> = (rated["players"].as_array().expect("players").iter())
        .map(|player| &player["player"])
        .collect();
    assert_eq!(names, ["A", "B", "C"]);
    assert!(rated["players"][0]["rating"].as_f64() > Some(0.0));

    let packed = std::fs::File::create(place.path("games.pgn.gz")).expect("a file");
    let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
    packed.write_all(file().as_bytes()).expect("room");
    packed.finish().expect("room");
    assert_eq!(done(&place, &["stats", "games.pgn.gz"]), text);
    // The same games once more are duplicates.
    let twice = json(&place.swissmatch(&["stats", "games.pgn", "games.pgn.gz", "--json"]));
    assert_eq!(twice["games"], 160);
    assert!(twice["duplicates"].as_u64() >= Some(80));
}

#[test]
fn models_errors_anchors_and_tables_are_as_asked() {
    let place = Place::new();
    place.write("games.pgn", &file());
    for (more, model, errors) in [
        (&["--model", "rao-kupper"][..], "rao-kupper", "pairs"),
        (&["--ordo"], "halves", "model"),
        (&["--bayeselo"], "rao-kupper", "model"),
        (&["--errors", "games"], "davidson", "games"),
        (&["--errors", "model"], "davidson", "model"),
        (
            &["--errors", "resampled", "--samples", "50", "--rng-seed", "7"],
            "davidson",
            "resampled",
        ),
    ] {
        let ran = place.swissmatch(&[&["stats", "games.pgn", "--json"], more].concat());
        ran.expect_code(0);
        let rated = json(&ran);
        assert_eq!(
            (&rated["model"], &rated["errors"]),
            (&json!(model), &json!(errors)),
            "{more:?}"
        );
    }
    let anchored = json(&place.swissmatch(&["stats", "games.pgn", "--anchor", "B=2500", "--json"]));
    assert_eq!(anchored["players"][1]["rating"], 2500.0);
    assert_eq!(anchored["players"][1]["is_anchor"], true);
    let average = json(&place.swissmatch(&["stats", "games.pgn", "--average", "-100", "--json"]));
    let ratings = average["players"].as_array().expect("players").iter();
    let sum: f64 = ratings.map(|player| player["rating"].as_f64().expect("a rating")).sum();
    assert!((sum + 300.0).abs() < 1e-6, "{sum}");

    let more = json(&place.swissmatch(&["stats", "games.pgn", "--los", "--by-opponent", "--json"]));
    assert_eq!(more["los"].as_array().map(Vec::len), Some(3));
    assert_eq!(more["opponents"][0]["players"], json!(["A", "B"]));
    assert_eq!(more["opponents"][0]["points"], 26.0);
    let csv = done(&place, &["stats", "games.pgn", "--csv"]);
    assert!(
        csv.starts_with("Rank,Player,Rating,±,Games,Points,Score %,Draws %,LOS %\n1,A,"),
        "{csv}"
    );
    let markdown = done(&place, &["stats", "games.pgn", "--markdown", "--los"]);
    assert!(markdown.contains("## Likelihood of superiority"), "{markdown}");
}

#[test]
fn what_cannot_be_used_is_told_and_the_rest_is_rated() {
    let place = Place::new();
    let games = pgn(&[("A", "B", WON, DRAWN), ("A", "B", LOST, DRAWN)]);
    let odd = "[White \"A\"]\n[Black \"A\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n".repeat(7);
    place.write(
        "games.pgn",
        &(games + &odd + "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 *\n"),
    );
    let text = done(&place, &["stats", "games.pgn"]);
    assert!(text.contains("Games left out: 1 unfinished, 7 unusable."), "{text}");
    assert_eq!(text.matches("`A` plays against itself").count(), 5, "{text}");
    assert!(text.contains("And 2 more that cannot be used."), "{text}");
    // Two players have the figures of their games and of their pairs.
    assert!(text.contains("2 game pairs, by points 0 to 2: 0, 1, 0, 1, 0"), "{text}");

    place.write("odd.pgn", &odd);
    let none = place.swissmatch(&["stats", "odd.pgn"]);
    none.expect_code(4);
    assert!(none.stderr().contains("nobody is rated"), "{}", none.stderr());
    assert!(none.stderr().contains("odd.pgn, line "), "{}", none.stderr());
    for args in [&["stats", "absent.pgn"][..], &["stats"], &["stats", "."]] {
        place.swissmatch(args).expect_code(4);
    }
}

#[test]
fn runs_and_files_are_rated_together_with_plots() {
    let place = Place::new();
    let [strong, weak] = ["alphabeta", "random-mover"].map(engine);
    place.write(
        "event.toml",
        &format!(
            "preset = \"none\"\n[event]\nname = \"test\"\n[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 4\n\
             [game]\ntime_control = \"nodes=200\"\nmax_moves = 30\n[engine]\nisolation = \"off\"\n\
             [[player]]\nname = \"A\"\ncommand = \"{strong}\"\n[[player]]\nname = \"Random\"\ncommand = \"{weak}\"\n"
        ),
    );
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place.write("games.pgn", &file());
    let both = json(&place.swissmatch(&["stats", "run", "games.pgn", "--json", "--plot", "plots"]));
    assert_eq!(both["games"], 84);
    assert_eq!(both["sources"][0], json!({ "place": "run", "kind": "run", "games": 4 }));
    let players = both["players"].as_array().expect("players");
    assert_eq!(players.last().map(|player| &player["player"]), Some(&json!("Random")));
    for name in ["ratings.svg", "los.svg"] {
        assert!(place.read(&format!("plots/{name}")).contains("Random"), "{name}");
    }
    // Without a place the latest run, and an event file for its run.
    let alone = done(&place, &["stats", "run/run.sqlite"]);
    assert!(alone.contains("2 players, 4 games of 1 run"), "{alone}");
}

#[test]
fn faults_are_told_with_what_they_change() {
    let place = Place::new();
    let mut games = file();
    games += &pgn(&[("C", "A", WON, DRAWN); 3]).replace("[Site", "[Termination \"time forfeit\"]\n[Site");
    place.write("games.pgn", &games);
    let with = json(&place.swissmatch(&["stats", "games.pgn", "--json"]));
    assert_eq!(with["games"], 86);
    assert!(with["faults"]["games"].as_u64() > Some(0));
    assert!(!with["faults"]["moves"].as_array().expect("a list").is_empty());
    let without = json(&place.swissmatch(&["stats", "games.pgn", "--leave-out-faults", "--json"]));
    let rating = |rated: &Value, name: &str| -> f64 {
        let mut players = rated["players"].as_array().expect("players").iter();
        let player = players.find(|player| player["player"] == name).expect("a player");
        player["rating"].as_f64().expect("a rating")
    };
    for moved in with["faults"]["moves"].as_array().expect("a list") {
        let name = moved["player"].as_str().expect("a name");
        let by = rating(&without, name) - rating(&with, name);
        assert!((by - moved["by"].as_f64().expect("a number")).abs() < 1e-6);
    }
    let count = |rated: &Value| rated["faults"]["moves"].as_array().map(Vec::len);
    assert_eq!(count(&without), count(&with));
}

#[test]
fn one_name_of_several_programs_is_told() {
    let place = Place::new();
    let event = |more: &str| {
        format!(
            "preset = \"none\"\nevent.name = \"t\"\nswiss.rounds = 1\nmini_match.openings = \"none\"\nmini_match.games = 2\n\
             [[player]]\nname = \"A\"\ncommand = \"A\"\n[[player]]\nname = \"B\"\ncommand = \"{more}\"\n"
        )
    };
    place.play_by_script(&event("B"), "one", |spec| {
        if spec.id.game == 1 {
            Outcome::WhiteWins
        } else {
            Outcome::Draw
        }
    });
    place.play_by_script(&event("B"), "other", |_| Outcome::Draw);
    let rated = json(&place.swissmatch(&["stats", "one", "other", "--json"]));
    assert_eq!(rated["games"], 4);
    // A script has no files, which may be the same or not.
    assert_eq!(rated["different_programs"], json!([]));
}

#[test]
fn counts_alone_have_figures() {
    let place = Place::new();
    let games = json(&place.swissmatch(&["stats", "--wdl", "164,23,13", "--json"]));
    assert_eq!(games["games"], json!({ "wins": 164, "draws": 23, "losses": 13 }));
    near(&games["figures"]["score"], 0.8775);
    let five = json(&place.swissmatch(&["stats", "--pentanomial", "2,0,10,21,67", "--json"]));
    let six = json(&place.swissmatch(&["stats", "--pentanomial", "2,0,8,2,21,67", "--json"]));
    assert_eq!(five["figures"], six["figures"]);
    assert_eq!(five["games"], Value::Null);
    assert_eq!(six["games"], json!({ "wins": 163, "draws": 25, "losses": 12 }));
    // Of another program's match: 400 games, 200 pairs.
    let pairs = json(&place.swissmatch(&["stats", "--pentanomial", "41,0,66,33,21,39", "--json"]));
    near(&pairs["figures"]["elo"], 14.7749);
    near(&pairs["figures"]["elo_error"], 31.5136);
    near(&pairs["figures"]["nelo"], 16.0265);
    near(&pairs["figures"]["los"], 0.821_88);
    let games = json(&place.swissmatch(&["stats", "--wdl", "165,87,148", "--json"]));
    near(&games["figures"]["elo_error"], 30.2146);
    let text = done(&place, &["stats", "--wdl", "164,23,13"]);
    assert!(text.contains("164 won, 23 drawn, 13 lost of 200 games"), "{text}");
}

#[track_caller]
fn near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{found}"));
    assert!((found - expected).abs() < 1e-3, "{found} {expected}");
}

#[test]
fn a_test_of_counts_ends_with_its_verdict() {
    let place = Place::new();
    let test = ["sprt", "--elo0", "0", "--elo1", "5", "--json"];
    let of = |more: &[&str], code: i32| {
        let ran = place.swissmatch(&[&test, more].concat());
        ran.expect_code(code);
        json(&ran)
    };
    let undecided = of(&["--wdl", "164,23,13"], 2);
    assert_eq!(undecided["counts"], "trinomial");
    assert_eq!(
        (&undecided["look"]["after"], &undecided["draws_from"]),
        (&json!(200), &json!("seen"))
    );
    for (model, llr) in [("normalized", 0.235_15), ("logistic", 0.259_74), ("bayesian", 0.249_80)] {
        near(&of(&["--wdl", "165,87,148", "--model", model], 2)["look"]["llr"], llr);
    }
    near(&of(&["--pentanomial", "41,0,66,33,21,39"], 2)["look"]["llr"], 0.222_47);
    assert_eq!(of(&["--pentanomial", "20,100,400,900,300"], 0)["look"]["verdict"], "H1");
    assert_eq!(of(&["--pentanomial", "300,900,400,100,20"], 1)["look"]["verdict"], "H0");
    let without = of(&["--elo", "-2.5", "--draws", "0.7"], 0);
    assert_eq!(without["look"], Value::Null);
    let elos: Vec<&Value> = (without["expected"].as_array().expect("a list").iter())
        .map(|length| &length["elo"])
        .collect();
    assert_eq!(elos, [&json!(-2.5), &json!(0), &json!(2.5), &json!(5)]);
    let ran = place.swissmatch(&["sprt", "--elo0=-3", "--elo1", "1", "--pentanomial", "2,0,10,21,67"]);
    assert!(ran.stdout().contains("after 100 game pairs"), "{}", ran.stdout());
}

#[test]
fn what_makes_no_sense_is_refused_with_a_remedy() {
    let place = Place::new();
    place.write("games.pgn", &file());
    for (args, said) in [
        (&["stats", "--wdl", "1,2"][..], "164,23,13"),
        (&["stats", "--wdl", "0,0,0"], "not all 0"),
        (&["stats", "--pentanomial", "1,2,3,4"], "2,0,10,21,67"),
        (&["stats", "games.pgn", "--wdl", "1,2,3"], "cannot be used with"),
        (&["stats", "--wdl", "1,2,3", "--los"], "cannot be used with"),
        (
            &["stats", "games.pgn", "--ordo", "--model", "halves"],
            "cannot be used with",
        ),
        (&["stats", "games.pgn", "--samples", "10"], "add --errors resampled"),
        (
            &["stats", "games.pgn", "--anchor", "X=1"],
            "no game of a player `X` counts",
        ),
        (&["stats", "games.pgn", "--anchor", "A"], "Stockfish 15=3500"),
        (
            &["stats", "games.pgn", "--anchor", "A=1", "--anchor", "A=2"],
            "give each player one",
        ),
        (
            &["stats", "games.pgn", "--anchor", "A=1", "--average", "2"],
            "cannot be used with",
        ),
        (&["sprt", "--elo0", "0"], "--elo1"),
        (
            &["sprt", "--elo0", "5", "--elo1", "5"],
            "--elo1 5 is not above --elo0 5",
        ),
        (&["sprt", "--elo0", "0", "--elo1", "x"], "a decimal such as"),
        (
            &["sprt", "--elo0", "0", "--elo1", "5", "--alpha", "1"],
            "above 0 and below 1",
        ),
        (
            &["sprt", "--elo0", "0", "--elo1", "5", "--alpha", "0.5", "--beta", "0.5"],
            "below 1",
        ),
        (&["sprt", "--elo0", "0", "--elo1", "5", "--model", "fide"], "normalized"),
        (&["sprt", "--elo0", "0", "--elo1", "5", "--draws", "1"], "--draws"),
        (
            &[
                "sprt",
                "--elo0",
                "0",
                "--elo1",
                "5",
                "--wdl",
                "1,2,3",
                "--counts",
                "pentanomial",
            ],
            "give --pentanomial, or --counts trinomial",
        ),
        (
            &[
                "sprt",
                "--elo0",
                "0",
                "--elo1",
                "5",
                "--pentanomial",
                "1,2,3,4,5",
                "--model",
                "bayesian",
            ],
            "give six counts",
        ),
    ] {
        let ran = place.swissmatch(args);
        ran.expect_code(4);
        assert!(ran.stderr().contains(said), "{args:?}: {}", ran.stderr());
    }
}

/// A run of two agents, its PGN file beside it.
fn played(place: &Place) {
    let (greedy, random) = (engine("greedy"), engine("random-mover"));
    place.write(
        "event.toml",
        &format!(
            "preset = \"none\"\nevent.name = \"t\"\nswiss.rounds = 1\nmini_match.games = 4\ngame.time_control = \"nodes=200\"\n\
             game.max_moves = 20\nengine.isolation = \"off\"\n[[player]]\nname = \"Greedy\"\ncommand = \"{greedy}\"\n[[player]]\nname = \"Random\"\n\
             command = \"{random}\"\n"
        ),
    );
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
}

#[test]
fn games_of_a_run_and_of_its_own_file_count_once() {
    let place = Place::new();
    played(&place);
    let of = |sources: &[&str]| {
        json(&place.swissmatch(&[&["stats"], sources, &["--json", "--bayeselo", "--by", "opening,length"]].concat()))
    };
    let run = of(&["run"]);
    assert_eq!((&run["games"], &run["left_out"]["of_runs"]), (&json!(4), &json!(0)));
    for sources in [["run", "run/games.pgn"], ["run/games.pgn", "run"]] {
        let both = of(&sources);
        assert_eq!((&both["games"], &both["left_out"]["of_runs"]), (&json!(4), &json!(4)));
        assert_eq!(both["players"], run["players"]);
        assert_eq!(both["duplicates"], 0);
    }
    // A game of another match, and one that went on otherwise, are others.
    let own = place.read("run/games.pgn");
    let longer = own.replacen("[Round \"1.1.1\"]", "[Round \"7.1.1\"]", 1);
    let longer = longer.replacen("[GamePair \"1.1.1\"]", "[GamePair \"7.1.1\"]", 1);
    assert_ne!(longer, own);
    place.write("other.pgn", &longer);
    let other = of(&["run", "other.pgn"]);
    assert_eq!((&other["games"], &other["left_out"]["of_runs"]), (&json!(5), &json!(3)));
    // Openings and lengths are the same by run and by file.
    let file = of(&["run/games.pgn"]);
    assert_eq!(file["by_opening"], run["by_opening"]);
    assert_eq!(file["by_length"], run["by_length"]);
    assert_eq!(run["by_opening"].as_array().map(Vec::len), Some(2));
    let text = done(
        &place,
        &["stats", "run", "run/games.pgn", "--bayeselo", "--by", "ending,color"],
    );
    assert!(
        text.contains("By termination: ") && text.contains("By colour: "),
        "{text}"
    );
    assert!(text.contains("and count once: 4."), "{text}");
}

#[test]
fn programs_that_rate_get_results_alone() {
    let place = Place::new();
    played(&place);
    for program in ["ordo", "bayeselo"] {
        let text = done(&place, &["export", program, "run"]);
        assert_eq!(text.matches("[White \"").count(), 4, "{text}");
        assert!(
            text.starts_with("[Round \"1.1.1\"]\n[White \"") && !text.contains("e4"),
            "{text}"
        );
        // It is PGN: the same is rated by it.
        place.write("results.pgn", &text);
        let rated = json(&place.swissmatch(&["stats", "results.pgn", "--json", "--bayeselo"]));
        let whole = json(&place.swissmatch(&["stats", "run", "--json", "--bayeselo"]));
        assert_eq!(rated["players"][0]["points"], whole["players"][0]["points"]);
    }
}

#[test]
fn figures_and_ratings_are_lines_of_json_and_tables_of_a_match() {
    let place = Place::new();
    let (greedy, random) = (engine("greedy"), engine("random-mover"));
    let lines = |ran: &Ran, kind: &str| -> Vec<Value> {
        let lines = ran.stdout();
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        lines.filter(|line| line["type"] == kind).collect()
    };
    let two = [
        "match",
        &greedy,
        &random,
        "--games",
        "24",
        "--time",
        "nodes=100",
        "--json",
    ];
    let ran = place.swissmatch(&two);
    ran.expect_code(0);
    let figures = lines(&ran, "figures");
    // After 10 and 20 games, and at the end.
    let finished: Vec<&Value> = figures.iter().map(|line| &line["games_finished"]).collect();
    assert_eq!(finished, [10, 20, 24]);
    let pairs = figures[2]["pairs"]["pentanomial"].as_array().expect("counts").iter();
    assert_eq!(pairs.filter_map(Value::as_u64).sum::<u64>(), 12);
    assert_eq!(figures[2]["faults"], json!([]));
    assert!(lines(&ran, "ratings").is_empty());

    let alphabeta = engine("alphabeta");
    let three = [
        "match",
        &greedy,
        &random,
        &alphabeta,
        "--games",
        "8",
        "--time",
        "nodes=100",
    ];
    let ran = place.swissmatch(&three);
    ran.expect_code(0);
    assert!(
        ran.stderr().contains("3 players, 10 games of 1 run"),
        "{}",
        ran.stderr()
    );
    assert!(
        ran.stdout().contains("3 players, 24 games of 1 run"),
        "{}",
        ran.stdout()
    );
    assert!(ran.stdout().contains("White's advantage"), "{}", ran.stdout());
    let ran = place.swissmatch(&[&three[..], &["--fresh", "--json"]].concat());
    ran.expect_code(0);
    let ratings = lines(&ran, "ratings");
    assert_eq!(ratings.last().expect("a line")["games_finished"], 24);
    assert_eq!(ratings[0]["players"].as_array().map(Vec::len), Some(3));
    assert!(lines(&ran, "figures").is_empty());
}
