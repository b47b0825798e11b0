//! The end of a test between two players.

use serde::{Deserialize, Serialize};

use swissmatch_stats::sprt::{Decimal, Verdict};

/// The test of `[sprt]` was decided. No game begins after it; games that were being played end, and do not count in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SprtDecided {
    /// Which hypothesis was accepted.
    pub verdict: Verdict,
    /// The game pair, from 1 in the order of the schedule, with which the LLR first crossed a bound; of a trinomial test the game.
    pub after: u32,
    /// The logarithm of the likelihood ratio (LLR) after it.
    pub llr: Decimal,
    /// At or below it H0 is accepted.
    pub lower: Decimal,
    /// At or above it H1 is accepted.
    pub upper: Decimal,
}
