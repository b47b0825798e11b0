//! Reads the move in a language model's answer: only at the place that the event's rules name. Prose is never searched for a move.
//!
//! May not: guess.

mod beside;
mod final_answer;
mod reasoning;
#[cfg(test)]
mod tests;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use shakmaty::san::{San, SanError};
use swiss_system::word::words;
pub use swissmatch_broker::manner::{Notation, Take};
use swissmatch_broker::wire::Reply;

use swissmatch_game::uci::RESIGN;

use crate::position::UciPosition;
pub use crate::turn::PlayerAnswer;
use crate::turn::{AttemptFailure, Failure};

/// The place of the move in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovePlace {
    /// In a tag, `<TAG>e2e4</TAG>`.
    Tag,
    /// In a JSON object, `{"TAG": "e2e4"}`, as calls with `response_format` have it.
    Object,
    /// After `Final Answer:`, as in the harness of Kaggle's Game Arena, or after another text that ends in a colon.
    FinalAnswer,
}

words!(MovePlace {
    Tag => "tag",
    Object => "object",
    FinalAnswer => "final-answer",
});

/// How answers are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    pub place: MovePlace,
    /// The tag, or the property of an object; if it ends in a colon, it is the text before the move.
    pub tag: String,
    /// The tag or text that counts, if there are several.
    pub take: Take,
    /// The notation of the move.
    pub notation: Notation,
    /// True if a move within the reasoning counts, too.
    pub in_reasoning: bool,
    /// True if `resign` in place of a move gives up.
    pub resign: bool,
}

/// The place of a tag in a text.
struct Tag {
    whole: Range<usize>,
    inside: Range<usize>,
}

impl Reading {
    /// The answer in a model's reply.
    pub fn of_reply(&self, reply: &Reply, placed: &UciPosition) -> PlayerAnswer {
        let no = |failure| PlayerAnswer::No(AttemptFailure::without_answer(failure));
        if reply.refusal.as_ref().is_some_and(|refusal| !refusal.is_empty()) {
            return no(Failure::Refused);
        }
        match self.read(&reply.content, reply.reasoning.as_deref(), placed) {
            // A move that is complete before the limit counts; what the limit cut off is not counted against the
            // model as another failure.
            PlayerAnswer::No(_) if reply.finish == "length" => no(Failure::Truncated),
            answer => answer,
        }
    }

    /// The answer in the content of a reply, with the reasoning that came beside it.
    fn read(&self, content: &str, reasoning: Option<&str>, placed: &UciPosition) -> PlayerAnswer {
        let no = |failure| PlayerAnswer::No(AttemptFailure::without_answer(failure));
        let text = match (self.in_reasoning, reasoning) {
            (true, Some(reasoning)) => format!("{reasoning}\n{content}"),
            (true, None) => content.to_owned(),
            (false, _) => reasoning::without(content),
        };
        if text.trim().is_empty() {
            return no(Failure::Empty);
        }
        let word = match self.place {
            MovePlace::Tag => self.in_tag(&text),
            MovePlace::Object => self.in_object(&text),
            MovePlace::FinalAnswer => final_answer::read(&text, self.mark(), self.take),
        };
        match word {
            Some(word) if word.is_empty() => no(Failure::Empty),
            Some(word) => self.judged(&word, placed),
            None => no(Failure::Unparsable),
        }
    }

    /// The text after which the move stands.
    fn mark(&self) -> &str {
        match self.tag.ends_with(':') {
            true => &self.tag,
            false => final_answer::USUAL,
        }
    }

    /// The content of the tag that counts, in any case of its letters.
    fn in_tag(&self, text: &str) -> Option<String> {
        let found: Vec<&str> = self.tags(text).into_iter().map(|tag| text[tag.inside].trim()).collect();
        let one = match (self.take, found.as_slice()) {
            (Take::Only, [only]) => only,
            (Take::First, [first, ..]) => first,
            (Take::Last, [.., last]) => last,
            _ => return None,
        };
        Some((*one).to_owned())
    }

    /// The places of the tags in a text, in any case of their letters.
    fn tags(&self, text: &str) -> Vec<Tag> {
        // Only ASCII changes its case, so that places stay the same.
        let lower = text.to_ascii_lowercase();
        let [begin, end] = ["<", "</"].map(|mark| format!("{mark}{}>", self.tag.to_ascii_lowercase()));
        let mut tags = Vec::new();
        let mut at = 0;
        while let Some(begun) = lower[at..].find(&begin).map(|begun| at + begun) {
            let from = begun + begin.len();
            let Some(to) = lower[from..].find(&end).map(|to| from + to) else {
                break;
            };
            at = to + end.len();
            tags.push(Tag {
                whole: begun..at,
                inside: from..to,
            });
        }
        tags
    }

    fn in_object(&self, text: &str) -> Option<String> {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text.trim()).ok()?;
        Some(object.get(&self.tag)?.as_str()?.trim().to_owned())
    }

    /// Judges the word at the place of the move.
    fn judged(&self, word: &str, placed: &UciPosition) -> PlayerAnswer {
        if self.resign && word.eq_ignore_ascii_case(RESIGN) {
            return PlayerAnswer::Resign;
        }
        match self.notation {
            Notation::Uci => PlayerAnswer::of_move(word, placed),
            Notation::San => san(word, placed),
        }
    }
}

/// A move in standard algebraic notation. One that fits several legal moves is none.
fn san(word: &str, placed: &UciPosition) -> PlayerAnswer {
    let no = |failure| PlayerAnswer::No(AttemptFailure::of_word(failure, word));
    // Castling may be written with zeros, too.
    let Ok(san) = San::from_ascii(word.replace('0', "O").trim_end_matches(['+', '#', '!', '?']).as_bytes()) else {
        return no(Failure::Unparsable);
    };
    match san.to_move(placed.board().position()) {
        Ok(legal) => PlayerAnswer::Move(placed.board().uci(legal).to_string()),
        Err(SanError::AmbiguousSan) => no(Failure::Unparsable),
        Err(SanError::IllegalSan) => no(Failure::Illegal),
    }
}
