//! The messages between adapter and broker: JSON objects, one per line, over one stream socket.
//!
//! An adapter makes one call at a time. `stop` hangs up; it has no answer of its own, but an answer that was on its
//! way may still come. Each answer carries the number of its call, so that none is taken for the next call's.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use swiss_system::word::words;

/// The most bytes of a line, including its end.
pub const LONGEST_LINE: usize = 4 << 20;

/// The speaker of a part of the dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Instructions for all of the dialogue.
    System,
    /// The side that asks.
    User,
    Assistant,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    pub role: Role,
    pub content: String,
}

/// A message of an adapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Call {
    Model {
        /// The number that the answer is to carry.
        #[serde(default)]
        number: u64,
        messages: Vec<Message>,
        /// The legal moves, which constrain the answer if the event says so.
        #[serde(default)]
        legal: Vec<String>,
    },
    Move {
        /// The number that the answer is to carry.
        #[serde(default)]
        number: u64,
        /// The body that is sent to it.
        body: Map<String, Value>,
    },
    /// Hang up: nobody waits for the answer.
    Stop,
}

/// A message of the broker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokerAnswer {
    #[serde(default)]
    pub number: u64,
    #[serde(flatten)]
    pub said: CallAnswer,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CallAnswer {
    /// There is an answer.
    Reply {
        /// The words of the model, or of the player's server.
        reply: Reply,
    },
    /// There is no answer.
    Failed {
        failed: Failure,
        /// Why, as a sentence for people.
        why: String,
    },
}

/// The words of a model, or of a player's server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub content: String,
    /// The model's reasoning, if it is given separately.
    pub reasoning: Option<String>,
    /// Why it ended: `stop`, `length` or the service's word.
    pub finish: String,
    /// Why the model refuses to answer, if it says so.
    pub refusal: Option<String>,
}

/// Whose failure it is that there is no answer. *Illegal* and *unparsable* show only when an answer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The agent's: the model gave an empty answer.
    Empty,
    /// The agent's: the answer or the prompt was too long.
    Truncated,
    /// The agent's: the model, or the service's filter, refused.
    Refused,
    /// The agent's: not one byte within the limit, while the service answered others.
    Late,
    /// The service's.
    Transport,
    /// The organizer's: a key, an address, a quota, the spending.
    Configuration,
}

words!(Failure {
    Empty => "empty",
    Truncated => "truncated",
    Refused => "refused",
    Late => "late",
    Transport => "transport",
    Configuration => "configuration",
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written_down() {
        let call: Call =
            serde_json::from_str(r#"{"call":"model","messages":[{"role":"user","content":"Move."}],"legal":["e2e4"]}"#)
                .expect("a call");
        let Call::Model {
            number: 0,
            messages,
            legal,
        } = call
        else {
            panic!("{call:?}")
        };
        assert_eq!((messages[0].role, legal), (Role::User, vec!["e2e4".to_owned()]));
        assert_eq!(
            serde_json::from_str::<Call>(r#"{"call":"stop"}"#).expect("a call"),
            Call::Stop
        );
        assert!(serde_json::from_str::<Call>(r#"{"call":"model","messages":[],"max_tokens":9}"#).is_err());
        for line in [
            r#"{"number":3,"reply":{"content":"e2e4","reasoning":null,"finish":"stop","refusal":null}}"#,
            r#"{"number":4,"failed":"late","why":"no byte"}"#,
        ] {
            let answer: BrokerAnswer = serde_json::from_str(line).expect("an answer");
            assert_eq!(serde_json::to_string(&answer).expect("it is written"), line);
        }
    }
}
