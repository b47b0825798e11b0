//! Keys of `[adjudication]`.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

use swissmatch_game::adjudicate::{AdjudicationRules, Decides, Draw, Resign, Tables};

/// `[adjudication]`
#[derive(Clone, Debug, PartialEq, Eq, SmartDefault, Serialize, Deserialize)]
#[serde(default)]
pub struct AdjudicationKeys {
    /// Centipawns from which on a side holds a game to be lost or won; `None`: nobody is resigned.
    pub resign_score: Option<u32>,
    /// So many moves of a side, one after the other.
    #[default(4)]
    pub resign_moves: u32,
    /// Whether the winner must say so too.
    #[default(true)]
    pub resign_two_sided: bool,
    /// Centipawns up to which both hold a game to be level; `None`: no draws by scores.
    pub draw_score: Option<u32>,
    /// So many moves of each side, one after the other.
    #[default(8)]
    pub draw_moves: u32,
    /// Not before this move.
    #[default(40)]
    pub draw_from_move: u32,
    /// Directories of Syzygy tables, as written, relative to the event file; empty: no tablebases.
    pub tablebases: Vec<String>,
    /// Positions with at most so many men.
    #[default(5)]
    pub tablebase_men: u32,
    /// Whether a win that the fifty-move rule spoils is a draw.
    #[default(true)]
    pub tablebase_rule50: bool,
    /// Which verdicts end a game.
    #[default(Decides::WinDraw)]
    pub tablebase_adjudicate: Decides,
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
