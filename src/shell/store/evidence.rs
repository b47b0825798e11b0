//! What a log keeps of what was said in games.

use rusqlite::OptionalExtension as _;

use super::{Store, StoreError, sha256};
use crate::game::gz;

/// The most text of a game that is read: what the largest `run.evidence_game` gives, and as much again.
const LARGEST: usize = 2 << 30;

/// The evidence of a game as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// SHA-256 of the text, in hexadecimal.
    pub hash: String,
    /// The text.
    pub text: String,
    /// The same, packed by gzip.
    pub packed: Vec<u8>,
    /// Why it is not all that was said, where there was no room for that in the event.
    pub cut: Option<String>,
}

impl Evidence {
    /// Packs a text.
    pub fn of(text: String) -> Self {
        Self {
            hash: sha256(text.as_bytes()),
            packed: gz::pack(text.as_bytes()),
            text,
            cut: None,
        }
    }
}

impl Store {
    /// The evidence of a game by its hash; `None` where it is missing, or what is there is no text with that hash.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn evidence(&self, hash: &str) -> Result<Option<String>, StoreError> {
        let Some(packed) = self.packed(hash)? else {
            // A log of before.
            return self.blob(hash);
        };
        let text = gz::unpack(&packed, LARGEST).ok();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(text.filter(|text| sha256(text.as_bytes()) == hash))
    }

    fn packed(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let read = || {
            if !self.connection.table_exists(None, "evidence")? {
                return Ok(None);
            }
            let mut statement = self
                .connection
                .prepare_cached("SELECT packed FROM evidence WHERE hash = ?1")?;
            statement.query_row([hash], |row| row.get(0)).optional()
        };
        read().map_err(|source| self.error(source))
    }

    /// How many bytes the evidence of each game takes up: the numbers of its players, and the bytes.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn evidence_sizes(&self) -> Result<Vec<([u32; 2], u64)>, StoreError> {
        let read = || -> Result<Vec<_>, rusqlite::Error> {
            let mut statement = self.connection.prepare(
                "SELECT entries.body ->> 'white', entries.body ->> 'black', length(evidence.packed) FROM entries \
                 JOIN evidence ON evidence.hash = entries.body ->> 'evidence' WHERE entries.kind = 'game-finished'",
            )?;
            let rows = statement.query_map([], |row| {
                let bytes: i64 = row.get(2)?;
                Ok(([row.get(0)?, row.get(1)?], bytes.unsigned_abs()))
            })?;
            rows.collect()
        };
        read().map_err(|source| self.error(source))
    }
}
