//! Keys of `[scoring]`: what games and mini-matches are worth.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};

use super::PointsTable;

/// `[scoring]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScoringKeys {
    /// Game points.
    pub game: PointsTable,
    /// Match points: more game points than the opponent is a win.
    pub r#match: PointsTable,
    /// Game points of a game that was not played; `None`: as of one that was.
    pub forfeited_game: Option<PointsTable>,
    /// Match points of a mini-match without a played game; `None`: as of one that was played.
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
    /// Game points of a game that was not played.
    pub fn forfeited_game(&self) -> PointsTable {
        self.forfeited_game.unwrap_or(self.game)
    }

    /// Match points of a mini-match without a played game.
    pub fn forfeited_match(&self) -> PointsTable {
        self.forfeited_match.unwrap_or(self.r#match)
    }
}
