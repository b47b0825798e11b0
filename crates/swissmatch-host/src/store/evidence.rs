//! The evidence of games, as stored in a log.

use rusqlite::OptionalExtension as _;

use super::{Store, StoreError, sha256};
use swissmatch_game::{Side, gz, transcript};

/// The most text of a game that is read, and the longest value: the largest `run.evidence_game`, the same again for
/// what models were asked and answered, and half of that.
pub(super) const LARGEST: i32 = 192 << 20;

/// The evidence of a game as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// SHA-256 of the text, in hexadecimal.
    pub hash: String,
    pub text: String,
    /// The text, packed by gzip.
    pub packed: Vec<u8>,
    /// How many packed bytes are White's part, and Black's.
    pub bytes: [u64; 2],
    /// Why part of what was said is missing, if the event had no room for it.
    pub cut: Option<String>,
}

impl Evidence {
    pub fn of(text: String) -> Self {
        let packed = gz::pack(text.as_bytes());
        Self {
            hash: sha256(text.as_bytes()),
            bytes: parts(&text, packed.len() as u64),
            packed,
            text,
            cut: None,
        }
    }
}

/// How many packed bytes of a text belong to each side: in the ratio of what its lines alone pack to, so that nobody
/// pays for an opponent whose lines pack badly.
fn parts(text: &str, packed: u64) -> [u64; 2] {
    let of_side = |side: Side| {
        let lines = text.split_inclusive('\n');
        let own: String = lines.filter(|line| transcript::side_of(line) == Some(side)).collect();
        gz::pack(own.as_bytes()).len() as u128
    };
    let [white, black] = Side::BOTH.map(of_side);
    // No text packs to nothing.
    let of_white = u64::try_from(u128::from(packed) * white / (white + black)).unwrap_or(packed);
    [of_white, packed - of_white]
}

impl Store {
    /// The evidence of a game by hash; `None` if it is missing, or is not a text with that hash.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn evidence(&self, hash: &str) -> Result<Option<String>, StoreError> {
        let Some(packed) = self.packed(hash)? else {
            // An older log.
            return self.blob(hash);
        };
        let text = gz::unpack(&packed, LARGEST as usize).ok();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(text.filter(|text| sha256(text.as_bytes()) == hash))
    }

    fn packed(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.ask(|log| {
            if !log.table_exists(None, "evidence")? {
                return Ok(None);
            }
            let mut statement = log.prepare_cached("SELECT packed FROM evidence WHERE hash = ?1")?;
            statement.query_row([hash], |row| row.get(0)).optional()
        })
    }

    /// The size of each game's evidence: the numbers of its players, with the bytes of each one's part; halves if a log
    /// does not say.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn evidence_sizes(&self) -> Result<Vec<[(u32, u64); 2]>, StoreError> {
        self.ask(|log| {
            let mut statement = log.prepare(
                "SELECT entries.body ->> 'white', entries.body ->> 'black', length(evidence.packed), \
                 entries.body ->> '$.evidence_bytes[0]' FROM entries \
                 JOIN evidence ON evidence.hash = entries.body ->> 'evidence' WHERE entries.kind = 'game-finished'",
            )?;
            let rows = statement.query_map([], |row| {
                let bytes = row.get::<_, i64>(2)?.unsigned_abs();
                let told: Option<i64> = row.get(3)?;
                let of_white = told.map_or(bytes / 2, |of_white| of_white.unsigned_abs().min(bytes));
                Ok([(row.get(0)?, of_white), (row.get(1)?, bytes - of_white)])
            })?;
            rows.collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_game::transcript::frame;

    #[test]
    fn each_side_pays_for_its_own_lines_as_they_pack() {
        let mut mixed = 1_u64;
        let mut noise = || {
            mixed = mixed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            format!("{mixed:x}")
        };
        let text: String = (0..1000)
            .flat_map(|at| {
                let quiet = frame(
                    at,
                    Side::White,
                    '<',
                    b"info depth 20 score cp 13 nodes 100000 pv e2e4 e7e5",
                );
                [
                    quiet,
                    frame(at, Side::Black, '<', (noise() + &noise() + &noise()).as_bytes()),
                ]
            })
            .map(|line| line + "\n")
            .collect();
        let evidence = Evidence::of(format!("Game 1.1.1\n\n{text}"));
        let [white, black] = evidence.bytes;
        assert_eq!(white + black, evidence.packed.len() as u64);
        assert!(white * 4 < black, "as long, and packed to little: {white}, {black}");
        let [white, black] = Evidence::of("Game 1.1.1\n".to_owned()).bytes;
        assert!(white.abs_diff(black) <= 1);
    }
}
