//! The calls of a model or web service player in a game, as the broker reports them.
//!
//! May not: hold what was said, or a price.

use serde::{Deserialize, Serialize};

use super::CallTotals;
use crate::Side;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// In the order in which they ended.
    pub list: Vec<ServiceCall>,
    /// SHA-256 of the ledger's lines of this game when it ended, in hexadecimal.
    pub ledger: String,
}

impl Calls {
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Totals of each side, White first; `None` if neither asked anything.
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceCall {
    pub side: Side,
    /// The ply of the game, from 0, for which the side asked.
    pub ply: u32,
    /// Tokens of the prompt; here and below, `None` means that the service did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Those of the prompt that the service had cached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Tokens of the answer, reasoning included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Those of the answer that were reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// The cost of all tries, in millionths of the unit of the prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// From the last try to the first byte of its answer that carries content, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_byte_us: Option<u64>,
    /// From the call to its end, in microseconds.
    pub latency_us: u64,
    /// The part of `latency_us` that was off the clock.
    #[serde(default, skip_serializing_if = "is_none")]
    pub off_clock_us: u64,
    pub tries: u32,
    /// Why the answer ended, in the service's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// The model that answered, by the service's own account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The service's name for its own state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// A word for whose failure it was that no answer came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_none(time: &u64) -> bool {
    *time == 0
}
