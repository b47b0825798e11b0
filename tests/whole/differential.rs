//! Games at fixed nodes and fixed depth beside what other match runners made of them: `tests/data/differential/`.

use crate::support::{Place, system_engine};

/// A game: opening from 1, name of White, result, moves.
type Game = (usize, String, String, String);

/// The engine that the games were made with, and the games.
fn expected(text: &str) -> (String, Vec<Game>) {
    let mut lines = text.lines();
    let engine = lines.next().and_then(|line| line.strip_prefix("engine "));
    let games = lines.map(|line| {
        let mut words = line.splitn(5, ' ');
        assert_eq!(words.next(), Some("game"), "{line}");
        let mut word = || words.next().unwrap_or_else(|| panic!("too short: {line}")).to_owned();
        (word().parse().expect("an opening's number"), word(), word(), word())
    });
    (engine.expect("the engine comes first").to_owned(), games.collect())
}

/// Plays the event with the system's engine and compares every game.
#[track_caller]
fn compare(program: &str, event: &str, games: &str) {
    let place = Place::new();
    place.write("openings.epd", include_str!("../data/differential/openings.epd"));
    let command = format!("command = \"{program}\"");
    assert_eq!(event.matches(&command).count(), 2, "both players are {program}");
    let found = format!("command = \"{}\"", system_engine(program));
    place.write("event.toml", &event.replace(&command, &found));
    place
        .swissmatch(&[
            "run",
            "event.toml",
            "--out",
            "run",
            "--concurrency",
            "2",
            "--set",
            "run.oversubscribe=true",
        ])
        .expect_code(0);

    let (engine, mut expected) = expected(games);
    let manifest: serde_json::Value = serde_json::from_str(&place.read("run/manifest.json")).expect("a manifest");
    let introduced = &manifest["players"][0]["agent"]["introduction"]["name"];
    assert_eq!(
        introduced,
        engine.as_str(),
        "the games of tests/data/differential/{program}.games were made with {engine}; this machine's {program} says that it \
         is {introduced}: another version plays other games, and nothing can be compared"
    );

    let records = place.swissmatch(&["export", "records", "run"]);
    records.expect_code(0);
    let mut played: Vec<Game> = records.stdout().lines().map(read_record).collect();
    played.sort();
    expected.sort();
    assert_eq!(expected.len(), 20);
    for (played, expected) in played.iter().zip(&expected) {
        let moves = [&played.3, &expected.3].map(|moves| moves.split(' ').collect::<Vec<_>>());
        let alike = moves[0].iter().zip(&moves[1]).take_while(|(a, b)| a == b).count();
        assert_eq!(
            played,
            expected,
            "opening {}, White {}: {alike} moves alike, then {:?} here and {:?} elsewhere",
            expected.0,
            expected.1,
            moves[0].get(alike),
            moves[1].get(alike)
        );
    }
    assert_eq!(played.len(), expected.len());
}

fn read_record(line: &str) -> Game {
    let record: serde_json::Value = serde_json::from_str(line).expect("a record");
    let number = record["id"]
        .as_str()
        .and_then(|id| id.rsplit('.').next())
        .and_then(|game| game.parse::<usize>().ok());
    let number = number.expect("a game's number");
    let result = record["result"].as_str().expect("an outcome");
    let white = if record["white"] == 1 { "A" } else { "B" };
    let moves = record["moves"].as_str().expect("moves");
    (
        number.div_ceil(2),
        white.to_owned(),
        result.to_owned(),
        moves.to_owned(),
    )
}

#[test]
fn stockfish_at_fixed_nodes_plays_the_games_that_it_plays_elsewhere() {
    compare(
        "stockfish",
        include_str!("../data/differential/stockfish.toml"),
        include_str!("../data/differential/stockfish.games"),
    );
}

#[test]
fn gnuchess_at_fixed_depth_plays_the_games_that_it_plays_elsewhere() {
    compare(
        "gnuchess",
        include_str!("../data/differential/gnuchess.toml"),
        include_str!("../data/differential/gnuchess.games"),
    );
}
