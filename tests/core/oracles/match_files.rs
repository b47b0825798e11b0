//! Games that another runner played and counted: its pentanomial counts come out of its PGN files.
#![expect(clippy::disallowed_methods, reason = "it reads files")]

use serde_json::Value;
use swissmatch::game::gz::unpack;
use swissmatch::game::pgn_results::{Depth, GameRow, Names, game_pairs, read};

use super::folder;

/// Half points of a game pair.
const COUNTS: usize = 5;

fn rows(file: &str, names: &mut Names) -> Vec<GameRow> {
    let path = folder("stats").join(file);
    let packed = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = unpack(&packed, 1 << 30).expect("it was packed by gzip");
    let mut rows = Vec::new();
    let read = read(text.as_slice(), Depth::Moves, names, |game| {
        rows.push(game.unwrap_or_else(|unusable| panic!("{file}: {unusable}")).row);
    });
    read.expect("memory can be read");
    rows
}

/// The game pairs of a player, by their half points.
fn counts(rows: &[GameRow], names: &Names, player: &str) -> [u64; COUNTS] {
    let player = names.find(player).expect("it played");
    let mut counts = [0; COUNTS];
    for half_points in game_pairs(rows)
        .iter()
        .filter_map(|pair| pair.half_points(rows, player))
    {
        counts[usize::from(half_points)] += 1;
    }
    counts
}

fn numbers(value: &Value) -> Vec<u64> {
    let numbers = value.as_array().expect("counts").iter();
    numbers.map(|number| number.as_u64().expect("a count")).collect()
}

#[test]
#[ignore = "needs files that are not in the repository: make oracles"]
fn pentanomial_counts_are_those_of_the_runner() {
    let reference = std::fs::read_to_string(folder("stats").join("reference.json")).expect("it can be read");
    let reference: Value = serde_json::from_str(&reference).expect("it is JSON");

    let mut names = Names::default();
    let close = rows("close.pgn.gz", &mut names);
    assert_eq!(close.len(), 200);
    let expected = numbers(&reference["matches"]["close"]["pentanomial_0_to_2"]);
    assert_eq!(counts(&close, &names, "sf1100").to_vec(), expected);

    let round_robin = &reference["round_robin"]["rr"];
    let games = rows("rr.pgn.gz", &mut names);
    assert_eq!(Some(games.len() as u64), round_robin["games"].as_u64());
    let of_players = round_robin["pentanomial"].as_object().expect("counts of each player");
    assert_eq!(of_players.len(), 6);
    for (player, expected) in of_players {
        assert_eq!(counts(&games, &names, player).to_vec(), numbers(expected), "{player}");
    }
}
