//! A log's entries as rows.

use rusqlite::OptionalExtension as _;

use super::{Head, LoggedEntry, Store, StoreError, chain_hash, end};
use swissmatch_tournament::log::Entry;

/// An entry as the log has it: text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryRow {
    /// When it was appended, RFC 3339 in UTC.
    pub at: String,
    /// The entry, as JSON.
    pub body: String,
    /// Its hash, in hexadecimal.
    pub hash: String,
}

impl Store {
    /// The whole log, with its chain checked.
    ///
    /// # Errors
    /// A row is not an entry, or the chain is broken.
    pub fn entries(&self) -> Result<Vec<LoggedEntry>, StoreError> {
        let mut entries = Vec::new();
        self.each_entry(|logged| {
            entries.push(logged);
            Ok::<(), StoreError>(())
        })?;
        Ok(entries)
    }

    /// Like [`Self::entries`], but entry by entry, so that they are not all in memory.
    ///
    /// # Errors
    /// A row is not an entry, or the chain is broken; also errors of `each`.
    pub fn each_entry<E: From<StoreError>>(&self, each: impl FnMut(LoggedEntry) -> Result<(), E>) -> Result<(), E> {
        self.each_entry_after(&Head::default(), each)
    }

    /// Like [`Self::each_entry`], from the entry after `last`, which has been read.
    ///
    /// # Errors
    /// Like [`Self::each_entry`]; if the log does not go on from there, its chain counts as broken.
    pub fn each_entry_after<E: From<StoreError>>(
        &self,
        last: &Head,
        mut each: impl FnMut(LoggedEntry) -> Result<(), E>,
    ) -> Result<(), E> {
        let after = "SELECT seq, at, kind, body, hash FROM entries WHERE seq > ?1 ORDER BY seq";
        let mut statement = self.ask(|log| log.prepare(after))?;
        let rows = &mut self.ask(|_| statement.query([last.entry]))?;
        let mut last = last.clone();
        while let Some(row) = self.ask(|_| rows.next())? {
            let read = || -> rusqlite::Result<(i64, String, String, String, String)> {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
            };
            let (seq, at, kind, body, hash) = read().map_err(|source| self.error(source))?;
            if last.entry + 1 != seq || chain_hash(&last.hash, seq, &at, &body) != hash {
                return Err(StoreError::Chain { seq }.into());
            }
            let entry = parsed(seq, &body)?;
            if entry.kind() != kind {
                return Err(StoreError::Chain { seq }.into());
            }
            let logged = LoggedEntry { seq, at, entry, hash };
            last = logged.head();
            each(logged)?;
        }
        Ok(())
    }

    /// The head of the log after its first entry, which identifies the run; `None` if it has none.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn first(&self) -> Result<Option<Head>, StoreError> {
        let first = "SELECT hash FROM entries WHERE seq = 1";
        let hash: Option<String> = self.ask(|log| log.query_row(first, [], |row| row.get(0)).optional())?;
        Ok(hash.map(|hash| Head { entry: 1, hash }))
    }

    /// The end of the log now.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn end(&self) -> Result<Head, StoreError> {
        let (entry, hash) = self.ask(end)?;
        Ok(Head { entry, hash })
    }

    /// True if it has an entry of one of these kinds.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn has_any(&self, kinds: &[&str]) -> Result<bool, StoreError> {
        let read = || {
            let mut statement = self
                .connection
                .prepare("SELECT EXISTS (SELECT 1 FROM entries WHERE kind IN (SELECT value FROM json_each(?1)))")?;
            statement.query_row([serde_json::json!(kinds).to_string()], |row| row.get(0))
        };
        read().map_err(|source| self.error(source))
    }

    /// An entry by its number, from 1; its hash is not compared.
    ///
    /// # Errors
    /// There is no such entry, or it cannot be read.
    pub fn entry(&self, seq: u32) -> Result<Entry, StoreError> {
        let seq = i64::from(seq);
        let body = self.ask(|log| {
            let mut statement = log.prepare_cached("SELECT body FROM entries WHERE seq = ?1")?;
            statement.query_row([seq], |row| row.get::<_, String>(0))
        })?;
        parsed(seq, &body)
    }

    /// An entry with its time and its hash, which is not compared.
    ///
    /// # Errors
    /// There is no such entry, or it cannot be read.
    pub fn logged(&self, seq: i64) -> Result<LoggedEntry, StoreError> {
        let EntryRow { at, body, hash } = self.row(seq)?;
        let entry = parsed(seq, &body)?;
        Ok(LoggedEntry { seq, at, entry, hash })
    }

    /// The row of an entry, whose hash is not compared.
    ///
    /// # Errors
    /// There is no such entry, or the file cannot be read.
    pub fn row(&self, seq: i64) -> Result<EntryRow, StoreError> {
        let row = |row: &rusqlite::Row<'_>| {
            Ok(EntryRow {
                at: row.get(0)?,
                body: row.get(1)?,
                hash: row.get(2)?,
            })
        };
        self.ask(|log| log.query_row("SELECT at, body, hash FROM entries WHERE seq = ?1", [seq], row))
    }
}

fn parsed(seq: i64, body: &str) -> Result<Entry, StoreError> {
    serde_json::from_str(body).map_err(|error| StoreError::Entry {
        seq,
        reason: error.to_string(),
    })
}
