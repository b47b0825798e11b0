//! The end of a test between two players.

use serde::{Deserialize, Serialize};

use swissmatch_stats::sprt::{Decimal, Verdict};

/// The test of `[sprt]` was decided. No game begins after it; games that were being played end but do not count in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SprtDecided {
    /// The accepted hypothesis.
    pub verdict: Verdict,
    /// The game pair (in a trinomial test, the game) with which the LLR first crossed a bound, from 1 in schedule
    /// order.
    pub after: u32,
    /// The logarithm of the likelihood ratio (LLR) after it.
    pub llr: Decimal,
    /// H0 is accepted at or below this.
    pub lower: Decimal,
    /// H1 is accepted at or above this.
    pub upper: Decimal,
}
