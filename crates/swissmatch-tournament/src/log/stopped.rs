//! The end of an event by its stop rule.

use serde::{Deserialize, Serialize};

use swissmatch_stats::stop::{HeldPlace, StopReason};

/// The rule of `[stop]` ended the event after a round that is over. No round is paired after it; play-offs follow as after the last
/// round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventStopped {
    /// The round after which, from 1.
    pub round: u32,
    /// Which part of the rule.
    pub why: StopReason,
    /// Who holds the places that are sure; nobody where a bound was reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldPlace>,
    /// Games that had ended.
    pub games: u64,
    /// How long the players had thought in all, in microseconds.
    pub thinking_us: u64,
}
