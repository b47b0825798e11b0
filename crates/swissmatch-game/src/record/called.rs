//! What a player that is a model or a web service asked over the network in a game, as the broker tells it.
//!
//! May not: hold what was said, or a price.

use serde::{Deserialize, Serialize};

use super::CallTotals;
use crate::Side;

/// The calls of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// In the order in which they ended.
    pub list: Vec<ServiceCall>,
    /// SHA-256 of the ledger's lines of this game when it ended, in hexadecimal.
    pub ledger: String,
}

impl Calls {
    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What each side asked in all, White first; `None` where neither asked anything.
    pub fn of_sides(&self) -> Option<[CallTotals; 2]> {
        let of_side = |side| {
            let calls = self.list.iter().filter(|call| call.side == side);
            let mut asked = CallTotals::NONE;
            calls.for_each(|call| asked += CallTotals::by(call));
            asked.within_bounds()
        };
        (!self.is_empty()).then(|| Side::BOTH.map(of_side))
    }
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceCall {
    /// Who asked.
    pub side: Side,
    /// Ply of the game, from 0, for which it asked.
    pub ply: u32,
    /// Tokens of the prompt; `None`, here and below: the service did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Of these, what the service still had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Tokens of the answer, reasoning included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Of these, reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// What all its tries cost, in millionths of the unit of the prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// From the last try to its first byte that says something, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_byte_us: Option<u64>,
    /// From the call to its end, in microseconds.
    pub latency_us: u64,
    /// Of this, what was off the clock.
    #[serde(default, skip_serializing_if = "is_none")]
    pub off_clock_us: u64,
    /// How often it was sent.
    pub tries: u32,
    /// Why the answer ended, in the service's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// The model that the service says that it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What the service calls its own state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Whose failure it was that it gave no answer, in a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_none(time: &u64) -> bool {
    *time == 0
}
