//! The bounds of a log, whoever wrote it: only tables as they are made here, values of bounded length, and answers
//! within a time.
//!
//! A log comes from whoever publishes a run, and SQLite does what its schema says: a view in the place of a table may
//! never end.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode};

use super::create::{EVIDENCE, SCHEMA};
use super::evidence::LARGEST;
use super::{APPLICATION_ID, BEFORE_THE_FIRST_RELEASE, SCHEMA_VERSION, Store, StoreError};

/// How long one query may take, or its next row: a log of many gigabytes on a slow disk takes seconds.
pub(super) const LONGEST: Duration = Duration::from_secs(120);
/// The number of SQLite's steps between two looks at the clock.
const STEPS: i32 = 100_000;

/// When the reader must have its answer.
#[derive(Debug, Default)]
pub(super) struct QueryDeadline(Arc<Mutex<Option<Instant>>>);

/// Makes a connection use nothing but tables, whoever wrote its file: a view in the place of one may never end.
///
/// # Errors
/// SQLite refuses.
pub fn keep_to_tables(connection: &Connection) -> rusqlite::Result<()> {
    for (config, is_on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        // This program uses neither.
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(config, is_on)?;
    }
    Ok(())
}

impl QueryDeadline {
    /// Binds a connection to a deadline, to nothing but tables, and to values no longer than a log's.
    pub(super) fn of(connection: &mut Connection) -> rusqlite::Result<Self> {
        keep_to_tables(connection)?;
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LARGEST)?;
        let deadline = Self::default();
        let until = deadline.0.clone();
        let is_late = move || {
            let until = until.lock().unwrap_or_else(PoisonError::into_inner);
            until.is_some_and(|until| Instant::now() > until)
        };
        connection.progress_handler(STEPS, Some(is_late))?;
        Ok(deadline)
    }

    fn set(&self, until: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = until;
    }
}

impl Store {
    /// Queries the log, within the longest time for a query.
    pub(super) fn ask<'a, T>(
        &'a self,
        ask: impl FnOnce(&'a Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.ask_within(LONGEST, ask)
    }

    fn ask_within<'a, T>(
        &'a self,
        longest: Duration,
        ask: impl FnOnce(&'a Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.deadline.set(Some(Instant::now() + longest));
        let answer = ask(&self.connection);
        self.deadline.set(None);
        answer.map_err(|source| self.error(source))
    }

    /// Checks that the log is one of this program, in a version that it knows.
    pub(super) fn check_identity(&self) -> Result<(), StoreError> {
        let pragma = |name| {
            let asked = format!("PRAGMA {name}");
            self.ask(|log| log.query_row(&asked, [], |row| row.get::<_, i32>(0)))
        };
        match (pragma("application_id")?, pragma("user_version")?) {
            (APPLICATION_ID, SCHEMA_VERSION) => self.check_tables(),
            (BEFORE_THE_FIRST_RELEASE, _) => Err(StoreError::Before(self.path.clone())),
            _ => Err(StoreError::Foreign(self.path.clone())),
        }
    }

    /// Checks that what is read are tables as they are made here.
    fn check_tables(&self) -> Result<(), StoreError> {
        let made = self.ask(|log| {
            let mut statement = log
                .prepare("SELECT name, sql FROM sqlite_schema WHERE lower(name) IN ('entries', 'blobs', 'evidence')")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<rusqlite::Result<Vec<(String, String)>>>()
        })?;
        let is_ours = |(name, sql): &&(String, String)| {
            let is_table = sql.starts_with(&format!("CREATE TABLE {name} ("));
            is_table && [SCHEMA, EVIDENCE].iter().any(|ours| ours.contains(&format!("{sql};")))
        };
        let other = made.iter().find(|made| !is_ours(made));
        let lacking = ["entries", "blobs"]
            .into_iter()
            .find(|table| made.iter().all(|(name, _)| name != table));
        match other.map(|(name, _)| name.as_str()).or(lacking) {
            None => Ok(()),
            Some(table) => Err(StoreError::Table {
                path: self.path.clone(),
                table: table.to_owned(),
            }),
        }
    }
}

impl StoreError {
    /// True if the log could not be looked at, so that nothing is known about its content.
    pub fn is_unread(&self) -> bool {
        let unread = [
            ErrorCode::CannotOpen,
            ErrorCode::PermissionDenied,
            ErrorCode::DatabaseBusy,
            ErrorCode::OperationInterrupted,
        ];
        match self {
            Self::Sqlite { source, .. } => source.sqlite_error_code().is_some_and(|code| unread.contains(&code)),
            Self::Copy(..) => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::chain_hash;
    use rusqlite::OpenFlags;

    fn log() -> (tempfile::TempDir, Store) {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("run.sqlite");
        let made = Connection::open(&path).expect("a log");
        made.execute_batch(SCHEMA).expect("tables");
        let hash = chain_hash("", 1, "", "{}");
        let row = "INSERT INTO entries VALUES (1, '', '', '{}', ?1)";
        made.execute(row, [hash]).expect("a row");
        drop(made);
        let store = Store::connect(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("it opens");
        (place, store)
    }

    #[test]
    fn what_never_ends_is_ended_and_what_is_slow_is_not() {
        let (_place, store) = log();
        let count = |longest: Duration, to: &str| {
            let sql =
                format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n {to}) SELECT max(i) FROM n");
            store.ask_within(longest, |log| log.query_row(&sql, [], |row| row.get::<_, i64>(0)))
        };
        let error = count(Duration::from_millis(50), "")
            .expect_err("it never ends")
            .to_string();
        assert!(error.contains("no answer within 120 s"), "{error}");
        // The next query has time of its own.
        assert_eq!(count(LONGEST, "LIMIT 100000").expect("an answer"), 100_000);
    }

    #[test]
    fn no_value_is_longer_than_the_longest() {
        let (_place, store) = log();
        let length = |bytes: i32| {
            store.ask(|log| log.query_row("SELECT length(zeroblob(?1))", [bytes], |row| row.get::<_, i32>(0)))
        };
        assert_eq!(length(LARGEST).expect("a length"), LARGEST);
        length(LARGEST + 1).expect_err("it is too long");
    }
}
