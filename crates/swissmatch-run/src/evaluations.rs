//! Evaluations kept from one analysis to the next: a file that may be deleted, and may be shared between runs.
//!
//! What a position was evaluated with belongs to its key: the hashes of the engine's files, its arguments, its options, the
//! bound, and which of its scores counts. So an evaluation is found again only where the engine would give it again.
//!
//! May not: decide what an evaluation means; be relied upon: the log holds whatever counts.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Serialize;

use swissmatch_game::eval::Eval;
use swissmatch_game::evaluation::ScoreChoice;
use swissmatch_tournament::log::AnalysisBegun;

use swissmatch_host::files;
use swissmatch_host::store::{keep_to_tables, sha256};

/// `PRAGMA application_id`: "swev".
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"swev");
/// `PRAGMA user_version`: shape of the tables.
const SCHEMA_VERSION: i32 = 1;

/// Evaluations of a run's games, kept beside its log where no other file is named.
pub(crate) const BESIDE_THE_LOG: &str = "analysis.sqlite";
/// The same with what is not merged yet.
pub(super) const FILES: [&str; 4] = [
    BESIDE_THE_LOG,
    "analysis.sqlite-journal",
    "analysis.sqlite-wal",
    "analysis.sqlite-shm",
];

const SCHEMA: &str = "
CREATE TABLE searches (
  id  INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE evaluations (
  search     INTEGER NOT NULL REFERENCES searches (id),
  fen        TEXT NOT NULL,
  centipawns INTEGER,
  mate       INTEGER,
  PRIMARY KEY (search, fen)
) STRICT, WITHOUT ROWID;
";

/// How long evaluations wait to be written with others.
const GATHERING: Duration = Duration::from_secs(1);

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// SQLite says no.
    #[error("{path}: {source} (the file only saves time: you may delete it, or name another with --cache)")]
    Sqlite {
        /// The file.
        path: String,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// Another program's file, or a newer one's.
    #[error("{0} is not a file of swissmatch's evaluations, or is from a newer version; name another with --cache")]
    Foreign(String),
    /// It leads elsewhere, where nobody has said that it may.
    #[error("{0} is a link: delete it, or name the file that it leads to with --cache")]
    Link(String),
}

/// Evaluations by one search.
#[derive(Debug)]
pub(crate) struct Evaluations {
    connection: Connection,
    path: String,
    search: i64,
    /// Not yet written.
    gathered: HashMap<String, Eval>,
    since: Instant,
}

/// What decides an evaluation besides the position: as text, what is kept as a key is its hash.
#[derive(Serialize)]
struct SearchKey<'a> {
    files: Vec<&'a str>,
    args: &'a [String],
    options: &'a std::collections::BTreeMap<String, String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    scores: ScoreChoice,
}

impl Evaluations {
    /// Opens the file, making it where it is not there.
    ///
    /// # Errors
    /// When it cannot be opened or is none of these.
    ///
    /// # Panics
    /// Never: a key can be written.
    pub(crate) fn open(path: &Path, begun: &AnalysisBegun) -> Result<Self, CacheError> {
        let keys = &begun.keys;
        let key = SearchKey {
            files: begun.engine.files.iter().map(|file| file.sha256.as_str()).collect(),
            args: &keys.args,
            options: &keys.options,
            nodes: keys.nodes,
            depth: keys.depth,
            scores: keys.scores,
        };
        let key = sha256(&serde_json::to_vec(&key).expect("plain data"));
        let name = path.display().to_string();
        let fail = |source| CacheError::Sqlite {
            path: name.clone(),
            source,
        };
        if files::require_plain_database(path).is_err() {
            return Err(CacheError::Foreign(name));
        }
        let mut connection = Connection::open(path).map_err(fail)?;
        connection.busy_timeout(Duration::from_secs(10)).map_err(fail)?;
        keep_to_tables(&connection).map_err(fail)?;
        if !make_tables(&mut connection).map_err(fail)? {
            return Err(CacheError::Foreign(name));
        }
        let search = find_search(&connection, &key).map_err(fail)?;
        Ok(Self {
            connection,
            path: name,
            search,
            gathered: HashMap::new(),
            since: Instant::now(),
        })
    }

    /// The evaluation of a position, if it is kept.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn find(&self, fen: &str) -> Result<Option<Eval>, CacheError> {
        if let Some(eval) = self.gathered.get(fen) {
            return Ok(Some(*eval));
        }
        let read = |row: &rusqlite::Row<'_>| {
            let (centipawns, mate) = (row.get::<_, Option<i32>>(0)?, row.get::<_, Option<i32>>(1)?);
            Ok(centipawns.map(Eval::Centipawns).or(mate.map(Eval::Mate)))
        };
        self.connection
            .prepare_cached("SELECT centipawns, mate FROM evaluations WHERE search = ?1 AND fen = ?2")
            .and_then(|mut statement| statement.query_row(params![self.search, fen], read).optional())
            .map(Option::flatten)
            .map_err(|source| self.error(source))
    }

    /// Keeps an evaluation; it is written soon.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn keep(&mut self, fen: String, eval: Eval) -> Result<(), CacheError> {
        self.gathered.insert(fen, eval);
        match self.since.elapsed() < GATHERING {
            true => Ok(()),
            false => self.write(),
        }
    }

    /// Writes what has been kept.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn write(&mut self) -> Result<(), CacheError> {
        self.try_write().map_err(|source| self.error(source))?;
        self.gathered.clear();
        self.since = Instant::now();
        Ok(())
    }

    fn try_write(&mut self) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        {
            let mut row = transaction.prepare_cached(
                "INSERT OR REPLACE INTO evaluations (search, fen, centipawns, mate) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (fen, eval) in &self.gathered {
                let (centipawns, mate) = match eval {
                    Eval::Centipawns(centipawns) => (Some(centipawns), None),
                    Eval::Mate(moves) => (None, Some(moves)),
                };
                row.execute(params![self.search, fen, centipawns, mate])?;
            }
        }
        transaction.commit()
    }

    fn error(&self, source: rusqlite::Error) -> CacheError {
        CacheError::Sqlite {
            path: self.path.clone(),
            source,
        }
    }
}

/// Makes the tables of an empty file. Returns whether it is one of these.
fn make_tables(connection: &mut Connection) -> rusqlite::Result<bool> {
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        let transaction = connection.transaction()?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
        transaction.execute_batch(SCHEMA)?;
        transaction.commit()?;
    }
    let pragma = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0));
    let is_own = pragma("application_id")? == APPLICATION_ID && pragma("user_version")? == SCHEMA_VERSION;
    if is_own {
        // Whatever is lost can be had again; what is there must be whole.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
    }
    Ok(is_own)
}

fn find_search(connection: &Connection, key: &str) -> rusqlite::Result<i64> {
    connection.execute("INSERT OR IGNORE INTO searches (key) VALUES (?1)", [key])?;
    connection.query_row("SELECT id FROM searches WHERE key = ?1", [key], |row| row.get(0))
}
