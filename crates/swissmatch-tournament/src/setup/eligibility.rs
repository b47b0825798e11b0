//! Keys of `[eligibility]`: what an agent must have shown before it may play.
//!
//! May not: read files, know TOML, decide who is eligible.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use swiss_system::score::Points;
use swissmatch_game::time_control::TimeControl;

/// `[eligibility]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EligibilityKeys {
    /// Whether only agents with a current, passed qualification may play.
    pub required: bool,
    /// File of the qualifications, as written; relative to the event file.
    pub record: String,
    /// Whom they play; `None`: the conformance check alone qualifies.
    pub baseline: Option<Baseline>,
    /// Games against the baseline.
    pub games: u32,
    /// Share of the points of these games that is required, from 0 to 1.
    pub score: Points,
    /// Limits of the check's games and of those against the baseline; `None`: those of the event, cut short.
    pub time_control: Option<TimeControl>,
    /// Days for which a qualification holds; `None`: for ever.
    pub valid_for: Option<u32>,
}

impl Default for EligibilityKeys {
    fn default() -> Self {
        Self {
            required: false,
            record: "eligibility.json".to_owned(),
            baseline: None,
            games: 10,
            score: Points::HALF,
            time_control: None,
            valid_for: None,
        }
    }
}

/// The engine that qualifications are played against, `eligibility.baseline`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// Program, as written.
    pub command: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Its UCI options.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}
