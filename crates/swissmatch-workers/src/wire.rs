//! What runner and workers tell each other, as it is written down.
//!
//! May not: know what carries it.

use serde::{Deserialize, Serialize};

use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_host::host::{Issued, Whose};

/// Version of these shapes.
pub const VERSION: u32 = 1;

/// Games to be played by one worker, one after the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskMessage {
    /// [`VERSION`].
    pub version: u32,
    /// Which runner of the event gave it out: a later one has a higher number.
    pub runner: u64,
    /// The games, of one mini-match.
    pub games: Vec<Issued>,
    /// The agents of their players, by the hashes of their bundles: those of White and Black of the first game.
    pub agents: [String; 2],
}

/// What came of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResultMessage {
    /// [`VERSION`].
    pub version: u32,
    /// Its number.
    pub game: GameId,
    /// Which time it was given out.
    pub issue: u32,
    /// The agents that played, as in the task.
    pub agents: [String; 2],
    /// What came of it.
    pub came: Came,
}

/// What came of a game at a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Came {
    /// It was played.
    Played {
        /// All that is known of it.
        record: Box<GameRecord>,
        /// What was said, where that is kept.
        evidence: Option<String>,
        /// The most memory of the processes of one of its engines, in bytes, where that was asked for.
        memory: Option<u64>,
    },
    /// It was not played, by nobody's fault who plays.
    NotPlayed {
        /// Whose doing it was.
        whose: Whose,
        /// What happened.
        why: String,
    },
}
