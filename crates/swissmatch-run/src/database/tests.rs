//! What is written where; what it says is compared with other exports in `tests/whole/database.rs`.

use std::fs;
use std::path::Path;

use rusqlite::OpenFlags;

use super::*;

/// A run as it was stored once, and a place for its database.
fn kept() -> (tempfile::TempDir, OpenRun) {
    let place = tempfile::tempdir().expect("a directory");
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/kept-run/run.sqlite");
    fs::copy(log, place.path().join("run.sqlite")).expect("a copy");
    let run = OpenRun::open(Some(place.path())).expect("a run");
    (place, run)
}

#[test]
fn it_says_what_it_was_made_of() {
    let (place, run) = kept();
    let path = place.path().join("run.db");
    write(&run, &path).expect("it is written");
    let database = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("it opens");
    let pragma = |name: &str| database.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0));
    assert_eq!(pragma("application_id"), Ok(APPLICATION_ID));
    assert_eq!(pragma("user_version"), Ok(SCHEMA_VERSION));
    let made_of = database.query_row("SELECT log_entry, log_hash FROM meta", [], |row| {
        Ok((row.get(0)?, row.get(1)?))
    });
    let last = run.logged.last().expect("an entry");
    assert_eq!(made_of, Ok((last.seq, last.hash.clone())));
    // A game that was played again has the entry of its last playing.
    let at: String = database
        .query_row(
            "SELECT ended_at FROM games WHERE name = '2.1.1' AND replays = 1",
            [],
            |row| row.get(0),
        )
        .expect("a game");
    let entries = run.logged.iter().filter(|logged| match &logged.entry {
        swissmatch_tournament::log::Entry::GameFinished(finished) => finished.id.to_string() == "2.1.1",
        _ => false,
    });
    let all: Vec<&str> = entries.map(|logged| logged.at.as_str()).collect();
    assert_eq!((all.len(), all.last()), (2, Some(&at.as_str())));
}

#[test]
fn only_such_a_database_is_replaced() {
    let (place, run) = kept();
    let path = place.path().join("run.db");
    for there in [&b"text"[..], &[MAGIC, &[0; 200][..]].concat()] {
        fs::write(&path, there).expect("it is written");
        let refused = write(&run, &path).expect_err("it is another's");
        assert!(
            matches!(refused, DatabaseError::Foreign(_)) && refused.is_usage(),
            "{refused}"
        );
        assert_eq!(fs::read(&path).expect("it is there"), there);
    }
    fs::write(&path, "").expect("it is written");
    for _ in 0..2 {
        write(&run, &path).expect("it is written");
    }
    fs::write(place.path().join("run.db-journal"), "").expect("it is written");
    let refused = write(&run, &path).expect_err("somebody writes");
    assert!(matches!(refused, DatabaseError::InUse(_)), "{refused}");
}

#[test]
fn numbers_end_where_those_of_sqlite_do() {
    assert_eq!((number(7), number(u64::MAX)), (7, i64::MAX));
}
