//! The end of an event by its stop rule.

use serde::{Deserialize, Serialize};

use swissmatch_stats::stop::{HeldPlace, StopReason};

/// The rule of `[stop]` ended the event after a round that is over. No round is paired after it; play-offs follow as
/// after the last round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventStopped {
    /// The last round, from 1.
    pub round: u32,
    /// The part of the rule that applied.
    pub why: StopReason,
    /// The players with places that are sure; empty if a bound was reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldPlace>,
    /// Games that had ended.
    pub games: u64,
    /// The players' total thinking time, in microseconds.
    pub thinking_us: u64,
}
