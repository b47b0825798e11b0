//! Answers of a service, whole or streamed.

use serde::Deserialize;
use serde_json::Value;

use super::grade::{self, Fault};
use super::money::{Micros, Tokens};
use super::wire::{Failure, Reply};

/// The most bytes of an answer's texts.
pub(crate) const LONGEST: usize = 32 << 20;

/// The usage that a service reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt, including those from the cache.
    pub input: Tokens,
    /// Those of the prompt that the service had cached.
    pub cached: Tokens,
    /// Tokens of the answer, reasoning included.
    pub output: Tokens,
    /// Those of the answer that were reasoning.
    pub reasoning: Tokens,
    /// The cost by the service's own account, in its own unit.
    pub cost: Option<Micros>,
}

/// An answer as it is put together.
#[derive(Debug, Default)]
pub(crate) struct ModelAnswer {
    pub(crate) content: String,
    pub(crate) reasoning: String,
    pub(crate) refusal: String,
    pub(crate) finish: Option<String>,
    pub(crate) usage: Option<Usage>,
    pub(crate) model: Option<String>,
    pub(crate) fingerprint: Option<String>,
    pub(crate) id: Option<String>,
    is_done: bool,
    has_choice: bool,
    has_tool_call: bool,
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    usage: Option<Value>,
    model: Option<String>,
    system_fingerprint: Option<String>,
    id: Option<String>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: u64,
    #[serde(alias = "delta")]
    message: Option<ChoiceMessage>,
    text: Option<String>,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct ChoiceMessage {
    content: Option<MessageContent>,
    reasoning: Option<String>,
    reasoning_content: Option<String>,
    refusal: Option<String>,
    tool_calls: Option<Value>,
    function_call: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum MessageContent {
    Text(String),
    Parts(Vec<Value>),
}

impl ModelAnswer {
    /// Adds a whole answer, or an event of a stream.
    pub(crate) fn take(&mut self, data: &[u8]) -> Result<(), Fault> {
        if data == b"[DONE]" {
            self.is_done = true;
            return Ok(());
        }
        let garbage = |error: serde_json::Error| {
            let is_page = data.trim_ascii_start().starts_with(b"<");
            let what = if is_page {
                "a page of HTML".to_owned()
            } else {
                format!("no JSON that it should be: {error}")
            };
            Fault::transport(format!("what the service answered is {what}"))
        };
        let value: Value = serde_json::from_slice(data).map_err(garbage)?;
        if let Some(fault) = grade::of_answer(&value) {
            return Err(fault);
        }
        let chunk: Chunk = serde_json::from_value(value).map_err(garbage)?;
        // Usage comes with the last choice, or after it, or grows with each.
        if let Some(usage) = chunk.usage.as_ref().and_then(usage) {
            self.usage = Some(usage);
        }
        let keep =
            |kept: &mut Option<String>, new: Option<String>| *kept = new.filter(|new| !new.is_empty()).or(kept.take());
        keep(&mut self.model, chunk.model);
        keep(&mut self.fingerprint, chunk.system_fingerprint);
        keep(&mut self.id, chunk.id);
        for choice in chunk.choices.into_iter().flatten().filter(|choice| choice.index == 0) {
            self.has_choice = true;
            keep(&mut self.finish, choice.finish_reason);
            self.content += &choice.text.unwrap_or_default();
            let part = choice.message.unwrap_or_default();
            match part.content {
                Some(MessageContent::Text(text)) => self.content += &text,
                Some(MessageContent::Parts(parts)) => {
                    let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
                    self.content.extend(texts);
                }
                None => {}
            }
            self.reasoning += &part.reasoning.or(part.reasoning_content).unwrap_or_default();
            self.refusal += &part.refusal.unwrap_or_default();
            let is_call = |value: &Value| !value.is_null() && value.as_array().is_none_or(|calls| !calls.is_empty());
            self.has_tool_call |= [part.tool_calls, part.function_call].iter().flatten().any(is_call);
        }
        if self.content.len() + self.reasoning.len() + self.refusal.len() > LONGEST {
            return Err(Fault::new(Failure::Truncated, "the answer is longer than any may be"));
        }
        Ok(())
    }

    /// True if nothing more comes.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }

    /// The answer at the end of a stream.
    pub(crate) fn end(&self) -> Result<Reply, Fault> {
        if self.finish.is_none() && !self.is_done {
            return Err(Fault::transport("the stream was cut: it ended without a finish reason"));
        }
        self.whole()
    }

    /// The answer when everything has come.
    pub(crate) fn whole(&self) -> Result<Reply, Fault> {
        if !self.has_choice {
            return Err(Fault::transport("the service answered without any choice"));
        }
        let finish = self.finish.clone().unwrap_or_default();
        let is_filtered = finish == "content_filter";
        if self.content.trim().is_empty() {
            return Err(match () {
                () if is_filtered || !self.refusal.is_empty() => {
                    Fault::new(Failure::Refused, format!("the model refused: {}", self.refusal))
                }
                () if self.has_tool_call => Fault::new(Failure::Empty, "the model called a tool, and there is none"),
                () if finish == "length" => Fault::new(
                    Failure::Truncated,
                    "the model had said nothing when its tokens were used up",
                ),
                () => Fault::new(Failure::Empty, "the model said nothing"),
            });
        }
        if is_filtered {
            return Err(Fault::new(
                Failure::Refused,
                "the service cut the answer off by its filter",
            ));
        }
        let some = |text: &String| (!text.is_empty()).then(|| text.clone());
        Ok(Reply {
            content: self.content.clone(),
            reasoning: some(&self.reasoning),
            finish,
            refusal: some(&self.refusal),
        })
    }
}

fn usage(value: &Value) -> Option<Usage> {
    let number = |value: &Value, paths: &[&str]| {
        let found = paths
            .iter()
            .find_map(|path| value.pointer(path).and_then(Value::as_u64));
        found.map(Tokens)
    };
    let cost = value
        .get("cost")
        .and_then(Value::as_f64)
        .filter(|cost| cost.is_finite() && *cost >= 0.0);
    Some(Usage {
        input: number(value, &["/prompt_tokens", "/input_tokens"])?,
        cached: number(
            value,
            &["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"],
        )
        .unwrap_or_default(),
        output: number(value, &["/completion_tokens", "/output_tokens"])?,
        reasoning: number(value, &["/completion_tokens_details/reasoning_tokens"]).unwrap_or_default(),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is finite and not below zero"
        )]
        cost: cost.map(|cost| Micros((cost * 1e6).ceil() as u64)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> (ModelAnswer, Result<Reply, Failure>) {
        let mut answer = ModelAnswer::default();
        let ended = answer.take(text.as_bytes()).and_then(|()| answer.whole());
        (answer, ended.map_err(|fault| fault.whose))
    }

    #[test]
    fn answers_of_all_shapes_are_read() {
        let (answer, reply) = whole(
            r#"{"id":"c1","model":"m-1","system_fingerprint":"fp","choices":[{"index":0,"finish_reason":"stop","message":
            {"role":"assistant","content":[{"type":"text","text":"e2"},{"type":"text","text":"e4"}],"reasoning_content":"hm"}}],
            "usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":3},
            "completion_tokens_details":{"reasoning_tokens":2},"cost":0.0000015}}"#,
        );
        let reply = reply.expect("a reply");
        assert_eq!(
            (
                reply.content.as_str(),
                reply.reasoning.as_deref(),
                reply.finish.as_str()
            ),
            ("e2e4", Some("hm"), "stop")
        );
        let usage = answer.usage.expect("usage");
        assert_eq!(
            (usage.input.0, usage.cached.0, usage.output.0, usage.reasoning.0),
            (9, 3, 4, 2)
        );
        assert_eq!(usage.cost, Some(Micros(2)));
        assert_eq!(
            (
                answer.model.as_deref(),
                answer.fingerprint.as_deref(),
                answer.id.as_deref()
            ),
            (Some("m-1"), Some("fp"), Some("c1"))
        );
        let (_, reply) = whole(r#"{"choices":[{"text":"d4","finish_reason":"length"}]}"#);
        assert_eq!(reply.expect("a reply").finish, "length");
    }

    #[test]
    fn what_is_no_answer_is_somebodys_failure() {
        let choice = |message: &str, finish: &str| {
            let text = format!(r#"{{"choices":[{{"message":{message},"finish_reason":"{finish}"}}]}}"#);
            whole(&text).1.expect_err("no reply")
        };
        assert_eq!(choice(r#"{"content":null}"#, "stop"), Failure::Empty);
        assert_eq!(choice(r#"{"content":" \n"}"#, "length"), Failure::Truncated);
        assert_eq!(
            choice(r#"{"content":"","refusal":"I cannot"}"#, "stop"),
            Failure::Refused
        );
        assert_eq!(choice(r#"{"content":"e2"}"#, "content_filter"), Failure::Refused);
        assert_eq!(
            choice(r#"{"content":null,"tool_calls":[{"id":"a"}]}"#, "tool_calls"),
            Failure::Empty
        );
        for text in [
            r#"{"choices":[]}"#,
            "{}",
            "[]",
            "<html>",
            "{\"choices\":",
            r#"{"error":{"message":"x"}}"#,
        ] {
            assert_eq!(whole(text).1, Err(Failure::Transport), "{text}");
        }
    }

    #[test]
    fn a_stream_is_whole_only_with_its_end() {
        let mut answer = ModelAnswer::default();
        let take = |answer: &mut ModelAnswer, text: &str| answer.take(text.as_bytes()).expect("a chunk");
        take(
            &mut answer,
            r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}]}"#,
        );
        take(&mut answer, r#"{"choices":[{"index":0,"delta":{"reasoning":"hm"}}]}"#);
        take(&mut answer, r#"{"choices":[{"index":0,"delta":{"content":"e2"}}]}"#);
        assert_eq!(answer.end().map_err(|fault| fault.whose), Err(Failure::Transport));
        take(
            &mut answer,
            r#"{"choices":[{"index":0,"delta":{"content":"e4"},"finish_reason":"stop"}]}"#,
        );
        take(
            &mut answer,
            r#"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
        );
        let reply = answer.end().expect("whole");
        assert_eq!(
            (reply.content.as_str(), reply.reasoning.as_deref()),
            ("e2e4", Some("hm"))
        );
        assert_eq!(answer.usage.map(|usage| usage.output), Some(Tokens(2)));
        assert!(!answer.is_done());
        take(&mut answer, "[DONE]");
        assert!(answer.is_done());
    }
}
