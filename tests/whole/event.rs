//! Whole events, from the event file to what is left behind.

use crate::support::{Place, engine, system_engine};

/// The quickstart, but shorter where asked, and of fewer nodes; its agents found by their paths.
fn quickstart(games: u32) -> String {
    let text = include_str!("../../configs/quickstart.toml");
    let text = text.replace("nodes = 1500", "nodes = 300");
    format!("{text}\n").replace("rounds = 4", &format!("rounds = 4\n[mini_match]\ngames = {games}"))
}

/// "Same seed, same bytes", whatever the concurrency.
#[test]
fn quickstart_gives_the_same_bytes_at_concurrency_1_and_4() {
    let place = Place::new();
    place.write("quickstart.toml", &quickstart(2));
    let outputs = ["1", "4"].map(|concurrency| {
        let ran = place.swissmatch(&[
            "run",
            "quickstart.toml",
            "--concurrency",
            concurrency,
            "--set",
            "run.oversubscribe=true",
            "--out",
            concurrency,
        ]);
        ran.expect_code(0);
        let movetext = place.swissmatch(&["export", "pgn", concurrency, "--no-comments"]);
        movetext.expect_code(0);
        let movetext: String = movetext
            .stdout()
            .lines()
            .filter(|line| !line.starts_with("[Date"))
            .collect();
        let files = [
            "standings.md",
            "standings.csv",
            "standings.json",
            "crosstable.csv",
            "rounds/standings-1.csv",
            "games.csv",
            "tournament.trf",
        ];
        let files = files.map(|file| place.read(&format!("{concurrency}/{file}")));
        (files, movetext)
    });
    assert!(outputs[0].1.len() > 10_000, "there is movetext");
    assert_eq!(outputs[0], outputs[1]);
}

#[test]
fn stockfish_gnuchess_and_bundled_agents_play_one_event() {
    let place = Place::new();
    let players = [
        (
            "Stockfish",
            system_engine("stockfish"),
            "options = { Hash = 16, Threads = 1 }",
        ),
        ("GNU Chess", system_engine("gnuchess"), "args = [\"--uci\"]\ndepth = 2"),
        ("Alpha", engine("alphabeta"), "options = { Skill = 6 }"),
        ("Greedy", engine("greedy"), ""),
        ("Random", engine("random-mover"), ""),
    ];
    let mut event =
        "[event]\nname = \"mixed\"\n[swiss]\nrounds = 3\n[mini_match]\ngames = 2\n[game]\nnodes = 300\n".to_owned();
    for (name, command, more) in players {
        event += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n{more}\n");
    }
    place.write("event.toml", &event);
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let standings = place.export_json("run", "json");
    assert_eq!(standings["final"], true);
    let players = standings["players"].as_array().expect("a list of players");
    assert!(players.iter().all(|player| player["faults"] == 0), "{players:#?}");
    let games = place.export_json("run", "games-json");
    let games = games["games"].as_array().expect("a list of games");
    assert_eq!(games.len(), 3 * 2 * 2);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// The PGN is read by a parser that is not ours, and says the same.
#[test]
fn pgn_extract_reads_every_game() {
    let place = Place::new();
    place.write("quickstart.toml", &quickstart(2));
    place
        .swissmatch(&["run", "quickstart.toml", "--out", "run"])
        .expect_code(0);
    let extracted = std::process::Command::new(system_engine("pgn-extract"))
        .args(["-Wlalg", "-C", "-N", "-V", "--nomovenumbers", "run/games.pgn"])
        .current_dir(place.path(""))
        .output()
        .expect("pgn-extract runs");
    let said = String::from_utf8_lossy(&extracted.stderr);
    assert!(said.contains("24 games matched out of 24."), "{said}");
    assert!(
        !said.to_lowercase().contains("error") && !said.contains("Unknown"),
        "{said}"
    );
    let games = String::from_utf8_lossy(&extracted.stdout);
    let ours = place.swissmatch(&["export", "records", "run"]).stdout();
    let ours: Vec<serde_json::Value> = ours
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    let theirs: Vec<Vec<&str>> = games
        .split("[Event ")
        .skip(1)
        .map(|game| {
            game.lines()
                .skip(1)
                .filter(|line| !line.contains('['))
                .flat_map(str::split_whitespace)
                .collect()
        })
        .collect();
    assert_eq!(theirs.len(), ours.len());
    for (theirs, ours) in theirs.iter().zip(&ours) {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let moves = format!("{} {}", text(&ours["opening"]["moves"]), text(&ours["moves"]));
        let ours: Vec<&str> = moves.split_whitespace().collect();
        // Long algebraic without pieces: e2e4, e7e8q; the last word is the result.
        let theirs: Vec<String> = theirs[..theirs.len() - 1]
            .iter()
            .map(|word| word.trim_end_matches(['+', '#']).to_lowercase())
            .collect();
        assert_eq!(theirs, ours);
    }
}

/// "Where that is every opponent once, the event is played as all-play-all by Berger tables and says so."
#[test]
fn rounds_auto_plays_a_small_field_all_play_all() {
    let place = Place::new();
    let mut event = "[event]\nname = \"small\"\n[mini_match]\ngames = 2\n".to_owned();
    for number in 1..=5 {
        let command = engine("random-mover");
        event +=
            &format!("[[player]]\nname = \"R{number}\"\ncommand = \"{command}\"\noptions = {{ Seed = {number} }}\n");
    }
    place.write("event.toml", &event);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(0);
    assert!(
        ran.stderr().contains("every opponent once, by Berger tables"),
        "{}",
        ran.stderr()
    );
    let games = place.export_json("run", "games-json");
    assert_eq!(
        games["games"].as_array().map(Vec::len),
        Some(5 * 2 * 2),
        "ten pairs, two games each"
    );
    place.swissmatch(&["verify", "run"]).expect_code(0);
}
