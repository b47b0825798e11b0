//! The openings of a suite, held once and compactly: as text, from which an opening is made when a game asks for it.
//!
//! May not: check anything; only what has been checked is put in.

use super::Opening;
use super::replay::CheckedOpening;
use crate::variant::Variant;

/// The most repeated openings that are named.
const NAMED: usize = 5;

/// Openings in the order of their suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningSuite {
    variant: Variant,
    /// For each opening, its name, FEN and moves; all but the last end with a tab, which none of them contains.
    text: String,
    /// Where each opening ends in `text`.
    ends: Vec<usize>,
    repeats: Repeats,
}

/// Openings that lead to a position to which an earlier one leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    pub count: usize,
    /// The first of them, in the order of the suite: the opening's line, and that of the earliest that leads to the
    /// same position.
    pub first: Vec<(usize, usize)>,
}

impl OpeningSuite {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The opening at an index, from 0.
    ///
    /// # Panics
    /// When the index is out of range.
    pub fn get(&self, index: usize) -> Opening {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut parts = self.text[begin..self.ends[index]].split('\t');
        let mut part = || parts.next().expect("three parts");
        let (name, fen, moves) = (part(), part(), part());
        Opening {
            name: name.to_owned(),
            fen: (!fen.is_empty()).then(|| fen.to_owned()),
            moves: moves
                .split(' ')
                .filter(|uci| !uci.is_empty())
                .map(|uci| uci.parse().expect("a move that was written here"))
                .collect(),
            variant: self.variant,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Opening> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }

    pub fn repeats(&self) -> &Repeats {
        &self.repeats
    }
}

/// A suite while it is being read.
#[derive(Debug)]
pub(super) struct Builder {
    suite: OpeningSuite,
    /// For each opening, the key of the position that it leads to, and its line.
    reached: Vec<(u64, usize)>,
}

impl Builder {
    pub(super) fn new(variant: Variant) -> Self {
        Self {
            suite: OpeningSuite {
                variant,
                ..OpeningSuite::default()
            },
            reached: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, checked: &CheckedOpening) {
        let Opening { fen, moves, name, .. } = &checked.opening;
        let text = &mut self.suite.text;
        text.push_str(name);
        text.push('\t');
        text.push_str(fen.as_deref().unwrap_or_default());
        text.push('\t');
        for (place, uci) in moves.iter().enumerate() {
            if place > 0 {
                text.push(' ');
            }
            text.push_str(&uci.to_string());
        }
        self.suite.ends.push(self.suite.text.len());
        self.reached.push((checked.reaches, checked.line));
    }

    pub(super) fn finish(mut self) -> OpeningSuite {
        // Sorted by position, then by line, so that the earliest stands first.
        self.reached.sort_unstable();
        let mut repeated = Vec::new();
        for same in self.reached.chunk_by(|one, other| one.0 == other.0) {
            repeated.extend(same[1..].iter().map(|later| (later.1, same[0].1)));
        }
        repeated.sort_unstable();
        let repeats = Repeats {
            count: repeated.len(),
            first: repeated.into_iter().take(NAMED).collect(),
        };
        self.suite.text.shrink_to_fit();
        OpeningSuite { repeats, ..self.suite }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SuiteFormat, parse_suite};
    use super::*;

    #[test]
    fn what_was_put_in_comes_out() {
        let text = "[Opening \"Ruy Lopez\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
            [FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 9\"]\n\n*\n\n1. e4 *\n";
        let suite = parse_suite(text.as_bytes(), SuiteFormat::Pgn, Variant::Standard, None).expect("legal");
        let said: Vec<_> = suite
            .iter()
            .map(|opening| (opening.name.clone(), opening.fen.clone(), opening.moves_text()))
            .collect();
        let said: Vec<_> = said
            .iter()
            .map(|(name, fen, moves)| (name.as_str(), fen.as_deref(), moves.as_str()))
            .collect();
        assert_eq!(
            said,
            [
                ("Ruy Lopez", None, "e2e4 e7e5 g1f3 b8c6 f1b5"),
                ("line 5", Some("4k3/8/8/8/8/8/8/R3K3 w Q - 0 9"), ""),
                ("line 9", None, "e2e4"),
            ]
        );
    }

    #[test]
    fn repeats_are_told_by_line() {
        let text = "1. e4 e5 2. Nf3 *\n\n1. d4 *\n\n1. Nf3 e5 2. e4 *\n\n1. d4 d5 *\n\n1. e4 e5 2. Nf3 *\n";
        let suite = parse_suite(text.as_bytes(), SuiteFormat::Pgn, Variant::Standard, None).expect("legal");
        let repeats = suite.repeats();
        assert_eq!((repeats.count, repeats.first.as_slice()), (2, &[(5, 1), (9, 1)][..]));
        // Counters are not part of a position.
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let text = format!("{board} 0 1\n{board} 4 9\n");
        let suite = parse_suite(text.as_bytes(), SuiteFormat::Fen, Variant::Standard, None).expect("legal");
        assert_eq!(suite.repeats().first, [(2, 1)]);
    }
}
