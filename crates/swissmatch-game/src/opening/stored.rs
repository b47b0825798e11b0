//! Openings as records keep them: moves as one text.
//!
//! May not: check what it reads against the rules of chess.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::uci::UciMove;

use super::Opening;
use crate::variant::Variant;

#[derive(Serialize, Deserialize)]
struct StoredOpening {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    moves: String,
    #[serde(default, skip_serializing_if = "Variant::is_standard")]
    variant: Variant,
}

impl Serialize for Opening {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredOpening {
            name: self.name.clone(),
            fen: self.fen.clone(),
            moves: self.moves_text(),
            variant: self.variant,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Opening {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredOpening {
            name,
            fen,
            moves,
            variant,
        } = StoredOpening::deserialize(deserializer)?;
        let moves = moves
            .split_ascii_whitespace()
            .map(str::parse::<UciMove>)
            .collect::<Result<_, _>>();
        Ok(Self {
            name,
            fen,
            moves: moves.map_err(serde::de::Error::custom)?,
            variant,
        })
    }
}
