//! The run's file: the event log and, beside it, what the events point to. SQLite, one file a run.
//!
//! The contract on log order in ARCHITECTURE.md. Rows of `events` are never changed or deleted; each carries the
//! SHA-256 of the one before. `verify` recomputes the chain with [`chain_hash`] alone.

use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, params};
use sha2::{Digest, Sha256};

use crate::tournament::event::Event;

/// `PRAGMA application_id`: "swis".
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"swis");
/// `PRAGMA user_version`: shape of the tables.
const SCHEMA_VERSION: i32 = 1;

const SCHEMA: &str = "
CREATE TABLE events (
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
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER blobs_are_never_changed BEFORE UPDATE ON blobs BEGIN SELECT RAISE(ABORT, 'blobs are append-only'); END;
CREATE TRIGGER blobs_are_never_deleted BEFORE DELETE ON blobs BEGIN SELECT RAISE(ABORT, 'blobs are append-only'); END;
";

/// Why a run's file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite says no: disk full, file missing, no rights, damaged.
    #[error("{path}: {}", explain(source))]
    Sqlite {
        /// The file.
        path: String,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// Another program's file, or a newer one's.
    #[error("{0} is not a run of swissmatch, or one of a newer version")]
    Foreign(String),
    /// A row does not read as an event.
    #[error("event {seq} of the log cannot be read: {reason}")]
    Event {
        /// Number of the row.
        seq: i64,
        /// Why.
        reason: String,
    },
    /// The chain of hashes is broken.
    #[error("event {seq} of the log was changed: its hash or its kind does not fit its content and its predecessor")]
    Chain {
        /// Number of the first row that does not fit.
        seq: i64,
    },
}

/// SQLite does not always notice that what failed was for want of room.
fn explain(source: &rusqlite::Error) -> String {
    match source.sqlite_error_code() {
        Some(ErrorCode::SystemIoFailure) => format!("{source} (is the disk full?)"),
        _ => source.to_string(),
    }
}

/// An event as it stands in the log.
#[derive(Clone, Debug)]
pub struct Logged {
    /// Number, from 1, without gaps.
    pub seq: i64,
    /// When it was appended, RFC 3339 in UTC.
    pub at: String,
    /// What happened.
    pub event: Event,
    /// SHA-256 of the predecessor's hash and this row, in hexadecimal.
    pub hash: String,
}

/// An event about to be appended with the texts that it points to.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What happened.
    pub event: Event,
    /// Record and evidence: hash and text.
    pub blobs: Vec<(String, String)>,
}

impl From<Event> for Entry {
    fn from(event: Event) -> Self {
        Self {
            event,
            blobs: Vec::new(),
        }
    }
}

/// SHA-256 in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(Sha256::digest(bytes).into())
}

/// SHA-256 of everything that there is to read, in hexadecimal.
///
/// # Errors
/// When it cannot be read.
pub fn sha256_of(reader: &mut impl Read) -> io::Result<String> {
    let (mut hash, mut chunk) = (Sha256::new(), [0_u8; 16 * 1024]);
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => return Ok(hexadecimal(hash.finalize().into())),
            Ok(read) => hash.update(&chunk[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hexadecimal(bytes: [u8; 32]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(64);
    for byte in bytes {
        write!(text, "{byte:02x}").expect("writing to a String does not fail");
    }
    text
}

/// The hash of an event's row: SHA-256 of `PREDECESSOR\nSEQ\nAT\nBODY`; the first row's predecessor is empty.
#[must_use]
pub fn chain_hash(previous: &str, seq: i64, at: &str, body: &str) -> String {
    sha256(format!("{previous}\n{seq}\n{at}\n{body}").as_bytes())
}

/// A run's file.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: String,
    last_seq: i64,
    last_hash: String,
}

impl Store {
    /// Opens a run's file to append to it, making it if it is not there.
    ///
    /// # Errors
    /// When it cannot be opened or is no run.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Self::connect(path, flags)?;
        store.make_tables().map_err(|source| store.error(source))?;
        store.check_identity()?;
        store.set_durability().map_err(|source| store.error(source))?;
        let last = store
            .connection
            .query_row("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()
            .map_err(|source| store.error(source))?;
        (store.last_seq, store.last_hash) = last.unwrap_or_default();
        Ok(store)
    }

    /// Opens a run's file to read it, also while a runner appends to it.
    ///
    /// # Errors
    /// When it cannot be opened or is no run.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        let mut store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut identity = store.check_identity();
        if let Err(StoreError::Sqlite { source, .. }) = &identity
            && source.sqlite_error_code() == Some(ErrorCode::ReadOnly)
        {
            // A crash left a transaction half written; undoing it takes writing.
            store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            identity = store.check_identity();
        }
        identity.map(|()| store)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let name = path.display().to_string();
        let fail = |source| StoreError::Sqlite {
            path: name.clone(),
            source,
        };
        let connection = Connection::open_with_flags(path, flags).map_err(fail)?;
        connection.busy_timeout(Duration::from_secs(10)).map_err(fail)?;
        Ok(Self {
            connection,
            path: name,
            last_seq: 0,
            last_hash: String::new(),
        })
    }

    /// Makes the tables of an empty file; any other stays as it is.
    fn make_tables(&mut self) -> rusqlite::Result<()> {
        let tables: i64 = self
            .connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if tables == 0 {
            let transaction = self.connection.transaction()?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
            transaction.execute_batch(SCHEMA)?;
            transaction.commit()?;
        }
        Ok(())
    }

    fn set_durability(&self) -> rusqlite::Result<()> {
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "FULL")
    }

    fn check_identity(&self) -> Result<(), StoreError> {
        let pragma = |name| {
            self.connection
                .query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0))
        };
        let id = pragma("application_id").map_err(|source| self.error(source))?;
        let version = pragma("user_version").map_err(|source| self.error(source))?;
        if id == APPLICATION_ID && version == SCHEMA_VERSION {
            Ok(())
        } else {
            Err(StoreError::Foreign(self.path.clone()))
        }
    }

    fn error(&self, source: rusqlite::Error) -> StoreError {
        StoreError::Sqlite {
            path: self.path.clone(),
            source,
        }
    }

    /// Appends events in one transaction. When this returns they are on the disk; on an error none is.
    ///
    /// # Errors
    /// When the disk is full or gone.
    ///
    /// # Panics
    /// When an event does not serialize, which is a bug.
    pub fn append(&mut self, entries: &[Entry], at: &str) -> Result<(), StoreError> {
        let (seq, hash) = self.try_append(entries, at).map_err(|source| self.error(source))?;
        (self.last_seq, self.last_hash) = (seq, hash);
        Ok(())
    }

    fn try_append(&mut self, entries: &[Entry], at: &str) -> rusqlite::Result<(i64, String)> {
        let (mut seq, mut hash) = (self.last_seq, self.last_hash.clone());
        let transaction = self.connection.transaction()?;
        {
            let mut blob = transaction.prepare_cached("INSERT OR IGNORE INTO blobs (hash, body) VALUES (?1, ?2)")?;
            let mut row = transaction
                .prepare_cached("INSERT INTO events (seq, at, kind, body, hash) VALUES (?1, ?2, ?3, ?4, ?5)")?;
            for entry in entries {
                for (hash, body) in &entry.blobs {
                    blob.execute(params![hash, body])?;
                }
                let body = serde_json::to_string(&entry.event).expect("events serialize");
                seq += 1;
                hash = chain_hash(&hash, seq, at, &body);
                row.execute(params![seq, at, entry.event.kind(), body, hash])?;
            }
        }
        transaction.commit()?;
        Ok((seq, hash))
    }

    /// The whole log, its chain checked.
    ///
    /// # Errors
    /// When a row is no event, or the chain is broken.
    pub fn events(&self) -> Result<Vec<Logged>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT seq, at, kind, body, hash FROM events ORDER BY seq")
            .map_err(|source| self.error(source))?;
        let rows = statement
            .query_map([], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
            })
            .map_err(|source| self.error(source))?;
        let mut events: Vec<Logged> = Vec::new();
        for row in rows {
            let (seq, at, kind, body, hash): (i64, String, String, String, String) =
                row.map_err(|source| self.error(source))?;
            let previous = events.last().map_or("", |logged| logged.hash.as_str());
            if events.len() as i64 + 1 != seq || chain_hash(previous, seq, &at, &body) != hash {
                return Err(StoreError::Chain { seq });
            }
            let event: Event = serde_json::from_str(&body).map_err(|error| StoreError::Event {
                seq,
                reason: error.to_string(),
            })?;
            if event.kind() != kind {
                return Err(StoreError::Chain { seq });
            }
            events.push(Logged { seq, at, event, hash });
        }
        Ok(events)
    }

    /// A record or an evidence by its hash; `None` where it is missing or its text does not have that hash.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn blob(&self, hash: &str) -> Result<Option<String>, StoreError> {
        Ok(self
            .unchecked_blob(hash)?
            .filter(|body| sha256(body.as_bytes()) == hash))
    }

    /// The text kept under a hash, which whoever reads it must compare.
    pub(super) fn unchecked_blob(&self, hash: &str) -> Result<Option<String>, StoreError> {
        self.connection
            .prepare_cached("SELECT body FROM blobs WHERE hash = ?1")
            .and_then(|mut statement| statement.query_row([hash], |row| row.get(0)).optional())
            .map_err(|source| self.error(source))
    }

    /// Ends writing: the write-ahead log goes into the file, which can then be read and copied by itself.
    ///
    /// # Errors
    /// When the file cannot be written, or a reader holds it (it then stays as it is, complete with its `-wal`).
    pub fn settle(self) -> Result<(), StoreError> {
        self.connection
            .pragma_update(None, "journal_mode", "DELETE")
            .map_err(|source| self.error(source))
    }
}
