//! Keys of `[analysis]`: the reference engine, and how its evaluations are used.
//!
//! May not: read files, know TOML, decide anything.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use swissmatch_game::evaluation::ScoreChoice;
use swissmatch_game::time_control::Bounds;

/// The kind of mean used for a player's ACPL, `analysis.mean`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mean {
    /// `"moves"`: over all moves of all games.
    #[default]
    Moves,
    /// `"games"`: the mean of the games' means.
    Games,
}

words!(Mean {
    Moves => "moves",
    Games => "games",
});

/// `[analysis]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnalysisKeys {
    /// The program of the reference engine: a name to look up, or an absolute path.
    pub command: String,
    pub args: Vec<String>,
    /// UCI options with the values that are sent.
    pub options: BTreeMap<String, String>,
    /// `go nodes`
    pub nodes: Option<u64>,
    /// `go depth`
    pub depth: Option<u32>,
    /// Which of the engine's scores counts as the evaluation.
    pub scores: ScoreChoice,
    /// The time limit for one position.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub limit: Duration,
    /// Evaluations beyond this many centipawns, and mates, count as this many.
    pub clamp: u32,
    /// The kind of mean used for a player's ACPL.
    pub mean: Mean,
    /// The centipawns of one more move for a player who loses by a fault of its own; `None` means no such move.
    pub resignation_move: Option<u32>,
    /// The least loss of an inaccuracy, in centipawns.
    pub inaccuracy: u32,
    /// The least loss of a mistake, in centipawns.
    pub mistake: u32,
    /// The least loss of a blunder, in centipawns.
    pub blunder: u32,
}

impl Default for AnalysisKeys {
    fn default() -> Self {
        Self {
            command: "stockfish".to_owned(),
            args: Vec::new(),
            options: [("Hash", "16"), ("Threads", "1")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            nodes: Some(100_000),
            depth: None,
            scores: ScoreChoice::default(),
            limit: Duration::from_secs(60),
            clamp: 1000,
            mean: Mean::default(),
            resignation_move: None,
            inaccuracy: 50,
            mistake: 100,
            blunder: 300,
        }
    }
}

impl AnalysisKeys {
    /// The bounds of the search of a position.
    pub const fn bounds(&self) -> Bounds {
        Bounds {
            nodes: self.nodes,
            depth: self.depth,
        }
    }
}
