//! `[swiss]`: how many rounds, and who meets whom.
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

/// What two players may have in common that keeps them from being paired.
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
    /// `"ladder"`: by the rating in the ladder, highest first, those without one after the others, then earlier submission, then name.
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
    /// How many rounds.
    pub rounds: Rounds,
    /// Who meets whom.
    pub pairing: PairingSystem,
    /// Whether colours bind the pairing.
    pub color: ColorRule,
    /// Order of the pairing numbers.
    pub seeding: Seeding,
    /// Which text of the Dutch system.
    pub edition: DutchEdition,
    /// Which reading of its article 5.2.5.
    pub tpn_parity: TpnParity,
    /// Its initial colour.
    pub initial_color: InitialColor,
    /// Its acceleration.
    pub acceleration: AccelerationRule,
    /// Players alike in one of these never meet, nor play at two boards at once.
    pub keep_apart: Vec<Kinship>,
    /// Players, by name, who never meet: any two of a group.
    pub forbidden: Vec<Vec<String>>,
    /// How often in a row a player has the same colour at most in the immortal system, unless the round could not be paired
    /// otherwise; `None`: no limit.
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
