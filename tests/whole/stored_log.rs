//! The log as somebody reads it who knows SQLite and docs/records.md, and not this program.

use rusqlite::{Connection, OpenFlags};

use super::resume::tiny_event;
use super::support::Place;

/// The rows that the documented commands print, their cells joined by `|` as sqlite3 does.
fn documented(place: &Place, run: &str) -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/records.md")).expect("the page");
    let path = place.path(&format!("{run}/run.sqlite"));
    let log = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the log");
    let commands = page
        .lines()
        .filter_map(|line| line.strip_prefix("sqlite3 results/event/run.sqlite "));
    let rows = |command: &str| {
        let mut query = log.prepare(command.trim_matches('"')).expect("a query");
        let columns = query.column_count();
        let rows = query.query_map([], |row| {
            let cells: Result<Vec<String>, _> = (0..columns)
                .map(|at| {
                    row.get_ref(at)
                        .map(|cell| cell.as_str().map_or_else(|_| "?".to_owned(), str::to_owned))
                })
                .collect();
            Ok(cells?.join("|"))
        });
        rows.expect("rows").map(|row| row.expect("a row")).collect()
    };
    commands.map(rows).collect()
}

#[test]
fn the_documented_commands_read_it() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let [entries, games, players, records] = &documented(&place, "run")[..] else {
        panic!("four commands");
    };
    assert!(entries[0].ends_with("|created"), "{entries:?}");
    assert_eq!(players, &["A", "B", "C"]);
    let list = place.export_json("run", "games-json");
    let list = list["games"].as_array().expect("a list of games");
    let expected: Vec<String> = list
        .iter()
        .map(|game| {
            let word = |key: &str| game[key].as_str().expect("a word").to_owned();
            [word("id"), word("result"), word("termination")].join("|")
        })
        .collect();
    let (mut games, mut expected) = (games.clone(), expected);
    games.sort();
    expected.sort();
    assert_eq!(games, expected);
    assert_eq!(records.len(), games.len());
    let is_move = |word: &str| (4..=5).contains(&word.len());
    for record in records {
        let (_, moves) = record.split_once('|').expect("two cells");
        assert!(!moves.is_empty() && moves.split(' ').all(is_move), "{record}");
    }
}
