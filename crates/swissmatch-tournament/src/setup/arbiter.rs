//! Keys for things beside the games: `[registration]` and `[arbiter]`.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};
use swiss_system::word::{WordOr, is_none_of, words};

/// Until when late entries are taken, `registration.until`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WordOr<u32>", into = "WordOr<u32>")]
pub enum RegistrationUntil {
    /// `"closed"`: only players in the event file play.
    #[default]
    Closed,
    /// `"half"`: "before half the number of rounds of the tournament minus 1, rounded up, are played" (Immortal Game).
    Half,
    /// A number: before this many rounds have been played.
    Rounds(u32),
}

impl RegistrationUntil {
    /// The number of played rounds (of `rounds`) up to which late entries are taken; `None` means never.
    pub const fn played(self, rounds: u32) -> Option<u32> {
        match self {
            Self::Closed => None,
            // ceil(rounds / 2 − 1)
            Self::Half => Some(rounds.div_ceil(2).saturating_sub(1)),
            Self::Rounds(played) => Some(played),
        }
    }
}

impl From<RegistrationUntil> for WordOr<u32> {
    fn from(until: RegistrationUntil) -> Self {
        match until {
            RegistrationUntil::Closed => Self::word("closed"),
            RegistrationUntil::Half => Self::word("half"),
            RegistrationUntil::Rounds(played) => Self::Other(played),
        }
    }
}

impl TryFrom<WordOr<u32>> for RegistrationUntil {
    type Error = String;

    fn try_from(written: WordOr<u32>) -> Result<Self, String> {
        match written {
            WordOr::Other(played) => Ok(Self::Rounds(played)),
            WordOr::Word(word) if word == "closed" => Ok(Self::Closed),
            WordOr::Word(word) if word == "half" => Ok(Self::Half),
            WordOr::Word(word) => Err(is_none_of(&word, r#""closed", "half""#)),
        }
    }
}

/// What late entries get for the rounds that they missed, `registration.missed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissedRounds {
    /// `"zero"`: nothing.
    #[default]
    Zero,
    /// `"half-point"`: a half-point bye for each.
    HalfPoint,
}

words!(MissedRounds {
    Zero => "zero",
    HalfPoint => "half-point",
});

/// `[registration]`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RegistrationKeys {
    pub until: RegistrationUntil,
    /// What late entries get for the rounds that they missed.
    pub missed: MissedRounds,
}

/// `[arbiter]`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ArbiterKeys {
    /// Whether each pairing is shown first and waits to be confirmed.
    pub confirm_rounds: bool,
}
