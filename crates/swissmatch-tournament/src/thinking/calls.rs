//! The calls of a player that is asked over the network: tokens, cost, latency.
//!
//! May not: know prices.

use swissmatch_game::Side;
use swissmatch_game::record::{GameRecord, PartialSum, ServiceCall};
use swissmatch_stats::spread::Spread;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// The number of calls.
    pub count: u64,
    /// How often they were sent in total.
    pub tries: u64,
    /// Calls without an answer.
    pub failed: u64,
    /// Tokens of the prompts.
    pub input: PartialSum,
    /// Of these, tokens that the service had cached.
    pub cached: PartialSum,
    /// Tokens of the answers, including reasoning.
    pub output: PartialSum,
    /// Of these, tokens of reasoning.
    pub reasoning: PartialSum,
    /// In millionths of the unit of the prices.
    pub cost: PartialSum,
    /// Microseconds until the first byte with content, for each call that has one.
    pub first_byte: Spread,
    /// Microseconds until the end of each call.
    pub latency: Spread,
}

impl Calls {
    /// Adds the calls of one side of a game.
    pub(super) fn add(&mut self, record: &GameRecord, side: Side) {
        let of_side = record.calls.list.iter().filter(|call| call.side == side);
        of_side.for_each(|call| self.add_one(call));
    }

    fn add_one(&mut self, call: &ServiceCall) {
        self.count += 1;
        self.tries = self.tries.saturating_add(call.tries.into());
        self.failed += u64::from(call.failed.is_some());
        self.input += PartialSum::of(call.input);
        self.cached += PartialSum::of(call.cached);
        self.output += PartialSum::of(call.output);
        self.reasoning += PartialSum::of(call.reasoning);
        self.cost += PartialSum::of(call.cost);
        if let Some(first_byte) = call.first_byte_us {
            self.first_byte.add(first_byte);
        }
        self.latency.add(call.latency_us);
    }
}
