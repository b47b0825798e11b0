//! What a reference engine made of the games.
//!
//! It is in the log because everything published is a function of the log. The evaluations are stored beside the log,
//! by their hash, so that `verify` can count again.

use serde::{Deserialize, Serialize};

use super::created::{Agent, AgentIntroduction};
use crate::setup::AnalysisKeys;
use swissmatch_game::eval::Eval;
use swissmatch_game::record::GameId;
use swissmatch_stats::accuracy;

/// The highest accuracy of a move, in thousandths of a per cent.
const PERFECT: u64 = accuracy::PERFECT as u64;

/// The start of an analysis: what the games after it are analysed with. It replaces any earlier analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisBegun {
    /// The version of the program.
    pub software: String,
    /// The reference engine with the hashes of its files.
    pub engine: Agent,
    /// The keys that count in the analysis.
    pub keys: AnalysisKeys,
}

impl AnalysisBegun {
    /// True if games analysed with `other` belong to this analysis: the files are the same, whatever their paths, and
    /// so are the keys that can change a number.
    pub fn goes_on_with(&self, other: &Self) -> bool {
        let files =
            |begun: &Self| -> Vec<String> { begun.engine.files.iter().map(|file| file.sha256.clone()).collect() };
        let keys = |begun: &Self| AnalysisKeys {
            command: String::new(),
            limit: AnalysisKeys::default().limit,
            ..begun.keys.clone()
        };
        // The time of a start says nothing about the engine.
        let said = |begun: &Self| {
            let said = begun.engine.introduction.clone();
            said.map(|said| AgentIntroduction { start_us: None, ..said })
        };
        files(self) == files(other) && keys(self) == keys(other) && said(self) == said(other)
    }
}

/// The figures of one side's moves in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quality {
    pub moves: u32,
    /// The sum over all moves.
    pub lost: u64,
    /// Moves that lost at least an inaccuracy but less than a mistake.
    pub inaccuracies: u32,
    /// Moves that lost at least a mistake but less than a blunder.
    pub mistakes: u32,
    /// Moves that lost at least a blunder.
    pub blunders: u32,
    /// The sum of the moves' accuracies, in thousandths of a per cent.
    pub accuracy: u64,
    /// Moves before and after which the position was decided, at the clamp, for the same side. They had nothing to
    /// lose, so the mean accuracy leaves them out. `None` in logs from before this was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<u32>,
}

impl Quality {
    /// True if the figures are possible for a game, so that sums over all games cannot overflow: no move loses more
    /// than a million centipawns, or has an accuracy of more than 100 %.
    pub(crate) fn is_possible(&self) -> bool {
        let moves = u64::from(self.moves);
        let judged = [self.inaccuracies, self.mistakes, self.blunders].map(u64::from);
        moves <= 100_000
            && self.lost <= moves * 1_000_000
            && self.accuracy <= moves * PERFECT
            && u64::from(self.settled()) <= moves
            && self.accuracy >= u64::from(self.settled()) * PERFECT
            && judged.iter().sum::<u64>() <= moves
    }

    /// Average centipawn loss, in tenths of a centipawn; `None` without a move.
    pub fn acpl(&self) -> Option<u64> {
        accuracy::rounded(10 * self.lost, self.moves.into())
    }

    fn settled(&self) -> u32 {
        self.settled.unwrap_or(0)
    }

    /// Mean accuracy of the moves that had something to lose, in tenths of a per cent; `None` without one.
    pub fn mean_accuracy(&self) -> Option<u64> {
        let settled = u64::from(self.settled());
        accuracy::rounded(
            self.accuracy - settled * PERFECT,
            100 * (u64::from(self.moves) - settled),
        )
    }

    /// The figures without those that logs of older versions lack.
    pub fn as_before_settled(&self) -> Self {
        Self { settled: None, ..*self }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.lost += other.lost;
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
        self.accuracy += other.accuracy;
        self.settled = match (self.settled, other.settled) {
            (None, None) => None,
            (one, other) => Some(one.unwrap_or(0) + other.unwrap_or(0)),
        };
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameAnalysed {
    pub id: GameId,
    /// White's moves, then Black's.
    pub sides: [Quality; 2],
    /// SHA-256 of its stored [`Evaluations`], in hexadecimal.
    pub evaluations: String,
}

/// The evaluations of a game's positions, as stored beside the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluations {
    /// The version of this format.
    pub version: u32,
    pub id: GameId,
    /// Each from the side to move, from the position before the first move to the last position.
    pub evals: Vec<Eval>,
}

impl Evaluations {
    /// The version that this program writes.
    pub const VERSION: u32 = 1;
}
