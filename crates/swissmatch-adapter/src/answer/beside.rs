//! A model's words beside its move: its rationale, for people.
//!
//! May not: look for a move in it, or take reasoning for it.

use swiss_system::text::{harmless, shortened};

use swissmatch_game::record::LONGEST_RATIONALE;

use super::{MovePlace, Reading, final_answer, reasoning};

impl Reading {
    /// The words beside the move in the content of a reply, in one harmless line; `None` if there are none.
    pub fn beside(&self, content: &str) -> Option<String> {
        let text = reasoning::without(content);
        let text = match self.place {
            MovePlace::Tag => self.without_tags(&text),
            MovePlace::Object => self.other_texts(&text),
            MovePlace::FinalAnswer => final_answer::without(&text, self.mark(), self.take),
        };
        // Line ends do no harm here, and words stay apart.
        let words = text.split_whitespace().map(harmless);
        let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
        (!words.is_empty()).then(|| shortened(&words.join(" "), LONGEST_RATIONALE))
    }

    /// The text without any of its tags and their contents.
    fn without_tags(&self, text: &str) -> String {
        let (mut left, mut at) = (String::new(), 0);
        for tag in self.tags(text) {
            left += &text[at..tag.whole.start];
            at = tag.whole.end;
        }
        left + &text[at..]
    }

    /// The other texts of an object.
    fn other_texts(&self, text: &str) -> String {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text.trim()).unwrap_or_default();
        let others = object.iter().filter(|(name, _)| **name != self.tag);
        let texts: Vec<&str> = others.filter_map(|(_, value)| value.as_str()).collect();
        texts.join(" ")
    }
}
