//! What a reference engine made of the games.
//!
//! It is in the log because everything published is a function of the log. The evaluations are beside it, by their hash, so that
//! `verify` counts again.

use serde::{Deserialize, Serialize};

use super::created::{Agent, AgentIntroduction};
use crate::setup::AnalysisKeys;
use swissmatch_game::eval::Eval;
use swissmatch_game::record::GameId;
use swissmatch_stats::accuracy;

/// What the accuracy of a move is at most, in thousandths of a per cent.
const PERFECT: u64 = accuracy::PERFECT as u64;

/// An analysis begins: what the games that follow are analysed with. It replaces any earlier one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisBegun {
    /// Version of the program.
    pub software: String,
    /// The reference engine, its files with their hashes.
    pub engine: Agent,
    /// The keys that count in it.
    pub keys: AnalysisKeys,
}

impl AnalysisBegun {
    /// Whether games analysed with the other belong to this one: the same files, whatever their paths, and the same keys but
    /// those by which no number changes.
    pub fn goes_on_with(&self, other: &Self) -> bool {
        let files =
            |begun: &Self| -> Vec<String> { begun.engine.files.iter().map(|file| file.sha256.clone()).collect() };
        let keys = |begun: &Self| AnalysisKeys {
            command: String::new(),
            limit: AnalysisKeys::default().limit,
            ..begun.keys.clone()
        };
        // How long a start took is of that start alone.
        let said = |begun: &Self| {
            let said = begun.engine.introduction.clone();
            said.map(|said| AgentIntroduction { start_us: None, ..said })
        };
        files(self) == files(other) && keys(self) == keys(other) && said(self) == said(other)
    }
}

/// What one side's moves in a game were worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quality {
    /// Moves made.
    pub moves: u32,
    /// Centipawns lost in all.
    pub lost: u64,
    /// Moves that lost as much as an inaccuracy and less than a mistake.
    pub inaccuracies: u32,
    /// Moves that lost as much as a mistake and less than a blunder.
    pub mistakes: u32,
    /// Moves that lost as much as a blunder.
    pub blunders: u32,
    /// The accuracies of the moves added up, in thousandths of a per cent.
    pub accuracy: u64,
    /// Of the moves, those before and after which the position was decided, at the clamp, for the same side. They had nothing to
    /// lose, so the mean accuracy leaves them out. `None` in logs from before this was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<u32>,
}

impl Quality {
    /// Whether the moves of a game may be worth so much, so that what those of all games are worth can be added up: no move loses
    /// more than a million centipawns, or has more than a hundred per cent.
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

    /// Average centipawn loss of these moves, in tenths of a centipawn; `None` without a move.
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

    /// The same without what logs of older versions do not have.
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

/// A game was analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameAnalysed {
    /// Which game.
    pub id: GameId,
    /// White's moves and Black's.
    pub sides: [Quality; 2],
    /// SHA-256 of its [`Evaluations`] as stored, in hexadecimal.
    pub evaluations: String,
}

/// The evaluations of a game's positions, as they lie beside the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluations {
    /// Version of this shape.
    pub version: u32,
    /// Which game.
    pub id: GameId,
    /// From the side to move, of the position of the first move up to the last position.
    pub evals: Vec<Eval>,
}

impl Evaluations {
    /// Version written by this program.
    pub const VERSION: u32 = 1;
}
