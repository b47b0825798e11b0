//! Other machines than the runner's, which play games of a run.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A worker was admitted: another machine than the runner's, which plays games of this run from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerAdmitted {
    /// Its key, by which it is known.
    pub worker: String,
    /// The class of its machine: on machines of one class agents play alike.
    pub class: String,
    /// What its machine is, for people: an object.
    pub machine: Value,
}

/// Where a game was played that was not played on the runner's machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedOn {
    /// The key of the worker.
    pub worker: String,
    /// The class of its machine.
    pub class: String,
    /// Which time the game was given out, from 1: what comes of an earlier time counts no more once the arbiter has had it replayed.
    pub issue: u32,
}
