//! A web service that is asked once per move: with the same object as a command, and its answer is read in the same way.
//!
//! May not: know where the service is.

use serde_json::Value;
use swissmatch_broker::wire::Call;

use crate::call::{Calls, line};
use crate::program;
use crate::question::Question;
use crate::turn::{PlayerAnswer, Turn};
use crate::uci::AskedPlayer;

#[derive(Debug)]
pub struct Service {
    name: String,
    calls: Calls,
}

impl Service {
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            calls: Calls::default(),
        }
    }
}

impl AskedPlayer for Service {
    fn name(&self) -> &str {
        &self.name
    }

    fn question(&mut self, turn: &Turn<'_>) -> Result<String, String> {
        let Ok(Value::Object(body)) = serde_json::to_value(Question::new(turn)) else {
            unreachable!("a question is an object of plain data")
        };
        let number = self.calls.next();
        Ok(line(&Call::Move { number, body }))
    }

    fn answer(&mut self, turn: &Turn<'_>, line: &str) -> Option<PlayerAnswer> {
        let heard = self.calls.hear(line)?;
        Some(heard.map_or_else(PlayerAnswer::No, |reply| program::read(&reply.content, turn)))
    }
}
