//! What a run begins with, and what it goes on with: the setup, the agents, the openings.

use serde::{Deserialize, Serialize};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::word::words;

use super::tour::TourEvent;
use crate::setup::{LegalMoves, Setup};
use swissmatch_game::isolation::UnopenedFile;

/// Everything that is fixed before the first round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCreated {
    /// Version of the log's events.
    pub log_version: u32,
    /// Version of the program.
    pub software: String,
    /// Every key.
    pub setup: Setup,
    /// Rounds to be played.
    pub rounds: u32,
    /// How they are paired.
    pub format: TournamentFormat,
    /// Entries (places in `setup.players`, from 0) in the order of their pairing numbers.
    pub order: Vec<usize>,
    /// The agents, in the order of `setup.players`.
    pub agents: Vec<Agent>,
    /// The opening suite.
    pub openings: Suite,
    /// The events of a tour: then nobody is paired in the one round, and its ties are played off. `None` of other events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tour: Option<Vec<TourEvent>>,
    /// The class of machine on which it is played, as its host says; `None` where that says none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

/// What an agent is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// The program that the command was found to be.
    pub program: String,
    /// Its files: the program, and arguments that name files.
    pub files: Vec<FileHash>,
    /// What the engine said of itself before the event; `None` if it did not start.
    pub introduction: Option<AgentIntroduction>,
    /// Where it works; `None` in logs of before: isolated it then works in its scratch directory, and has whole paths for words that
    /// name something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub works_in: Option<WorksIn>,
    /// The directory that its words lead from, where that is neither `player.dir` nor the event file's: of a late entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words_from: Option<String>,
    /// What of the directories that it is given whole is not its own: paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Of a model: which legal moves its prompt shows, by its template and what that includes; `None` of any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_moves: Option<LegalMoves>,
}

/// Where an agent works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorksIn {
    /// `"dir"`: in `player.dir`.
    Dir,
    /// `"scratch"`: in its scratch directory, where what its words name relatively stands too.
    Scratch,
    /// `"event"`: where the event file is.
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
    /// `id name`
    pub name: String,
    /// `id author`
    pub author: String,
    /// Threads on which it thinks, by its option `Threads`.
    pub threads: u32,
    /// How long its start took before the event, to `readyok` after its options, in microseconds; `None` of a host
    /// that starts nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_us: Option<u64>,
    /// Options for all, `engine.options`, that it does not declare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options_left_out: Vec<String>,
    /// Options that were set though its declaration of them was not understood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options_unread: Vec<String>,
    /// Files that it could not open, by what it said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unopened: Vec<UnopenedFile>,
}

/// A file and what was in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHash {
    /// Path as found; of a directory that the agent is given whole it ends with a slash.
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal; of a directory that of its manifest.
    pub sha256: String,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suite {
    /// `"bundled"`, `"unbalanced"`, `"none"`, `"chess960"` or the path.
    pub source: String,
    /// SHA-256 of its text, in hexadecimal; `None` for `"none"`.
    pub sha256: Option<String>,
    /// Openings in it.
    pub count: usize,
}

/// A runner took the run up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunResumed {
    /// Version of the program.
    pub software: String,
    /// The setup from now on; differs from before in keys alone that change no result.
    pub setup: Setup,
    /// The class of machine on which it is played from now on, as its host says; `None` where that says none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}
