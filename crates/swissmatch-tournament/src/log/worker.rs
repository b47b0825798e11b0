//! Machines other than the runner's that play games of a run.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A worker was admitted: another machine than the runner's, which plays games of this run from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerAdmitted {
    /// The worker's key, which identifies it.
    pub worker: String,
    /// Its machine class: agents play alike on machines of one class.
    pub class: String,
    /// A description of its machine for people, as a JSON object.
    pub machine: Value,
}

/// The worker that played a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedOn {
    /// The key of the worker.
    pub worker: String,
    /// Its machine class.
    pub class: String,
    /// How many times the game had been given out, from 1. Results of an earlier issue no longer count once the arbiter
    /// has had the game replayed.
    pub issue: u32,
}
