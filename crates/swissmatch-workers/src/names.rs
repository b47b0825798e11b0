//! Names at the server: of an event, a game, a class, a worker.
//!
//! May not: let two words have one name.

use swissmatch_game::record::GameId;

/// Digits of the hash of a log's first entry by which its event is known.
const MARK: usize = 16;
/// By what an event is known at the server.
pub(crate) fn mark_of(event: &str) -> String {
    event.chars().filter(char::is_ascii_alphanumeric).take(MARK).collect()
}

/// Where answers to a worker come: nobody else listens there.
pub(crate) fn inbox_of(worker: &str) -> String {
    format!("_I_{worker}")
}

/// A game in a subject, whose parts stand between dots.
pub(crate) fn named(game: GameId) -> String {
    game.to_string().replace('.', "-")
}

/// A word in a subject: what has no place there is written otherwise, so that two words stay two.
pub(crate) fn token(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let written = |c: char| match plain(c) {
        true => c.to_string(),
        false => format!("-{:x}-", u32::from(c)),
    };
    word.chars().map(written).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::token;

    #[test]
    fn two_words_stay_two_in_a_subject() {
        let words = [
            "AMD EPYC, 4 cores",
            "AMD EPYC. 4 cores",
            "AMD EPYC 4 cores",
            "a.b",
            "a>b",
            "a*b",
            "é",
            "a-20-b",
            "a b",
        ];
        let tokens: BTreeSet<String> = words.iter().map(|word| token(word)).collect();
        assert_eq!(tokens.len(), words.len());
        let is_plain = |token: &String| token.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        assert!(tokens.iter().all(is_plain), "{tokens:?}");
    }
}
