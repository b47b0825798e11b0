//! A history as a SQLite database. Its tables are for people too: a night has a row, and so has each of its games.

use std::path::Path;
use std::str::FromStr as _;
use std::time::Duration;

use rayon::prelude::*;
use rusqlite::{Connection, OpenFlags, Row, TransactionBehavior, params};
use swiss_system::word::Word as _;

use super::HistoryError;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_host::files;
use swissmatch_host::store::keep_to_tables;
use swissmatch_report::nights::{Night, NightGame, VERSION};
use swissmatch_tournament::log::TakenFrom;

/// `PRAGMA application_id`: "swlg".
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"swlg");
/// How long another job that writes is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// `night` is the night as JSON without its games. Builds of a game are numbers in the list of that.
const TABLES: &str = "
CREATE TABLE IF NOT EXISTS nights (
    run TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    began TEXT NOT NULL,
    machine TEXT NOT NULL,
    night TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS games (
    run TEXT NOT NULL REFERENCES nights (run),
    number INTEGER NOT NULL,
    game TEXT NOT NULL,
    white INTEGER NOT NULL,
    black INTEGER NOT NULL,
    result TEXT NOT NULL,
    fault INTEGER NOT NULL,
    key TEXT,
    from_run TEXT,
    from_game TEXT,
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
";

pub(super) fn read(path: &Path) -> Result<Vec<Night>, HistoryError> {
    let sqlite = |error| HistoryError::Sqlite(path.to_path_buf(), error);
    let database = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut nights = database
        .prepare("SELECT run, night FROM nights ORDER BY began, run")
        .map_err(sqlite)?;
    let rows = nights.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    let mut found: Vec<Night> = Vec::new();
    for row in rows.map_err(sqlite)? {
        let (run, text) = row.map_err(sqlite)?;
        let night = serde_json::from_str(&text).map_err(|error| broken(path, &run, &error.to_string()))?;
        found.push(night);
    }
    // A night is there with all its games, so that it does not matter who adds another meanwhile.
    let part = found.len().div_ceil(rayon::current_num_threads()).max(1);
    found
        .par_chunks_mut(part)
        .try_for_each(|nights| read_games(path, nights))?;
    Ok(found)
}

/// Reads the games of these nights.
fn read_games(path: &Path, nights: &mut [Night]) -> Result<(), HistoryError> {
    let sqlite = |error| HistoryError::Sqlite(path.to_path_buf(), error);
    let database = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut games = database
        .prepare("SELECT game, white, black, result, fault, key, from_run, from_game FROM games WHERE run = ? ORDER BY number")
        .map_err(sqlite)?;
    for night in nights {
        let rows = games.query_map([&night.run], |row| Ok(game(row))).map_err(sqlite)?;
        for row in rows {
            let game = row.map_err(sqlite)?.map_err(|why| broken(path, &night.run, &why))?;
            night.games.push(game);
        }
    }
    Ok(())
}

pub(super) fn add(path: &Path, night: &Night) -> Result<(), HistoryError> {
    let sqlite = |error| HistoryError::Sqlite(path.to_path_buf(), error);
    let mut database = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    let transaction = database
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(sqlite)?;
    transaction.execute_batch(TABLES).map_err(sqlite)?;
    let without_games = Night {
        games: Vec::new(),
        ..night.clone()
    };
    let text = serde_json::to_string(&without_games).expect("plain data");
    let added = transaction.execute(
        "INSERT OR IGNORE INTO nights VALUES (?, ?, ?, ?, ?)",
        params![night.run, night.name, night.began.to_string(), night.machine, text],
    );
    if added.map_err(sqlite)? == 0 {
        return Ok(());
    }
    {
        let mut insert = transaction
            .prepare("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            .map_err(sqlite)?;
        for (game, number) in night.games.iter().zip(1..) {
            let number: i64 = number;
            let from = game.from.as_ref();
            let row = params![
                night.run,
                number,
                game.id.to_string(),
                game.white,
                game.black,
                game.result.word(),
                game.fault,
                game.key,
                from.map(|from| &from.run),
                from.map(|from| from.game.to_string()),
            ];
            insert.execute(row).map_err(sqlite)?;
        }
    }
    transaction.commit().map_err(sqlite)
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection, HistoryError> {
    let sqlite = |error| HistoryError::Sqlite(path.to_path_buf(), error);
    let foreign = |why: &str| HistoryError::Foreign {
        path: path.to_path_buf(),
        why: why.to_owned(),
    };
    let is_new = !path.exists();
    files::require_plain_database(path).map_err(|error| foreign(&error.to_string()))?;
    let database = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(sqlite)?;
    database.busy_timeout(PATIENCE).map_err(sqlite)?;
    keep_to_tables(&database).map_err(sqlite)?;
    if is_new {
        database
            .pragma_update(None, "application_id", APPLICATION_ID)
            .map_err(sqlite)?;
        database.pragma_update(None, "user_version", VERSION).map_err(sqlite)?;
        return Ok(database);
    }
    let pragma = |name| database.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    match (pragma("application_id"), pragma("user_version")) {
        (Ok(APPLICATION_ID), Ok(version)) if i64::from(version) <= i64::from(VERSION) => Ok(database),
        (Ok(APPLICATION_ID), Ok(version)) => Err(foreign(&format!(
            "a later version of swissmatch wrote it (version {version})"
        ))),
        _ => Err(foreign("it is no history of a league")),
    }
}

fn game(row: &Row<'_>) -> Result<NightGame, String> {
    let text = |at: usize| row.get_ref(at).and_then(|value| Ok(value.as_str()?)).map_err(in_words);
    let maybe = |at: usize| row.get::<_, Option<String>>(at).map_err(in_words);
    let id = |text: &str| GameId::from_str(text).map_err(|error| error.to_string());
    let from = match (maybe(6)?, maybe(7)?) {
        (Some(run), Some(game)) => Some(TakenFrom { run, game: id(&game)? }),
        _ => None,
    };
    Ok(NightGame {
        id: id(text(0)?)?,
        white: row.get(1).map_err(in_words)?,
        black: row.get(2).map_err(in_words)?,
        result: Outcome::of_word(text(3)?).ok_or("a result that is none")?,
        fault: row.get(4).map_err(in_words)?,
        key: maybe(5)?,
        from,
    })
}

#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
fn in_words(error: rusqlite::Error) -> String {
    error.to_string()
}

fn broken(path: &Path, run: &str, why: &str) -> HistoryError {
    HistoryError::Broken {
        path: path.to_path_buf(),
        night: format!("the night of run {run}"),
        why: why.to_owned(),
    }
}
