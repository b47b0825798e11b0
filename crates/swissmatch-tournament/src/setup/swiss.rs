//! `[swiss]`: how many rounds, and how they are paired.
//!
//! May not: read files, know TOML, pair anybody.

use serde::{Deserialize, Serialize};
use swiss_system::pairing::dutch::rules::{ColorRule, DutchEdition, TpnParity};
use swiss_system::pairing::rounds::Rounds;
use swiss_system::pairing::system::PairingSystem;
use swiss_system::word::words;

/// `swiss.initial_color`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InitialColor {
    /// `"lot"`: by lot from `event.rng_seed`.
    #[default]
    Lot,
    /// `"white"`
    White,
    /// `"black"`
    Black,
}

words!(InitialColor {
    Lot => "lot",
    White => "white",
    Black => "black",
});

/// `swiss.acceleration`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AccelerationRule {
    /// `"none"`
    #[default]
    None,
    /// `"baku"`: virtual points for the upper half in the first half of the rounds, C.04.7.
    Baku,
}

words!(AccelerationRule {
    None => "none",
    Baku => "baku",
});

/// What two players may share that keeps them from being paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinship {
    /// `"team"`: the same `player.team`.
    Team,
    /// `"author"`: the same `player.author`.
    Author,
}

words!(Kinship {
    Team => "team",
    Author => "author",
});

/// `swiss.seeding`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// `"rating"`: highest first, unrated after rated, then earlier submission, then name.
    Rating,
    /// `"submitted"`: earliest submission first, then order of the file.
    Submitted,
    /// `"listed"`: order of the file.
    Listed,
    /// `"random"`: by lot from `event.rng_seed`, recorded.
    Random,
    /// `"ladder"`: by rating in the ladder, highest first, then those without one, then earlier submission, then name.
    Ladder,
}

words!(Seeding {
    Rating => "rating",
    Submitted => "submitted",
    Listed => "listed",
    Random => "random",
    Ladder => "ladder",
});

/// `[swiss]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SwissKeys {
    pub rounds: Rounds,
    /// The pairing system.
    pub pairing: PairingSystem,
    /// How far colours bind the pairing.
    pub color: ColorRule,
    /// The order of the pairing numbers.
    pub seeding: Seeding,
    /// The edition of the Dutch system.
    pub edition: DutchEdition,
    /// The reading of its article 5.2.5.
    pub tpn_parity: TpnParity,
    /// Its initial colour.
    pub initial_color: InitialColor,
    /// Its acceleration.
    pub acceleration: AccelerationRule,
    /// Players who share one of these never meet, nor play at two boards at once.
    pub keep_apart: Vec<Kinship>,
    /// Groups of players, by name, of whom no two ever meet.
    pub forbidden: Vec<Vec<String>>,
    /// The most rounds in a row with the same colour in the immortal system, unless the round has no pairing otherwise;
    /// `None` means no limit.
    pub color_streak: Option<u32>,
}

impl Default for SwissKeys {
    fn default() -> Self {
        Self {
            rounds: Rounds::Auto,
            pairing: PairingSystem::MatchPoints,
            color: ColorRule::Ignore,
            seeding: Seeding::Rating,
            edition: DutchEdition::default(),
            tpn_parity: TpnParity::default(),
            initial_color: InitialColor::default(),
            acceleration: AccelerationRule::default(),
            keep_apart: Vec::new(),
            forbidden: Vec::new(),
            color_streak: Some(2),
        }
    }
}
