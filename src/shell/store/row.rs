//! A log's entries as it has them.

use super::{Store, StoreError, parsed};
use crate::tournament::log::Entry;

/// An entry as the log has it: text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// When it was appended, RFC 3339 in UTC.
    pub at: String,
    /// What happened: JSON.
    pub body: String,
    /// Its hash, in hexadecimal.
    pub hash: String,
}

impl Store {
    /// An entry by its number, from 1; its hash is not compared.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn entry(&self, seq: u32) -> Result<Entry, StoreError> {
        let seq = i64::from(seq);
        let read = || {
            let mut statement = self
                .connection
                .prepare_cached("SELECT body FROM entries WHERE seq = ?1")?;
            statement.query_row([seq], |row| row.get::<_, String>(0))
        };
        let body = read().map_err(|source| self.error(source))?;
        parsed(seq, &body)
    }

    /// An entry's row, whose hash is not compared.
    ///
    /// # Errors
    /// When there is none, or the file cannot be read.
    pub fn row(&self, seq: i64) -> Result<Row, StoreError> {
        let row = |row: &rusqlite::Row<'_>| {
            Ok(Row {
                at: row.get(0)?,
                body: row.get(1)?,
                hash: row.get(2)?,
            })
        };
        self.connection
            .query_row("SELECT at, body, hash FROM entries WHERE seq = ?1", [seq], row)
            .map_err(|source| self.error(source))
    }
}
