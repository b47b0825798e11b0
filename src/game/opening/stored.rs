//! Openings as records keep them: moves as one text.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::uci::UciMove;

use super::Opening;

impl Opening {
    /// The start position of chess, nothing played.
    #[must_use]
    pub fn start() -> Self {
        Self {
            fen: None,
            moves: Vec::new(),
            name: "start position".to_owned(),
        }
    }

    /// Its moves in UCI notation, separated by blanks.
    #[must_use]
    pub fn moves_text(&self) -> String {
        self.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }
}

#[derive(Serialize, Deserialize)]
struct Stored {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    moves: String,
}

impl Serialize for Opening {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored {
            name: self.name.clone(),
            fen: self.fen.clone(),
            moves: self.moves_text(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Opening {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stored { name, fen, moves } = Stored::deserialize(deserializer)?;
        let moves = moves
            .split_ascii_whitespace()
            .map(str::parse::<UciMove>)
            .collect::<Result<_, _>>();
        Ok(Self {
            name,
            fen,
            moves: moves.map_err(serde::de::Error::custom)?,
        })
    }
}
