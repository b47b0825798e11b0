//! Keys of `[adjudication]`.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};

use swissmatch_game::adjudicate::{AdjudicationRules, Decides, Draw, Resign, Tables};

/// `[adjudication]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AdjudicationKeys {
    /// Centipawns from which on a side holds a game to be lost or won; `None`: nobody is resigned.
    pub resign_score: Option<u32>,
    /// So many moves of a side, one after the other.
    pub resign_moves: u32,
    /// Whether the winner must say so too.
    pub resign_two_sided: bool,
    /// Centipawns up to which both hold a game to be level; `None`: no draws by scores.
    pub draw_score: Option<u32>,
    /// So many moves of each side, one after the other.
    pub draw_moves: u32,
    /// Not before this move.
    pub draw_from_move: u32,
    /// Directories of Syzygy tables, as written, relative to the event file; empty: no tablebases.
    pub tablebases: Vec<String>,
    /// Positions with at most so many men.
    pub tablebase_men: u32,
    /// Whether a win that the fifty-move rule spoils is a draw.
    pub tablebase_rule50: bool,
    /// Which verdicts end a game.
    pub tablebase_adjudicate: Decides,
}

impl Default for AdjudicationKeys {
    fn default() -> Self {
        Self {
            resign_score: None,
            resign_moves: 4,
            resign_two_sided: true,
            draw_score: None,
            draw_moves: 8,
            draw_from_move: 40,
            tablebases: Vec::new(),
            tablebase_men: 5,
            tablebase_rule50: true,
            tablebase_adjudicate: Decides::WinDraw,
        }
    }
}

impl AdjudicationKeys {
    /// What a game needs to know of it.
    pub fn rules(&self) -> AdjudicationRules {
        AdjudicationRules {
            resign: self.resign_score.map(|score| Resign {
                score,
                moves: self.resign_moves,
                two_sided: self.resign_two_sided,
            }),
            draw: self.draw_score.map(|score| Draw {
                score,
                moves: self.draw_moves,
                from_move: self.draw_from_move,
            }),
            tables: (!self.tablebases.is_empty()).then_some(Tables {
                men: self.tablebase_men,
                rule50: self.tablebase_rule50,
                decides: self.tablebase_adjudicate,
            }),
        }
    }
}
