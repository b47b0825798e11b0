//! Creating a log: it exists with its first entry or not at all. So a log without an entry never comes from a killed
//! runner; it is part of a copy, or someone else's.

use std::path::Path;

use rusqlite::{OpenFlags, Transaction, TransactionBehavior};

use super::views::VIEWS;
use super::{APPLICATION_ID, Bundle, SCHEMA_VERSION, Store, StoreError};
use crate::files;

pub(super) const SCHEMA: &str = "
CREATE TABLE entries (
  seq  INTEGER PRIMARY KEY,
  at   TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TABLE blobs (
  hash TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER entries_are_never_deleted BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER blobs_are_never_changed BEFORE UPDATE ON blobs BEGIN SELECT RAISE(ABORT, 'blobs are append-only'); END;
CREATE TRIGGER blobs_are_never_deleted BEFORE DELETE ON blobs BEGIN SELECT RAISE(ABORT, 'blobs are append-only'); END;
";

/// Evidence, packed. Older logs have its text among the blobs.
pub(super) const EVIDENCE: &str = "
CREATE TABLE evidence (
  hash   TEXT PRIMARY KEY,
  packed BLOB NOT NULL
) STRICT;
CREATE TRIGGER evidence_is_never_changed BEFORE UPDATE ON evidence BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER evidence_is_never_deleted BEFORE DELETE ON evidence BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
";

impl Store {
    /// Creates a log with its first entry, to append to it.
    ///
    /// # Errors
    /// The disk is full or gone; then there is no file.
    pub fn create(path: &Path, first: &Bundle, at: &str) -> Result<Self, StoreError> {
        let part = files::part_in(path.parent().unwrap_or(path));
        let made = Self::write_part(path, &part, first, at).and_then(|last| {
            let placed = files::sync(&part).and_then(|()| files::rename(&part, path));
            placed.map_err(|error| StoreError::Unmade(path.display().to_string(), error))?;
            Ok(last)
        });
        if made.is_err() {
            let _ = std::fs::remove_file(&part);
        }
        Self::open_after(path, made?)
    }

    /// Writes a log with one entry, and returns the entry's number and hash.
    fn write_part(path: &Path, part: &Path, first: &Bundle, at: &str) -> Result<(i64, String), StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Self::connect_as(path, part, flags)?;
        store.make_tables().map_err(|source| store.error(source))?;
        store.append(std::slice::from_ref(first), at)?;
        let Self {
            connection,
            path,
            last_seq,
            last_hash,
            ..
        } = store;
        let closed = connection.close();
        closed.map_err(|(_, source)| StoreError::Sqlite { path, source })?;
        Ok((last_seq, last_hash))
    }

    fn make_tables(&mut self) -> rusqlite::Result<()> {
        // If it is not placed it is thrown away whole, so nothing lies beside it meanwhile; and it is synced before it
        // is placed.
        self.connection.pragma_update(None, "journal_mode", "MEMORY")?;
        self.connection.pragma_update(None, "synchronous", "OFF")?;
        let transaction = self.connection.transaction()?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
        transaction.execute_batch(SCHEMA)?;
        transaction.execute_batch(EVIDENCE)?;
        transaction.execute_batch(VIEWS)?;
        transaction.commit()
    }

    /// Adds the table that an older log lacks.
    pub(super) fn make_table_of_evidence(&self) -> rusqlite::Result<()> {
        if self.connection.table_exists(None, "evidence")? {
            return Ok(());
        }
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
        transaction.execute_batch(EVIDENCE)?;
        transaction.commit()
    }
}
