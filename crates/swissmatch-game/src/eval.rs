//! An engine's evaluation of its position.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An evaluation as an engine reported it, from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    Centipawns(i32),
    /// Mate in so many moves; negative if the engine's side is mated.
    Mate(i32),
}

/// `12` for centipawns, `"#-3"` for mates.
impl Serialize for Eval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Centipawns(value) => serializer.serialize_i32(*value),
            Self::Mate(moves) => serializer.collect_str(&format_args!("#{moves}")),
        }
    }
}

impl<'de> Deserialize<'de> for Eval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum WrittenEval {
            Number(i32),
            Text(String),
        }
        match WrittenEval::deserialize(deserializer)? {
            WrittenEval::Number(value) => Ok(Self::Centipawns(value)),
            WrittenEval::Text(text) => text
                .strip_prefix('#')
                .and_then(|moves| moves.parse().ok())
                .map(Self::Mate)
                .ok_or_else(|| serde::de::Error::custom("an evaluation is centipawns or #MOVES")),
        }
    }
}
