//! Events whose games are adjudicated, from the keys to what is left behind.
#![expect(clippy::disallowed_methods, reason = "it writes tablebases")]

use std::path::Path;

use serde_json::Value;

use crate::damage::{forge, unguarded};
use crate::support::{Place, engine, system_engine};

/// An event of two players with these keys.
fn event(players: [(&str, &str); 2], keys: &str) -> String {
    let mut text = format!("preset = \"none\"\n[event]\nname = \"adjudicated\"\n[swiss]\nrounds = 1\n{keys}\n");
    for (number, (command, more)) in players.into_iter().enumerate() {
        text += &format!("[[player]]\nname = \"P{number}\"\ncommand = \"{command}\"\n{more}\n");
    }
    text
}

fn records(place: &Place) -> Vec<Value> {
    let text = place.swissmatch(&["export", "records", "run"]).stdout();
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect()
}

/// A weak engine that knows what it is worth: both say who is lost, and games end early.
fn weak_and_strong(place: &Place, rules: &str) {
    let strong = system_engine("stockfish");
    let keys = format!(
        "[mini_match]\ngames = 6\n[game]\ntime_control = \"30s/move\"\nmax_moves = 120\n[run]\nconcurrency = 2\n\
         [adjudication]\n{rules}"
    );
    // The weaker of the two sees one ply far, and knows well enough when it is lost.
    let players = [
        (strong.as_str(), "nodes = 20000"),
        // Without "Skill Level", which plays by chance, both are deterministic.
        (strong.as_str(), "depth = 1"),
    ];
    place.write("event.toml", &event(players, &keys));
}

#[test]
fn lost_games_end_by_both_engines_scores() {
    let place = Place::new();
    weak_and_strong(&place, "resign_score = 600\nresign_moves = 3\n");
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let records = records(&place);
    let resigned: Vec<&Value> = records
        .iter()
        .filter(|record| record["termination"] == "resign-adjudication")
        .collect();
    assert!(resigned.len() >= 3, "{} of {} games", resigned.len(), records.len());
    for record in &resigned {
        let scores = record["adjudication"]["scores"].as_array().expect("scores");
        assert_eq!(scores.len(), 6, "three moves of each");
        for score in scores {
            let eval = &record["eval"][score["ply"].as_u64().expect("a ply") as usize];
            assert_eq!(*eval, score["eval"]);
            let is_lost = eval
                .as_i64()
                .map_or_else(|| eval.as_str().is_some_and(|mate| mate.contains('-')), |eval| eval < 0);
            assert_eq!(is_lost, score["side"] == record["adjudication"]["loser"], "{score}");
        }
    }
    let pgn = place.read("run/games.pgn");
    let told = pgn.replace('\n', " ");
    assert_eq!(pgn.matches("[Termination \"adjudication\"]").count(), resigned.len());
    assert_eq!(told.matches(" wins by adjudication}").count(), resigned.len());
    let games = place.export_json("run", "games-json");
    let games = games["games"].as_array().expect("games");
    let of_games = games.iter().filter(|game| game["termination"] == "resign-adjudication");
    assert!(of_games.clone().all(|game| game["fault_of"].is_null()));
    assert_eq!(of_games.count(), resigned.len());
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// An agent that says 0 at every move is never resigned, however often its opponent says that it has won.
#[test]
fn who_says_zero_for_ever_is_not_resigned() {
    let place = Place::new();
    let keys = "[mini_match]\ngames = 2\n[game]\ntime_control = \"30s/move\"\nmax_moves = 40\n[adjudication]\n\
                resign_score = 300\nresign_moves = 1\n";
    let (strong, liar) = (system_engine("stockfish"), engine("random-mover"));
    place.write("event.toml", &event([(&strong, "nodes = 2000"), (&liar, "")], keys));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    for record in records(&place) {
        assert!(record["adjudication"].is_null(), "{record}");
        assert!(
            record["termination"] == "checkmate" || record["termination"] == "move-cap",
            "{record}"
        );
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// The log and the hashes are made right again after each change, as a forger would: the scores tell.
#[test]
fn an_adjudication_that_its_scores_do_not_bear_out_is_found() {
    let place = Place::new();
    weak_and_strong(&place, "resign_score = 600\nresign_moves = 3\n");
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let verify = |why: &str| {
        let ran = place.swissmatch(&["verify", "run"]);
        assert_ne!(ran.output.status.code(), Some(0), "{}", ran.stdout());
        let told = ran.stdout() + &ran.stderr();
        assert!(told.contains(why), "{told}");
    };
    // Other keys than the games were played by: those that were adjudicated should have ended earlier, or later.
    let log = unguarded(&place.path("run"));
    for (key, value, why) in [
        ("resign_moves", "2", "goes on after its end"),
        (
            "resign_moves",
            "4",
            "its moves and scores do not lead to its termination",
        ),
        (
            "resign_score",
            "null",
            "its moves and scores do not lead to its termination",
        ),
    ] {
        let body: String = log
            .query_row("SELECT body FROM entries WHERE seq = 1", [], |row| row.get(0))
            .expect("the first event");
        let mut forged: Value = serde_json::from_str(&body).expect("an event");
        let keys = &mut forged["setup"]["adjudication"];
        assert!(keys[key].is_number(), "{keys}");
        keys[key] = serde_json::from_str(value).expect("a value");
        let set = |body: &str| {
            let changed = log.execute("UPDATE entries SET body = ?1 WHERE seq = 1", [body]);
            assert_eq!(changed.expect("a row"), 1);
            forge(&log);
        };
        set(&forged.to_string());
        verify(why);
        set(&body);
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// A Syzygy WDL table in which the side of the first-named men always wins, or all is drawn; right but for stalemates and
/// captures, which are looked at when a table is asked.
fn made_up_table(directory: &Path, name: &str, wins: bool) {
    const PIECES: &str = ".PNBRQK";
    let nibble = |piece: char| PIECES.find(piece).expect("a piece") as u8;
    let (strong, weak) = name.split_once('v').expect("two sides");
    let has_pawns = name.contains('P');
    // Pawns come first.
    let mut men: Vec<(u8, u8)> = strong.chars().map(|piece| (nibble(piece), 0)).collect();
    men.extend(weak.chars().map(|piece| (nibble(piece), 8)));
    men.sort_by_key(|(piece, color)| (*piece != 1, *color));
    let mut table = vec![0x71, 0xe8, 0x23, 0x5d, 1 + 2 * u8::from(has_pawns)];
    for _file in 0..if has_pawns { 4 } else { 1 } {
        table.push(0);
        // The table of the first side to move, and that of the other, of the same men.
        table.extend(men.iter().map(|(piece, color)| (piece | color) * 0x11));
    }
    table.resize(table.len() + table.len() % 2, 0);
    // One value for every position: losses are 0, draws 2, wins 4.
    let values: [u8; 2] = if wins { [4, 0] } else { [2, 2] };
    for _file in 0..if has_pawns { 4 } else { 1 } {
        table.extend(values.iter().flat_map(|value| [0x80, *value]));
    }
    table.resize(80, 0);
    std::fs::write(directory.join(format!("{name}.rtbw")), table).expect("the table is written");
}

#[test]
fn tablebases_end_games_and_what_they_lack_is_said_before_anything_starts() {
    let place = Place::new();
    // The greedy agent takes the queen.
    place.write("endings.epd", "8/7k/8/8/8/8/q7/Q3K3 w - - hmvc 3; fmvn 60;\n");
    let greedy = engine("greedy");
    let keys = "[mini_match]\ngames = 2\nopenings = \"endings.epd\"\n[game]\ntime_control = \"30s/move\"\n\
                max_moves = 50\n[adjudication]\ntablebases = [\"one\", \"other\"]\ntablebase_men = 3\n";
    place.write("event.toml", &event([(&greedy, ""), (&greedy, "")], keys));
    let run = ["run", "event.toml", "--out", "run"];
    let refused = |why: &str| {
        let ran = place.swissmatch(&run);
        ran.expect_code(4);
        assert!(ran.stderr().contains(why), "{}", ran.stderr());
        assert!(!place.path("run").exists(), "nothing was begun");
    };
    let dirs = ["one", "other"].map(|name| place.path(name));
    refused("event.toml:13:1: adjudication.tablebases: ");
    for dir in &dirs {
        std::fs::create_dir(dir).expect("a directory");
    }
    made_up_table(&dirs[0], "KQvK", true);
    made_up_table(&dirs[0], "KRvK", true);
    refused("3 of the 5 tables of up to 3 men are missing, the first of them KBvK.rtbw; add the directory with them");
    made_up_table(&dirs[1], "KBvK", false);
    made_up_table(&dirs[1], "KNvK", false);
    made_up_table(&dirs[1], "KPvK", true);
    place.swissmatch(&run).expect_code(0);
    let records = records(&place);
    for record in &records {
        assert_eq!(record["moves"], "a1a2", "the queen is taken");
        assert_eq!(
            (&record["termination"], &record["result"]),
            (&"tablebase".into(), &"1-0".into())
        );
        let told = serde_json::json!({"rule": "tablebase", "men": 3, "to_move": "black", "verdict": "loss"});
        assert_eq!(record["adjudication"], told);
    }
    let pgn = place.read("run/games.pgn").replace('\n', " ");
    assert_eq!(pgn.matches("White wins by adjudication: SyzygyTB}").count(), 2);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}
