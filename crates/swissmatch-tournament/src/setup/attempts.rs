//! The price of an illegal move, `game.illegal_attempts`.

use serde::{Deserialize, Serialize};
use swiss_system::word::{WordOr, is_none_of};

/// `game.illegal_attempts`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WordOr<u32>", into = "WordOr<u32>")]
pub enum IllegalAttempts {
    /// `"shared"`: illegal moves and overruns of one move count together against `game.attempts`.
    Shared,
    /// A number: this many illegal moves at one move lose the game, counted apart from overruns.
    Apart(u32),
}

impl From<IllegalAttempts> for WordOr<u32> {
    fn from(attempts: IllegalAttempts) -> Self {
        match attempts {
            IllegalAttempts::Shared => Self::word("shared"),
            IllegalAttempts::Apart(number) => Self::Other(number),
        }
    }
}

impl TryFrom<WordOr<u32>> for IllegalAttempts {
    type Error = String;

    fn try_from(written: WordOr<u32>) -> Result<Self, String> {
        match written {
            WordOr::Other(number) => Ok(Self::Apart(number)),
            WordOr::Word(word) if word == "shared" => Ok(Self::Shared),
            WordOr::Word(word) => Err(is_none_of(&word, r#""shared""#)),
        }
    }
}
