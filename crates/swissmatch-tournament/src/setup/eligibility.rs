//! Keys of `[eligibility]`: what an agent must have proved before it may play.
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
    /// The file of qualifications, as written; relative to the event file.
    pub record: String,
    /// The opponent; `None` means that the conformance check alone qualifies.
    pub baseline: Option<Baseline>,
    /// The number of games against the baseline.
    pub games: u32,
    /// The share of these games' points that is required, from 0 to 1.
    pub score: Points,
    /// Limits of the check's games and of the games against the baseline; `None` means those of the event, cut short.
    pub time_control: Option<TimeControl>,
    /// How many days a qualification holds; `None` means for ever.
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

/// The engine that agents play to qualify, `eligibility.baseline`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// The program, as written.
    pub command: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}
