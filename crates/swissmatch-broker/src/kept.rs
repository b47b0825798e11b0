//! The texts of a call that are kept for judging it again: the prompt and the answer of a model, as a line of JSON.
//!
//! Every character of a line is harmless: JSON writes others as `\u202e`, so that they still read as what was said.
//! May not: have a key, grow without bound, know a rule of chess.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use swiss_system::text::is_harmless;

use super::wire::Reply;

/// The most bytes of each text; of a longer one its beginning is kept.
pub const LONGEST: usize = 64 << 10;

/// The texts of the last try of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// The body of the call as it was sent; if it was too long, a text with its beginning.
    pub asked: Value,
    /// The answer so far, even if it failed.
    #[serde(flatten)]
    pub reply: Reply,
    /// The names of those texts of which only the beginning is there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<String>,
}

impl Texts {
    /// The texts of a call with this body.
    pub fn new(body: &[u8], reply: Reply) -> Self {
        let mut cut = Vec::new();
        let mut shorten = |name: &str, text: String| {
            if text.len() <= LONGEST {
                return text;
            }
            cut.push(name.to_owned());
            text[..text.floor_char_boundary(LONGEST)].to_owned()
        };
        let asked = match serde_json::from_slice(body) {
            Ok(asked) if body.len() <= LONGEST => asked,
            _ => shorten("asked", String::from_utf8_lossy(body).into_owned()).into(),
        };
        let reply = Reply {
            content: shorten("content", reply.content),
            reasoning: reply.reasoning.map(|text| shorten("reasoning", text)),
            finish: shorten("finish", reply.finish),
            refusal: reply.refusal.map(|text| shorten("refusal", text)),
        };
        Self { asked, reply, cut }
    }

    /// True if only the beginning of a text is there.
    pub fn is_cut(&self, name: &str) -> bool {
        self.cut.iter().any(|cut| cut == name)
    }

    /// The last message to the model, as far as it is there.
    pub fn prompt(&self) -> Option<&str> {
        let message = self
            .asked
            .get("messages")
            .and_then(|messages| messages.as_array()?.last());
        let said = message.and_then(|message| message.get("content"));
        said.or_else(|| self.asked.get("prompt"))
            .unwrap_or(&self.asked)
            .as_str()
    }
}

/// A call of a game that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptCall {
    /// The ply of the game, from 0, for which it asked.
    pub ply: u32,
    /// The number of the attempt at that ply, from 1.
    pub attempt: u32,
    /// A word for whose failure it was that there was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// Why there was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    #[serde(flatten)]
    pub texts: Texts,
}

impl KeptCall {
    /// The call as a line, without its end.
    ///
    /// # Panics
    /// Never: all of it can be written.
    pub fn line(&self) -> String {
        let json = serde_json::to_string(self).expect("plain data");
        let mut line = String::with_capacity(json.len());
        for sign in json.chars() {
            match is_harmless(sign) {
                true => line.push(sign),
                // Only strings have such characters.
                false => line.extend(
                    sign.encode_utf16(&mut [0; 2])
                        .iter()
                        .map(|unit| format!("\\u{unit:04x}")),
                ),
            }
        }
        line
    }

    /// Reads a line; `None` if it is not a kept call.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use swiss_system::text::escaped;

    use super::*;

    fn kept(content: &str) -> KeptCall {
        let body = json!({"model": "m", "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Move."}]});
        let reply = Reply {
            content: content.to_owned(),
            finish: "stop".to_owned(),
            ..Reply::default()
        };
        KeptCall {
            ply: 3,
            attempt: 2,
            failed: None,
            why: None,
            texts: Texts::new(body.to_string().as_bytes(), reply),
        }
    }

    #[test]
    fn a_line_is_harmless_and_reads_as_what_was_said() {
        let said = "a\u{1b}[31m \"b\"\\\n\u{202e}é\u{e0061}{}";
        let line = kept(said).line();
        assert_eq!(escaped(&line), line);
        assert!(!line.contains('\n'), "{line}");
        assert_eq!(KeptCall::read(&line), Some(kept(said)));
        assert_eq!(kept(said).texts.prompt(), Some("Move."));
        for other in ["", "{}", "ply", "{\"ply\":-1,\"attempt\":1,\"asked\":null}"] {
            assert_eq!(KeptCall::read(other), None, "{other}");
        }
    }

    #[test]
    fn of_what_is_long_the_beginning_is_kept() {
        let long = "é".repeat(LONGEST);
        let body = json!({ "prompt": long }).to_string();
        let reply = Reply {
            content: "e2e4".to_owned(),
            reasoning: Some(long.clone()),
            ..Reply::default()
        };
        let texts = Texts::new(body.as_bytes(), reply);
        assert_eq!(texts.cut, ["asked", "reasoning"]);
        assert!(texts.is_cut("reasoning") && !texts.is_cut("content"));
        assert_eq!(texts.reply.reasoning.as_deref(), Some(&long[..LONGEST]));
        assert!(
            texts
                .prompt()
                .is_some_and(|begun| body.starts_with(begun) && begun.len() == LONGEST - 1)
        );
        assert_eq!(texts.reply.content, "e2e4");
    }
}
