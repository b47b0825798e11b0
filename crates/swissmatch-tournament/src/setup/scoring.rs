//! Keys of `[scoring]`: what games and mini-matches are worth.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};

use super::PointsTable;

/// `[scoring]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScoringKeys {
    pub game: PointsTable,
    /// Match points: a player with more game points than the opponent wins.
    pub r#match: PointsTable,
    /// Game points of an unplayed game; `None` means as for a played one.
    pub forfeited_game: Option<PointsTable>,
    /// Match points of a mini-match without a played game; `None` means as for a played one.
    pub forfeited_match: Option<PointsTable>,
}

impl Default for ScoringKeys {
    fn default() -> Self {
        Self {
            game: PointsTable::STANDARD,
            r#match: PointsTable::STANDARD,
            forfeited_game: None,
            forfeited_match: None,
        }
    }
}

impl ScoringKeys {
    /// Game points of an unplayed game.
    pub fn forfeited_game(&self) -> PointsTable {
        self.forfeited_game.unwrap_or(self.game)
    }

    /// Match points of a mini-match without a played game.
    pub fn forfeited_match(&self) -> PointsTable {
        self.forfeited_match.unwrap_or(self.r#match)
    }
}
