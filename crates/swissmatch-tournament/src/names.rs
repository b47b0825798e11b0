//! Names that look the same to a reader. Published text is made harmless, so names that differ only in invisible
//! characters are printed alike, and letters of two scripts may look the same.
//!
//! May not: change a name. What is published is made harmless where it is written.

use std::collections::HashMap;

use swiss_system::text::{harmless, is_harmless};
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;

/// How two names have to differ, for messages.
pub const DIFFERENCE: &str =
    "names must differ in more than upper and lower case, invisible characters, and letters that look the same";

/// True if two names look the same to a reader.
pub fn are_alike(one: &str, other: &str) -> bool {
    let others = likenesses(other);
    likenesses(one).iter().any(|likeness| others.contains(likeness))
}

/// A note to put after a name in a message if `other` looks like it: the name with code points in place of what the
/// other does not have, so that the difference shows. Empty where the difference shows anyway.
pub fn told_from(name: &str, other: &str) -> String {
    let others = other.to_lowercase();
    let has = |c: char| c.is_ascii() || others.contains(&c.to_lowercase().to_string());
    if name.chars().all(has) {
        return String::new();
    }
    let told = |c: char| match has(c) {
        true => c.to_string(),
        false => c.escape_unicode().to_string(),
    };
    format!(" ({})", name.chars().map(told).collect::<String>())
}

/// True if anything in the name is visible.
pub fn is_seen(name: &str) -> bool {
    name.chars().any(|c| !c.is_whitespace() && is_harmless(c))
}

/// Names that are taken, each with a value.
#[derive(Clone, Debug)]
pub struct TakenNames<T>(HashMap<String, T>);

impl<T: Copy> TakenNames<T> {
    pub fn new() -> Self {
        Self(HashMap::new())
    }

    /// Takes a name, unless one that looks like it is taken.
    ///
    /// # Errors
    /// The value of the name that looks like it.
    pub fn take(&mut self, name: &str, known: T) -> Result<(), T> {
        let likenesses = likenesses(name);
        if let Some(taken) = self.known(&likenesses) {
            return Err(taken);
        }
        self.0.extend(likenesses.map(|likeness| (likeness, known)));
        Ok(())
    }

    /// The value of a taken name that looks like this one.
    pub fn like(&self, name: &str) -> Option<T> {
        self.known(&likenesses(name))
    }

    fn known(&self, likenesses: &[String]) -> Option<T> {
        likenesses.iter().find_map(|likeness| self.0.get(likeness)).copied()
    }
}

impl<T: Copy> Default for TakenNames<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A name without case, invisible characters and lookalikes. Capitals and small letters have different lookalikes, so
/// both orders of the two steps are needed.
fn likenesses(name: &str) -> [String; 2] {
    let name: String = harmless(name).nfkc().collect();
    let seen = |text: &str| text.chars().map(looks).collect::<String>();
    let small_first = seen(&small(&name));
    let lookalikes_first = small(&seen(&name));
    [small_first, lookalikes_first].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The text in small letters, with one spelling where a letter has several, such as `ss` for both the sharp s and its
/// capital.
fn small(text: &str) -> String {
    let capitals = text.chars().flat_map(char::to_uppercase);
    capitals.flat_map(char::to_lowercase).nfkc().collect()
}

/// The character that a letter looks like, by the table of Unicode (UTS 39). ASCII stays as it is: `modern` is not
/// meant to be `modem`.
fn looks(c: char) -> String {
    match c.is_ascii() {
        true => c.to_string(),
        false => skeleton(c.encode_utf8(&mut [0; 4])).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_printed_alike_are_one() {
        let alike = [
            ("Alpha", "ALPHA"),
            // A zero-width space, a soft hyphen, a joiner, a variation selector, a tag, a direction mark.
            ("Alpha", "Al\u{200b}pha"),
            ("Alpha", "Al\u{ad}pha"),
            ("Alpha", "Alpha\u{200d}"),
            ("Alpha", "Alpha\u{fe0f}"),
            ("Alpha", "Alpha\u{e0061}"),
            ("Alpha", "\u{202e}alPHA"),
            // A ligature, wide letters, two ways to write an accent, a no-break space, two spaces.
            ("Stockfish", "Stock\u{fb01}sh"),
            ("Alpha", "\u{ff21}\u{ff4c}\u{ff50}\u{ff48}\u{ff41}"),
            ("Andr\u{e9}", "Andre\u{301}"),
            ("Alpha 2", "alpha\u{a0}2"),
            ("Alpha 2", "Alpha  2"),
            // Sharp s, final sigma; Cyrillic a, Greek capital alpha, Cyrillic capital en.
            ("Stra\u{df}e", "STRASSE"),
            ("\u{3c3}\u{3c2}", "\u{3a3}\u{3a3}"),
            ("Alpha", "\u{410}lpha"),
            ("Alpha", "Alph\u{430}"),
            ("Alpha", "\u{391}lpha"),
            ("Hydra", "\u{41d}ydra"),
            ("\u{41d}\u{435}\u{432}\u{430}", "\u{41d}\u{415}\u{412}\u{410}"),
        ];
        for (one, other) in alike {
            assert!(are_alike(one, other), "{one:?} {other:?}");
            let mut taken = TakenNames::new();
            assert_eq!(taken.take(one, 1), Ok(()));
            assert_eq!(taken.take(other, 2), Err(1), "{one:?} {other:?}");
        }
    }

    #[test]
    fn names_that_a_reader_tells_apart_are_two() {
        let apart = [
            ("Alpha", "Alpha 2"),
            ("modern", "modem"),
            ("Alpha I", "Alpha l"),
            ("Alpha 1", "Alpha l"),
            ("Net 10", "Net 1O"),
            ("Andre", "Andr\u{e9}"),
            ("Alpha", "Al pha"),
            ("\u{1f40d}", "\u{1f422}"),
        ];
        for (one, other) in apart {
            assert!(!are_alike(one, other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_is_not_seen_is_told_in_code_points() {
        assert_eq!(told_from("\u{410}lpha", "Alpha"), " (\\u{410}lpha)");
        assert_eq!(told_from("Alpha\u{a0}2", "Alpha 2"), " (Alpha\\u{a0}2)");
        assert_eq!(told_from("ALPHA", "Alpha"), "");
        assert_eq!(told_from("\u{c4}pfel", "\u{e4}PFEL"), "");
    }

    #[test]
    fn what_looks_like_nothing_is_not_harmless() {
        let mut unseen = (char::MIN..=char::MAX).filter(|&c| looks(c).is_empty());
        assert_eq!(unseen.find(|&c| is_harmless(c)), None);
    }

    #[test]
    fn a_name_of_nothing_is_not_seen() {
        for name in ["\u{200b}", "\u{3164}", "\u{ad}\u{2060}", " "] {
            assert!(!is_seen(name), "{name:?}");
        }
        assert!(is_seen("a\u{200b}"));
    }
}
