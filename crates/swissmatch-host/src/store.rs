//! The run's file: the log and, beside it, what its entries point to. One SQLite file for each run.
//!
//! The contract on log order is in `writer`. Rows of `entries` are never changed or deleted; each carries the SHA-256
//! of the one before. `verify` recomputes the chain with [`chain_hash`] alone. Records are JSON in columns: readable
//! with sqlite3 alone, and open to new fields.

mod bounds;
mod create;
mod evidence;
mod reading;
mod row;
mod views;
mod watch;

use std::io::{self, Read};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use swissmatch_tournament::log::Entry;

use super::{files, machine, run_dir};
pub use bounds::keep_to_tables;
use bounds::{LONGEST, QueryDeadline};
pub use evidence::Evidence;
pub use reading::lacks_its_end;
pub use row::EntryRow;
use watch::{FileLoss, WatchedFiles};

/// `PRAGMA application_id`: "swml".
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"swml");
/// The ID of logs that were written before the first release.
const BEFORE_THE_FIRST_RELEASE: i32 = i32::from_be_bytes(*b"swis");
/// `PRAGMA user_version`: the version of the tables.
const SCHEMA_VERSION: i32 = 1;

/// How long to wait for other users of a file, and how long if little depends on it.
const PATIENCE: Duration = Duration::from_secs(10);
const MERGE: Duration = Duration::from_secs(1);
/// How many times to try to merge a log that someone reads, and how long after each failure: the page's server looks
/// into it for an instant.
/// instant.
const TRIES: u32 = 10;
const TRY_AGAIN: Duration = Duration::from_millis(30);

/// Why a run's file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// An error of SQLite: disk full, file missing, no permission, damage.
    #[error("{path}: {}", explain(source))]
    Sqlite {
        path: String,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file of another program, or of a newer version.
    #[error("{0} is not a run of swissmatch, or is from a newer version")]
    Foreign(String),
    /// A log from before the first release, which used other words.
    #[error(
        "{0} was written by a swissmatch from before its first release, which stored other words and can still read it: \
        play the event again in another directory (--out)"
    )]
    Before(String),
    /// A table that is read is something else.
    #[error(
        "{path} is not a run as swissmatch writes it: {table} is no table of swissmatch's; ask whoever played it for the run"
    )]
    Table { path: String, table: String },
    /// A row with the right hash is not a readable entry.
    #[error(
        "entry {seq} of the log cannot be read: {reason}; its hash is right, so a newer swissmatch may have written it"
    )]
    Entry { seq: i64, reason: String },
    /// It does not end where the program about to append to it read its end.
    #[error(
        "{path}: the log ends with entry {found}, but was read up to entry {read}: another program writes to it, or another \
        file is in its place; nothing was written"
    )]
    Unread {
        path: String,
        /// The number of its last entry.
        found: i64,
        /// The number of the last entry that was read.
        read: i64,
    },
    /// It has several names, each with a write-ahead log of its own.
    #[error(
        "{0} has another name elsewhere (a hard link), and writing under one name would damage what is read under the other: \
        copy the directory instead, for example with `cp -r`"
    )]
    Linked(String),
    /// Its file, or one beside it, is no longer where it was.
    #[error("{path} was removed, moved, replaced or truncated while it was being written; {fate}")]
    Gone {
        path: String,
        /// What happened to its content.
        fate: String,
    },
    /// It, or something beside it, is not a plain file.
    #[error("{0}")]
    Odd(io::Error),
    /// It cannot be created.
    #[error("{0}: it cannot be made: {1}")]
    Unmade(String, io::Error),
    /// It can only be read as a copy, which cannot be made.
    #[error("{0}: nothing may be written beside it, and a copy with which to read its -wal file cannot be made: {1}")]
    Copy(String, io::Error),
    /// Someone reads it, so that it cannot be merged.
    #[error("{0} is being read by another program")]
    Held(String),
    /// The chain of hashes is broken.
    #[error("entry {seq} of the log was changed: its hash or its kind does not fit its content and its predecessor")]
    Chain {
        /// The number of the first row that does not fit.
        seq: i64,
    },
}

impl StoreError {
    /// True if the machine may have had no room for what was to be written, or no memory.
    pub fn may_lack_room(&self) -> bool {
        let lacking = [ErrorCode::DiskFull, ErrorCode::SystemIoFailure, ErrorCode::OutOfMemory];
        match self {
            Self::Sqlite { source, .. } => source.sqlite_error_code().is_some_and(|code| lacking.contains(&code)),
            _ => false,
        }
    }
}

/// SQLite does not always notice that something failed for lack of room.
fn explain(source: &rusqlite::Error) -> String {
    match source.sqlite_error_code() {
        Some(ErrorCode::SystemIoFailure) => match machine::file_limit() {
            Some(limit) => format!("{source} (is the disk full? {limit})"),
            None => format!("{source} (is the disk full?)"),
        },
        Some(ErrorCode::OperationInterrupted) => {
            format!(
                "no answer within {} s: it is damaged, or was made to be slow",
                LONGEST.as_secs()
            )
        }
        _ => source.to_string(),
    }
}

/// An entry as it stands in the log.
#[derive(Clone, Debug)]
pub struct LoggedEntry {
    /// The number, from 1, without gaps.
    pub seq: i64,
    /// When it was appended, RFC 3339 in UTC.
    pub at: String,
    pub entry: Entry,
    /// SHA-256 of the predecessor's hash and this row, in hexadecimal.
    pub hash: String,
}

impl LoggedEntry {
    /// The head of the log with this as its last entry.
    pub fn head(&self) -> Head {
        Head {
            entry: self.seq,
            hash: self.hash.clone(),
        }
    }
}

/// An entry about to be appended, with the texts that it points to.
#[derive(Clone, Debug)]
pub struct Bundle {
    pub entry: Entry,
    /// Records or evaluations: hash and text.
    pub blobs: Vec<(String, String)>,
    /// What was said in a game.
    pub evidence: Option<Evidence>,
}

/// The end of a log; without an entry it has the number 0 and no hash.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The number of the last entry, from 1.
    pub entry: i64,
    /// The hash of that entry.
    pub hash: String,
}

/// An entry that has been appended, with the texts that it points to.
#[derive(Clone, Debug)]
pub struct CommittedEntry {
    pub bundle: Bundle,
    /// The head of the log after it.
    pub head: Head,
}

impl From<Entry> for Bundle {
    fn from(entry: Entry) -> Self {
        Self {
            entry,
            blobs: Vec::new(),
            evidence: None,
        }
    }
}

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(Sha256::digest(bytes).into())
}

/// SHA-256 of everything that can be read, in hexadecimal.
///
/// # Errors
/// It cannot be read.
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

/// A hash in hexadecimal.
pub fn hexadecimal(bytes: [u8; 32]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(64);
    for byte in bytes {
        write!(text, "{byte:02x}").expect("writing to a String does not fail");
    }
    text
}

/// The hash of an entry's row: SHA-256 of `PREDECESSOR\nSEQ\nAT\nBODY`; the first row's predecessor is empty.
pub fn chain_hash(previous: &str, seq: i64, at: &str, body: &str) -> String {
    sha256(format!("{previous}\n{seq}\n{at}\n{body}").as_bytes())
}

/// A run's file.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    deadline: QueryDeadline,
    path: String,
    last_seq: i64,
    last_hash: String,
    /// Set for a log that is written to.
    watch: Option<WatchedFiles>,
}

impl Store {
    /// Opens a run's file to append to it. `read` is its log as it was read: whatever is appended rests on that alone.
    ///
    /// # Errors
    /// It cannot be opened, is not a run, or does not end where `read` ends.
    pub fn open(path: &Path, read: &[LoggedEntry]) -> Result<Self, StoreError> {
        let last = read.last().map(|last| (last.seq, last.hash.clone()));
        Self::open_after(path, last.unwrap_or_default())
    }

    /// Like [`Self::open`], for a log that was read to `head`.
    ///
    /// # Errors
    /// It cannot be opened, is not a run, or does not end there.
    pub fn open_at(path: &Path, head: Head) -> Result<Self, StoreError> {
        Self::open_after(path, (head.entry, head.hash))
    }

    /// Like [`Self::open`], for a log whose last entry has this number and hash.
    fn open_after(path: &Path, last: (i64, String)) -> Result<Self, StoreError> {
        let mut store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        store.check_identity()?;
        store.make_room_ahead()?;
        store.set_durability().map_err(|source| store.error(source))?;
        store.make_table_of_evidence().map_err(|source| store.error(source))?;
        store.make_views().map_err(|source| store.error(source))?;
        (store.last_seq, store.last_hash) = last;
        store.check_end(store.ask(end)?)?;
        let watch =
            WatchedFiles::begin(path).map_err(|error| store.gone(path, format!("it cannot be seen: {error}")))?;
        store.watch = Some(watch);
        Ok(store)
    }

    /// Checks that the log's files are where they were when it was opened. If they are not, nothing more can be
    /// appended, and what has been appended is saved.
    ///
    /// # Errors
    /// [`StoreError::Gone`], with what happened to it.
    pub fn check_place(&self) -> Result<(), StoreError> {
        let Some(watch) = &self.watch else { return Ok(()) };
        let log = Path::new(&self.path);
        let gone = match watch.look() {
            Ok(None) => return Ok(()),
            Ok(Some(gone)) => gone,
            Err(error) => return Err(self.gone(log, format!("it cannot be seen: {error}"))),
        };
        let again = "the same command continues";
        let (path, fate) = match &gone {
            FileLoss::Removed => (
                log,
                self.save(watch, log)
                    .map(|()| format!("it is back with every finished game, and {again}")),
            ),
            FileLoss::Replaced => {
                let saved = log.with_file_name(run_dir::SAVED);
                let fate = self.save(watch, &saved).map(|()| {
                    format!(
                        "{} has every finished game: put it in its place, and {again}",
                        saved.display()
                    )
                });
                (log, fate)
            }
            FileLoss::Moved => {
                let fate = self
                    .put_together()
                    .map(|()| format!("it has every finished game: put it back, and {again}"));
                (log, fate)
            }
            // What was committed since the log was last merged is in memory.
            FileLoss::Cut(path) => (
                path.as_path(),
                self.save(watch, log)
                    .map(|()| format!("{} has every finished game, and {again}", log.display())),
            ),
            FileLoss::Beside(path) => (
                path.as_path(),
                self.put_together()
                    .map(|()| format!("{} has every finished game, and {again}", log.display())),
            ),
        };
        let fate = fate.unwrap_or_else(|error| format!("finished games could not be saved: {error}"));
        Err(self.gone(path, fate))
    }

    fn gone(&self, path: &Path, fate: String) -> StoreError {
        StoreError::Gone {
            path: path.display().to_string(),
            fate,
        }
    }

    /// Merges everything into the log's own file, wherever that is.
    fn put_together(&self) -> Result<(), StoreError> {
        let merged = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        merged.map_err(|source| self.error(source))
    }

    /// Writes the log anew, to `path`.
    fn save(&self, watch: &WatchedFiles, path: &Path) -> Result<(), StoreError> {
        let part = files::part_in(path.parent().unwrap_or(path));
        let written = self.connection.execute("VACUUM INTO ?1", [part.display().to_string()]);
        written.map_err(|source| self.error(source))?;
        let fail = |error: std::io::Error| self.gone(path, error.to_string());
        files::sync(&part).map_err(fail)?;
        let saved = Self::connect(&part, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        self.check_end(saved.ask(end)?)?;
        drop(saved);
        watch.remove_beside();
        files::rename(&part, path).map_err(fail)
    }

    /// Checks that the log ends where it is to be continued.
    fn check_end(&self, (seq, hash): (i64, String)) -> Result<(), StoreError> {
        match (seq, hash.as_str()) == (self.last_seq, self.last_hash.as_str()) {
            true => Ok(()),
            false => Err(StoreError::Unread {
                path: self.path.clone(),
                found: seq,
                read: self.last_seq,
            }),
        }
    }

    /// Merges a run's write-ahead log into its file, if nobody is at work on it. A file that is not a run stays as it
    /// is.
    ///
    /// # Errors
    /// The file cannot be written, or a reader has it open.
    pub fn merge(path: &Path) -> Result<(), StoreError> {
        let store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let patience = store.connection.busy_timeout(MERGE);
        patience.map_err(|source| store.error(source))?;
        store.check_identity()?;
        store.settle()
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        Self::connect_as(path, path, flags)
    }

    /// Connects to `file`, which stands in for the log at `path`.
    fn connect_as(path: &Path, file: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let name = path.display().to_string();
        let fail = |source| StoreError::Sqlite {
            path: name.clone(),
            source,
        };
        let is_to_be_written = flags.contains(OpenFlags::SQLITE_OPEN_READ_WRITE);
        files::require_plain_database(path).map_err(StoreError::Odd)?;
        if is_to_be_written && path.metadata().is_ok_and(|there| there.nlink() > 1) {
            return Err(StoreError::Linked(name));
        }
        let mut connection = Connection::open_with_flags(file, flags).map_err(fail)?;
        connection.busy_timeout(PATIENCE).map_err(fail)?;
        // A connection dropped without being settled, as after an error, leaves things as a killed process does: with
        // the write-ahead log beside the file.
        let config = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        connection.set_db_config(config, true).map_err(fail)?;
        let deadline = QueryDeadline::of(&mut connection).map_err(fail)?;
        Ok(Self {
            connection,
            deadline,
            path: name,
            last_seq: 0,
            last_hash: String::new(),
            watch: None,
        })
    }

    fn set_durability(&self) -> rusqlite::Result<()> {
        // In KiB; twice what is committed before SQLite puts it into the file: until then it can be saved from memory.
        self.connection.pragma_update(None, "cache_size", -8 * 1024)?;
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "FULL")
    }

    /// Makes an empty write-ahead log, which SQLite ignores. The log's file says that it has one before SQLite makes
    /// it; a runner killed in between would leave the same as a copy without its end (`lacks_its_end`).
    fn make_room_ahead(&self) -> Result<(), StoreError> {
        let ahead = with_end(Path::new(&self.path), "-wal");
        match files::write_new(&ahead, "") {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                Err(StoreError::Unmade(ahead.display().to_string(), error))
            }
            _ => Ok(()),
        }
    }

    fn error(&self, source: rusqlite::Error) -> StoreError {
        StoreError::Sqlite {
            path: self.path.clone(),
            source,
        }
    }

    /// Where the log ends, as far as it was appended to.
    pub fn head(&self) -> Head {
        Head {
            entry: self.last_seq,
            hash: self.last_hash.clone(),
        }
    }

    /// Appends entries in one transaction, and returns the head of the log after each. When this returns they are on
    /// the disk; after an error none is.
    ///
    /// # Errors
    /// The disk is full or gone, something else has written to the log, or its files are not where they were.
    ///
    /// # Panics
    /// If an entry does not serialize, which is a bug.
    pub fn append(&mut self, entries: &[Bundle], at: &str) -> Result<Vec<Head>, StoreError> {
        self.check_place()?;
        let path = self.path.clone();
        let fail = |source| StoreError::Sqlite {
            path: path.clone(),
            source,
        };
        // The writer's lock is taken before the end is looked at, so that it stays the end.
        let begun = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate);
        let transaction = begun.map_err(fail)?;
        self.check_end(end(&transaction).map_err(fail)?)?;
        let heads = append(&transaction, entries, at, self.head()).map_err(fail)?;
        transaction.commit().map_err(fail)?;
        if let Some(head) = heads.last() {
            (self.last_seq, self.last_hash) = (head.entry, head.hash.clone());
        }
        // If the files cannot be looked at now, that is noticed before the next entry.
        let _ = self.watch.as_mut().map(WatchedFiles::note);
        Ok(heads)
    }

    /// A record or evaluations by hash; `None` if they are missing or their text does not have that hash.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn blob(&self, hash: &str) -> Result<Option<String>, StoreError> {
        Ok(self
            .unchecked_blob(hash)?
            .filter(|body| sha256(body.as_bytes()) == hash))
    }

    /// The text stored under a hash, which the caller must compare.
    pub fn unchecked_blob(&self, hash: &str) -> Result<Option<String>, StoreError> {
        self.ask(|log| {
            let mut statement = log.prepare_cached("SELECT body FROM blobs WHERE hash = ?1")?;
            statement.query_row([hash], |row| row.get(0)).optional()
        })
    }

    /// Ends writing: the write-ahead log is merged into the file, which can then be read and copied by itself.
    ///
    /// # Errors
    /// The file cannot be written, or a reader has it open (it then stays as it is, complete with its `-wal`).
    pub fn settle(self) -> Result<(), StoreError> {
        for tries in 1.. {
            let mode = self
                .connection
                .query_row("PRAGMA journal_mode = DELETE", [], |row| row.get::<_, String>(0));
            if mode.map_err(|source| self.error(source))? == "delete" {
                break;
            }
            if tries == TRIES {
                return Err(StoreError::Held(self.path));
            }
            std::thread::sleep(TRY_AGAIN);
        }
        Ok(())
    }
}

/// The path of a file beside a log: its name plus `end`.
fn with_end(log: &Path, end: &str) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// The number and hash of the last entry.
fn end(connection: &Connection) -> rusqlite::Result<(i64, String)> {
    connection
        .prepare_cached("SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
        .map(Option::unwrap_or_default)
}

/// Adds rows after the last one, and returns the head of the log after each.
fn append(transaction: &Connection, entries: &[Bundle], at: &str, mut last: Head) -> rusqlite::Result<Vec<Head>> {
    let mut heads = Vec::with_capacity(entries.len());
    let mut blob = transaction.prepare_cached("INSERT OR IGNORE INTO blobs (hash, body) VALUES (?1, ?2)")?;
    let mut packed = transaction.prepare_cached("INSERT OR IGNORE INTO evidence (hash, packed) VALUES (?1, ?2)")?;
    let mut row =
        transaction.prepare_cached("INSERT INTO entries (seq, at, kind, body, hash) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for entry in entries {
        for (hash, body) in &entry.blobs {
            blob.execute(params![hash, body])?;
        }
        if let Some(evidence) = &entry.evidence {
            packed.execute(params![evidence.hash, evidence.packed])?;
        }
        let body = serde_json::to_string(&entry.entry).expect("entries serialize");
        let seq = last.entry + 1;
        last = Head {
            entry: seq,
            hash: chain_hash(&last.hash, seq, at, &body),
        };
        row.execute(params![seq, at, entry.entry.kind(), body, last.hash])?;
        heads.push(last.clone());
    }
    Ok(heads)
}
