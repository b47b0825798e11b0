//! Keys of `[adjudication]`.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};

use swissmatch_game::adjudicate::{AdjudicationRules, Decides, Draw, Resign, Tables};

/// `[adjudication]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AdjudicationKeys {
    /// Centipawns from which a side counts a game as lost or won; `None` means that nobody resigns.
    pub resign_score: Option<u32>,
    /// The number of moves of a side in a row.
    pub resign_moves: u32,
    /// Whether the winner must agree.
    pub resign_two_sided: bool,
    /// Centipawns up to which both sides count a game as level; `None` means no draws by scores.
    pub draw_score: Option<u32>,
    /// The number of moves of each side in a row.
    pub draw_moves: u32,
    /// The first move at which this applies.
    pub draw_from_move: u32,
    /// Directories of Syzygy tables, as written, relative to the event file; empty means no tablebases.
    pub tablebases: Vec<String>,
    /// The most men in positions that are looked up.
    pub tablebase_men: u32,
    /// Whether a win spoiled by the fifty-move rule is a draw.
    pub tablebase_rule50: bool,
    /// The verdicts that end a game.
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
    /// The rules that a game needs to know.
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
