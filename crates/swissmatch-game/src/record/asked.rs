//! Totals of the calls over the network, as sums of which parts may be unknown.
//!
//! May not: know prices, or who asked.

use std::ops::{AddAssign, SubAssign};

use serde::{Deserialize, Serialize};

use super::ServiceCall;

/// The service's word for an answer that ended at its token limit.
const LENGTH: &str = "length";

/// A sum of which parts may be unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartialSum {
    /// The sum of the known parts.
    pub sum: u64,
    /// The number of unknown parts.
    pub untold: u64,
}

impl PartialSum {
    const NONE: Self = Self { sum: 0, untold: 0 };

    /// The sum of one part.
    pub fn of(part: Option<u64>) -> Self {
        Self {
            sum: part.unwrap_or(0),
            untold: part.is_none().into(),
        }
    }

    /// The sum; `None` as soon as one part is unknown.
    pub fn whole(&self) -> Option<u64> {
        (self.untold == 0).then_some(self.sum)
    }
}

impl AddAssign for PartialSum {
    fn add_assign(&mut self, other: Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.untold = self.untold.saturating_add(other.untold);
    }
}

impl SubAssign for PartialSum {
    fn sub_assign(&mut self, other: Self) {
        self.sum = self.sum.saturating_sub(other.sum);
        self.untold = self.untold.saturating_sub(other.untold);
    }
}

/// Totals of calls over the network, in one game or in many; the parts of each sum are calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTotals {
    pub calls: u64,
    /// Tokens of the prompts.
    pub input: PartialSum,
    /// Tokens of the answers, reasoning included.
    pub output: PartialSum,
    /// The cost, in millionths of the unit of the prices.
    pub cost: PartialSum,
    /// Answers cut off at their token limit; 0 in a log from before they were counted.
    #[serde(default)]
    pub cut_off: u64,
}

impl ServiceCall {
    /// True if the answer was cut off at its token limit.
    pub fn was_cut_off(&self) -> bool {
        self.finish.as_deref() == Some(LENGTH)
    }
}

/// The largest sum of a game, whatever a service says, so that the sums of a million games can be added up.
const MOST: u64 = 10_000_000_000_000;

impl CallTotals {
    pub const NONE: Self = Self {
        calls: 0,
        input: PartialSum::NONE,
        output: PartialSum::NONE,
        cost: PartialSum::NONE,
        cut_off: 0,
    };

    pub(super) fn by(call: &ServiceCall) -> Self {
        Self {
            calls: 1,
            input: PartialSum::of(call.input),
            output: PartialSum::of(call.output),
            cost: PartialSum::of(call.cost),
            cut_off: call.was_cut_off().into(),
        }
    }

    /// Cuts each sum to the largest that a game may have.
    pub(super) fn within_bounds(self) -> Self {
        let bounded = |told: PartialSum| PartialSum {
            sum: told.sum.min(MOST),
            untold: told.untold.min(MOST),
        };
        Self {
            calls: self.calls.min(MOST),
            input: bounded(self.input),
            output: bounded(self.output),
            cost: bounded(self.cost),
            cut_off: self.cut_off.min(MOST),
        }
    }

    /// True if one side can have asked this in a game.
    pub fn is_possible(&self) -> bool {
        *self == self.within_bounds()
    }
}

impl AddAssign for CallTotals {
    fn add_assign(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.input += other.input;
        self.output += other.output;
        self.cost += other.cost;
        self.cut_off = self.cut_off.saturating_add(other.cut_off);
    }
}

impl SubAssign for CallTotals {
    fn sub_assign(&mut self, other: Self) {
        self.calls = self.calls.saturating_sub(other.calls);
        self.input -= other.input;
        self.output -= other.output;
        self.cost -= other.cost;
        self.cut_off = self.cut_off.saturating_sub(other.cut_off);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Calls;
    use super::*;
    use crate::Side;

    fn call(side: &str, cost: Option<u64>) -> ServiceCall {
        let finish = cost.map_or("length", |_| "stop");
        let call = serde_json::json!({
            "side": side, "ply": 0, "input": 900, "cost": cost, "latency_us": 2_000, "tries": 1, "finish": finish,
        });
        serde_json::from_value(call).expect("a call")
    }

    #[test]
    fn what_is_unknown_of_one_call_is_unknown_of_all_and_what_is_known_is_added_up() {
        let list = vec![call("black", Some(7)), call("black", None), call("black", Some(4))];
        let calls = Calls {
            list,
            ledger: String::new(),
        };
        let [white, black] = calls.of_sides().expect("calls");
        assert_eq!((white, white.cost.whole()), (CallTotals::NONE, Some(0)));
        assert_eq!((black.calls, black.input.whole()), (3, Some(2700)));
        assert_eq!(
            (black.cost, black.cost.whole()),
            (PartialSum { sum: 11, untold: 1 }, None)
        );
        assert_eq!(black.output, PartialSum { sum: 0, untold: 3 });
        assert_eq!((white.cut_off, black.cut_off), (0, 1));
        assert_eq!(Calls::default().of_sides(), None);
    }

    /// A service may give any number: a log with it is not broken, and sums of many games do not overflow.
    #[test]
    fn no_sum_of_a_game_is_beyond_its_bound() {
        let calls = Calls {
            list: vec![call("white", Some(u64::MAX)), call("white", Some(1))],
            ledger: String::new(),
        };
        let asked = calls.of_sides().expect("calls")[Side::White.index()];
        assert_eq!(asked.cost.sum, MOST);
        assert!(asked.is_possible());
        let beyond = CallTotals {
            calls: MOST + 1,
            ..asked
        };
        assert!(!beyond.is_possible());
        let mut twice = asked;
        twice += asked;
        twice -= asked;
        assert_eq!(twice, asked);
    }
}
