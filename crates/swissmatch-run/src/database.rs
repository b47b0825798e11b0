//! A run as a database for notebooks: `export sqlite`. It is made from the log whenever it is asked for; docs/database.md says what is
//! in it.
//!
//! The same run gives the same bytes. Games are read, written and let go one by one. May not: be read by this program, or change a run.

mod event;
mod games;
mod moves;
mod parts;
mod standings;

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rusqlite::{CachedStatement, Connection, OpenFlags, Transaction};

use self::parts::BegunParts;
use super::open_run::OpenRun;
use swissmatch_game::Side;
use swissmatch_host::files::{self, Draft};

/// `PRAGMA application_id`: "swdb".
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"swdb");
/// `PRAGMA user_version`, and `schema` of `meta`: grows when a column goes or means something else.
const SCHEMA_VERSION: i32 = 1;

const TABLES: &str = include_str!("database/tables.sql");
/// Made when the tables are full, which is faster.
const INDEXES: &str = include_str!("database/indexes.sql");

/// What a file of SQLite begins with, and where it says whose it is.
const MAGIC: &[u8] = b"SQLite format 3\0";
const IDENTITY: std::ops::Range<usize> = 68..72;

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// Another program's file has the name, or another file of this one.
    #[error(
        "{} is there, and is no database that `export sqlite` wrote: nothing was written; name another file with --output, or remove \
         that one",
        .0.display()
    )]
    Foreign(PathBuf),
    /// Whoever has the database open writes to it, or was killed when he did: what lies beside it would be taken for a part of the new one.
    #[error(
        "{} lies beside the database, so another program writes to it: nothing was written; end that program, or remove the file",
        .0.display()
    )]
    InUse(PathBuf),
    /// SQLite says no: the disk is full or gone.
    #[error("{}: {}", .0.display(), .1)]
    Sqlite(PathBuf, rusqlite::Error),
    /// The file cannot be written; the error names it.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The run lacks something, or it is damaged.
    #[error("{0}")]
    Run(String),
}

impl DatabaseError {
    /// Whether it is the fault of whoever asked.
    pub const fn is_usage(&self) -> bool {
        matches!(self, Self::Foreign(_) | Self::InUse(_))
    }
}

/// Why it cannot be filled.
#[derive(Debug)]
enum FillError {
    Sqlite(rusqlite::Error),
    Run(String),
}

impl From<rusqlite::Error> for FillError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// Writes a run as a database, whole or not at all. A database that was there before is replaced.
///
/// # Errors
/// When another file is there, the disk is full or gone, or a record of the run is missing or damaged.
pub fn write(run: &OpenRun, path: &Path) -> Result<(), DatabaseError> {
    check_place(path)?;
    let draft = Draft::at(path)?;
    fill(run, draft.part()).map_err(|trouble| match trouble {
        FillError::Sqlite(error) => DatabaseError::Sqlite(path.to_path_buf(), error),
        FillError::Run(why) => DatabaseError::Run(why),
    })?;
    draft.place()?;
    Ok(())
}

/// That nothing is lost where it goes.
fn check_place(path: &Path) -> Result<(), DatabaseError> {
    if !path.is_file() {
        // Nothing, or what is refused as no plain file.
        return Ok(());
    }
    let mut head = Vec::new();
    let file = files::open_plain(path).map_err(|error| files::about(path, &error))?;
    let read = file.take(IDENTITY.end as u64).read_to_end(&mut head);
    read.map_err(|error| files::about(path, &error))?;
    let is_ours = head.starts_with(MAGIC) && head.get(IDENTITY) == Some(&APPLICATION_ID.to_be_bytes()[..]);
    if !head.is_empty() && !is_ours {
        return Err(DatabaseError::Foreign(path.to_path_buf()));
    }
    for end in ["-wal", "-journal"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(end);
        let beside = PathBuf::from(beside);
        if beside.exists() {
            return Err(DatabaseError::InUse(beside));
        }
    }
    Ok(())
}

fn fill(run: &OpenRun, file: &Path) -> Result<(), FillError> {
    let mut database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // What is not placed is thrown away whole, and is synced before it is.
    for (pragma, value) in [
        ("journal_mode", "OFF"),
        ("synchronous", "OFF"),
        ("locking_mode", "EXCLUSIVE"),
    ] {
        database.pragma_update(None, pragma, value)?;
    }
    database.pragma_update(None, "application_id", APPLICATION_ID)?;
    database.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    let transaction = database.transaction()?;
    transaction.execute_batch(TABLES)?;
    let parts = BegunParts::of(&run.state);
    event::write(&transaction, run)?;
    parts.write(&transaction)?;
    games::write(&transaction, run, &parts)?;
    standings::write(&transaction, &run.state, &parts)?;
    transaction.execute_batch(INDEXES)?;
    transaction.commit()?;
    database.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// The statement that adds a row with a value for every column.
fn insert<'a>(transaction: &'a Transaction<'_>, table: &str) -> rusqlite::Result<CachedStatement<'a>> {
    let columns: u32 =
        transaction.query_row("SELECT count(*) FROM pragma_table_info(?1)", [table], |row| row.get(0))?;
    let values = vec!["?"; columns as usize].join(", ");
    transaction.prepare_cached(&format!("INSERT INTO {table} VALUES ({values})"))
}

/// As SQLite holds it, whose numbers end at 2⁶³ − 1.
fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The same of a count.
fn count(count: usize) -> i64 {
    number(count as u64)
}

/// A side in the word that records have for it.
const fn side_word(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

#[cfg(test)]
mod tests;
