//! What adapter and broker say to each other: JSON objects, a line each, over one stream socket.
//!
//! An adapter makes one call at a time. `stop` hangs up; it has no answer of its own, but whatever answer was on its way is the last:
//! the next answer belongs to the next call, because each has the number of its call.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use swiss_system::word::words;

/// Most bytes of a line, its end included.
pub const LONGEST_LINE: usize = 4 << 20;

/// Who says a part of the dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// What holds for all of it.
    System,
    /// Whoever asks.
    User,
    /// The model.
    Assistant,
}

/// A part of the dialogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What.
    pub content: String,
}

/// What an adapter says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Call {
    /// Ask the model.
    Model {
        /// The number that the answer shall have.
        #[serde(default)]
        number: u64,
        /// The dialogue.
        messages: Vec<Message>,
        /// The legal moves, which constrain the answer where the event says so.
        #[serde(default)]
        legal: Vec<String>,
    },
    /// Ask the player's own server.
    Move {
        /// The number that the answer shall have.
        #[serde(default)]
        number: u64,
        /// What it is sent.
        body: Map<String, Value>,
    },
    /// Hang up: nobody waits for the answer.
    Stop,
}

/// What the broker says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokerAnswer {
    /// The number of the call.
    #[serde(default)]
    pub number: u64,
    /// The answer.
    #[serde(flatten)]
    pub said: CallAnswer,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CallAnswer {
    /// There is one.
    Reply {
        /// What was said.
        reply: Reply,
    },
    /// There is none.
    Failed {
        /// Whose failure it is.
        failed: Failure,
        /// Why, as a sentence for a person.
        why: String,
    },
}

/// What a model, or a player's server, said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The answer.
    pub content: String,
    /// What the model thought, where it says so apart.
    pub reasoning: Option<String>,
    /// Why it ended: `stop`, `length` or the service's word.
    pub finish: String,
    /// Why the model does not answer, where it says so.
    pub refusal: Option<String>,
}

/// Whose failure it is that there is no answer. *Illegal* and *unparsable* are seen only when an answer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The agent's: the model said nothing.
    Empty,
    /// The agent's: the answer or the prompt was longer than it may be.
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
