//! The columns of a record that engines fill by what they say of their moves.
//!
//! Everything in them is untrusted: numbers are of their kind, variations have the form of moves. May not: check a variation.

use serde::de::{SeqAccess, Visitor};
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::record::{GameRecord, OddInfo};
use super::uci::{self, Info};

/// Moves kept of one variation.
const KEPT_MOVES: usize = 60;
/// Fields kept of a game that are no numbers of their kind.
const KEPT_ODD: usize = 20;

/// A column of variations: moves in UCI notation separated by blanks, an entry a ply. Stored as a list of strings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variations {
    /// All of them, one after the other.
    text: String,
    /// Where each ends.
    ends: Vec<u32>,
}

impl Variations {
    /// The variation of this ply; empty where none was given.
    #[must_use]
    pub fn of(&self, ply: usize) -> &str {
        let end = |ply: usize| self.ends.get(ply).map(|end| *end as usize);
        match (ply.checked_sub(1).map_or(Some(0), end), end(ply)) {
            (Some(from), Some(to)) => &self.text[from..to],
            _ => "",
        }
    }

    /// Entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it has no entry.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds the entry of the next ply.
    pub fn push(&mut self, variation: &str) {
        self.text.push_str(variation);
        self.end();
    }

    fn end(&mut self) {
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    /// Adds the moves of what an engine said, an empty entry where they are none.
    fn push_said(&mut self, words: &[u8]) {
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
            list.serialize_element(self.of(ply))?;
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

impl GameRecord {
    /// Adds what was said of the move at `ply` to each column.
    pub(super) fn push_said(&mut self, ply: u32, info: &Info<'_>) {
        self.eval.push(info.eval);
        self.depth.push(info.depth);
        self.seldepth.push(info.seldepth);
        self.nodes.push(info.nodes);
        self.nps.push(info.nps);
        self.hashfull.push(info.hashfull);
        self.tbhits.push(info.tbhits);
        self.engine_time_ms.push(info.time_ms);
        self.pv.push_said(info.pv);
        if info.is_bound && info.eval.is_some() {
            self.eval_bounds.push(ply);
        }
        if let Some((field, said)) = info.odd.filter(|_| self.odd_info.len() < KEPT_ODD) {
            let (field, said) = (field.to_owned(), uci::kept(said));
            self.odd_info.push(OddInfo { ply, field, said });
        }
    }

    /// Empties the columns that have no value in the whole game.
    pub(super) fn drop_empty_columns(&mut self) {
        fn tidy<T>(column: &mut Vec<Option<T>>) {
            if column.iter().all(Option::is_none) {
                column.clear();
            }
        }
        tidy(&mut self.eval);
        tidy(&mut self.depth);
        tidy(&mut self.seldepth);
        tidy(&mut self.nodes);
        tidy(&mut self.nps);
        tidy(&mut self.hashfull);
        tidy(&mut self.tbhits);
        tidy(&mut self.engine_time_ms);
        tidy(&mut self.wakeup_us);
        if self.pv.text.is_empty() {
            self.pv = Variations::default();
        }
    }
}
