//! What a player that is asked over the network asked: calls, tokens, cost, how long a service took.
//!
//! May not: know prices.

use swissmatch_game::Side;
use swissmatch_game::record::{Called, GameRecord, Told};
use swissmatch_stats::spread::Spread;

/// The calls of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// How many.
    pub count: u64,
    /// How often they were sent together.
    pub tries: u64,
    /// Those that gave no answer.
    pub failed: u64,
    /// Tokens of the prompts.
    pub input: Told,
    /// Of these, what the service still had.
    pub cached: Told,
    /// Tokens of the answers, reasoning included.
    pub output: Told,
    /// Of these, reasoning.
    pub reasoning: Told,
    /// In millionths of the unit of the prices.
    pub cost: Told,
    /// Until the first byte that says something, of each call that has one, in microseconds.
    pub first_byte: Spread,
    /// Until the end of each, in microseconds.
    pub latency: Spread,
}

impl Calls {
    /// Adds those of a side of a game.
    pub(super) fn add(&mut self, record: &GameRecord, side: Side) {
        let of_side = record.calls.list.iter().filter(|call| call.side == side);
        of_side.for_each(|call| self.add_one(call));
    }

    fn add_one(&mut self, call: &Called) {
        self.count += 1;
        self.tries = self.tries.saturating_add(call.tries.into());
        self.failed += u64::from(call.failed.is_some());
        self.input += Told::of(call.input);
        self.cached += Told::of(call.cached);
        self.output += Told::of(call.output);
        self.reasoning += Told::of(call.reasoning);
        self.cost += Told::of(call.cost);
        if let Some(first_byte) = call.first_byte_us {
            self.first_byte.add(first_byte);
        }
        self.latency.add(call.latency_us);
    }
}
