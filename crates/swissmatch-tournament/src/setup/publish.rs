//! Keys of what is published, `[publish]`.
//!
//! May not: read files, know TOML, decide anything.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// `[publish]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PublishKeys {
    /// So many rounds at the end are held back of the published files until the arbiter releases them.
    pub embargo_rounds: u32,
    /// Whether the games under way are written to files for viewers.
    pub live_files: bool,
    /// Whether the evidence of games is among the published files.
    pub evidence: bool,
    /// Whether the page of the event is among the files of the run when its runner ends.
    pub report: bool,
    /// So many megabytes of packed games stand in the page at most.
    pub report_size: u32,
    /// Whether a JUnit report is among the files of the run.
    pub junit: bool,
    /// Whether the page of the ladder lists what was handed in.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub submissions: bool,
    /// The file of the private key by which the list of published files is signed; `None`: nothing is signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
    /// So much later than it happens spectators see it, in whole milliseconds.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub delay: Duration,
}

impl Default for PublishKeys {
    fn default() -> Self {
        Self {
            embargo_rounds: 0,
            live_files: false,
            evidence: false,
            report: true,
            report_size: 8,
            junit: false,
            submissions: false,
            sign: None,
            delay: Duration::ZERO,
        }
    }
}
