//! The variations that engines expected, as a record keeps them: words that look like moves.
//!
//! May not: check a variation.

use serde::de::{SeqAccess, Visitor};
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::uci;

/// The most moves that are kept of one variation.
const KEPT_MOVES: usize = 60;

/// A column of variations, one entry per ply: moves in UCI notation separated by blanks. Stored as a list of strings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variations {
    /// All variations, one after the other.
    text: String,
    /// Where each variation ends in `text`.
    ends: Vec<u32>,
}

impl Variations {
    /// The variation of this ply; empty if none was given.
    pub fn of_ply(&self, ply: usize) -> &str {
        let end = |ply: usize| self.ends.get(ply).map(|end| *end as usize);
        match (ply.checked_sub(1).map_or(Some(0), end), end(ply)) {
            (Some(from), Some(to)) => &self.text[from..to],
            _ => "",
        }
    }

    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn push(&mut self, variation: &str) {
        self.text.push_str(variation);
        self.end();
    }

    fn end(&mut self) {
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    pub(super) const fn are_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds the moves that an engine gave; an entry that holds anything else is left empty.
    #[inline]
    pub(super) fn push_said(&mut self, words: &[u8]) {
        for (number, word) in uci::variation(words).take(KEPT_MOVES).enumerate() {
            if number > 0 {
                self.text.push(' ');
            }
            let chars = word.iter().filter(|byte| **byte != b' ').map(|byte| char::from(*byte));
            self.text.extend(chars);
        }
        self.end();
    }
}

impl Serialize for Variations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for ply in 0..self.len() {
            list.serialize_element(self.of_ply(ply))?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Variations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Variations;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of variations")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Variations, A::Error> {
                let mut column = Variations::default();
                while let Some(variation) = list.next_element::<std::borrow::Cow<'_, str>>()? {
                    column.push(&variation);
                }
                Ok(column)
            }
        }
        deserializer.deserialize_seq(List)
    }
}
