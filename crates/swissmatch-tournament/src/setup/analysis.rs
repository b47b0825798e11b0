//! Keys of `[analysis]`: the reference engine, and what is made of its evaluations.
//!
//! May not: read files, know TOML, decide anything.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use swissmatch_game::evaluation::ScoreChoice;
use swissmatch_game::time_control::Bounds;

/// Which mean is a player's ACPL, `analysis.mean`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mean {
    /// `"moves"`: over all moves of all games.
    #[default]
    Moves,
    /// `"games"`: of the games' means.
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
    /// Program of the reference engine: a name to look up, or an absolute path.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// UCI options, values as they are sent.
    pub options: BTreeMap<String, String>,
    /// `go nodes`
    pub nodes: Option<u64>,
    /// `go depth`
    pub depth: Option<u32>,
    /// Which of the scores that the engine gives is the evaluation.
    pub scores: ScoreChoice,
    /// How long one position may take.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub limit: Duration,
    /// Evaluations beyond so many centipawns, and mates, count as so many.
    pub clamp: u32,
    /// Which mean is a player's ACPL.
    pub mean: Mean,
    /// Centipawns of one move more for who loses by a fault of its own; `None`: no such move.
    pub resignation_move: Option<u32>,
    /// Least loss of an inaccuracy, in centipawns.
    pub inaccuracy: u32,
    /// Least loss of a mistake.
    pub mistake: u32,
    /// Least loss of a blunder.
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
    /// What bounds the search of a position.
    pub const fn bounds(&self) -> Bounds {
        Bounds {
            nodes: self.nodes,
            depth: self.depth,
        }
    }
}
