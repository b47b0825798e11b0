//! Keys of what is published, `[publish]`.
//!
//! May not: read files, know TOML, decide anything.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// `[publish]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PublishKeys {
    /// The number of last rounds that are held back from the published files until the arbiter releases them.
    pub embargo_rounds: u32,
    /// Whether games under way are written to files for viewers.
    pub live_files: bool,
    /// Whether the evidence of games is published.
    pub evidence: bool,
    /// Whether the page of the event is among the files of the run when its runner ends.
    pub report: bool,
    /// The most megabytes of packed games in the page.
    pub report_size: u32,
    /// Whether a JUnit report is among the files of the run.
    pub junit: bool,
    /// Whether the page of the ladder lists submissions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub submissions: bool,
    /// The file of the private key that signs the list of published files; `None` means that it is not signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
    /// The delay with which spectators see what happens, in whole milliseconds.
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
