//! What a run begins with and goes on with: the setup, the agents, the openings.

use serde::{Deserialize, Serialize};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::word::words;

use super::tour::TourEvent;
use crate::setup::{LegalMoves, Setup};
use swissmatch_game::isolation::UnopenedFile;

/// Everything that is fixed before the first round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCreated {
    /// The version of the log's entries.
    pub log_version: u32,
    /// The version of the program.
    pub software: String,
    /// Every key with its value.
    pub setup: Setup,
    pub rounds: u32,
    /// How they are paired.
    pub format: TournamentFormat,
    /// Entries (indices in `setup.players`) in the order of their pairing numbers.
    pub order: Vec<usize>,
    /// In the order of `setup.players`.
    pub agents: Vec<Agent>,
    pub openings: Suite,
    /// The events of a tour: then nobody is paired in the single round, and ties of the tour are played off. `None` in
    /// other events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tour: Option<Vec<TourEvent>>,
    /// The machine class that the run is played on, if its host gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

/// What an agent is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// The path at which the command was found.
    pub program: String,
    /// The program, and arguments that name files.
    pub files: Vec<FileHash>,
    /// What the engine said of itself before the event; `None` if it did not start.
    pub introduction: Option<AgentIntroduction>,
    /// Its working directory. `None` in older logs: an isolated agent then works in its scratch directory and gets
    /// whole paths for words that name something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub works_in: Option<WorksIn>,
    /// The directory from which a late entry's relative paths lead, if that is neither `player.dir` nor the event
    /// file's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words_from: Option<String>,
    /// Paths in the directories given to it whole that are not part of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// For a model, the legal moves that its prompt shows, by its template and what that includes; otherwise `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_moves: Option<LegalMoves>,
}

/// The working directory of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorksIn {
    /// `"dir"`: in `player.dir`.
    Dir,
    /// `"scratch"`: in its scratch directory, which also has the files that its words name by relative paths.
    Scratch,
    /// `"event"`: in the directory of the event file.
    Event,
}

words!(WorksIn {
    Dir => "dir",
    Scratch => "scratch",
    Event => "event",
});

/// `id name` and `id author`, made harmless.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentIntroduction {
    pub name: String,
    pub author: String,
    /// Threads that it thinks with, by its option `Threads`.
    pub threads: u32,
    /// The duration of its start before the event, up to `readyok` after its options, in microseconds; `None` from a
    /// host that starts nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_us: Option<u64>,
    /// Options from `engine.options` that it does not declare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options_left_out: Vec<String>,
    /// Options that were set although its declaration of them was not understood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options_unread: Vec<String>,
    /// Files that it said it could not open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unopened: Vec<UnopenedFile>,
}

/// A file and the hash of its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHash {
    /// The path as found; ends with a slash for a directory that the agent is given whole.
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal; for a directory, of its manifest.
    pub sha256: String,
}

/// The source of openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suite {
    /// `"bundled"`, `"unbalanced"`, `"none"`, `"chess960"` or the path.
    pub source: String,
    /// SHA-256 of its text, in hexadecimal; `None` for `"none"`.
    pub sha256: Option<String>,
    /// The number of openings.
    pub count: usize,
}

/// A runner went on with the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunResumed {
    /// The version of the program.
    pub software: String,
    /// The setup from now on. It differs from the one before only in keys that change no result.
    pub setup: Setup,
    /// The machine class that the run is played on from now on, if its host gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}
