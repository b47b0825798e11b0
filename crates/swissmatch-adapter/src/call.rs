//! Calls over the broker, one at a time and each with its number: the answer to a call that was stopped belongs to nobody.
//!
//! May not: name a key, an address or a parameter of a call: these are the broker's alone.

use swissmatch_broker::wire::{self, Call, CallAnswer, Reply};

use crate::turn::{AttemptFailure, Failure};

#[derive(Debug, Default)]
pub(crate) struct Calls {
    last: u64,
}

impl Calls {
    /// The number of the next call.
    pub(crate) const fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// The answer to the last call; `None` if the line answers an earlier one.
    pub(crate) fn hear(&self, line: &str) -> Option<Result<Reply, AttemptFailure>> {
        let (failure, why) = match serde_json::from_str(line) {
            Ok(wire::BrokerAnswer { number, .. }) if number != self.last => return None,
            Ok(wire::BrokerAnswer {
                said: CallAnswer::Reply { reply },
                ..
            }) => return Some(Ok(reply)),
            Ok(wire::BrokerAnswer {
                said: CallAnswer::Failed { failed, why },
                ..
            }) => (of_broker(failed), Some(why)),
            Err(_) => (Failure::Transport, None),
        };
        Some(Err(AttemptFailure {
            why,
            ..AttemptFailure::without_answer(failure)
        }))
    }
}

/// A call as a line, without its end.
///
/// # Panics
/// Never: all of it can be written.
pub(crate) fn line(call: &Call) -> String {
    serde_json::to_string(call).expect("plain data")
}

/// The line that stops the last call.
pub fn stop() -> String {
    line(&Call::Stop)
}

/// The broker's word alone counts.
const fn of_broker(failed: wire::Failure) -> Failure {
    match failed {
        wire::Failure::Empty => Failure::Empty,
        wire::Failure::Truncated => Failure::Truncated,
        wire::Failure::Refused => Failure::Refused,
        wire::Failure::Late => Failure::Late,
        wire::Failure::Transport => Failure::Transport,
        wire::Failure::Configuration => Failure::Configuration,
    }
}
