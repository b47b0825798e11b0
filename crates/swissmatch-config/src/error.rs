//! Errors in an event file, with their places.
//!
//! May not: read files; the text at fault comes from the caller.

use std::fmt;
use std::ops::Range;

use swiss_system::text::escaped;

/// A place in a text, counted as editors do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl TextPlace {
    /// The number, from 0, of the `[[player]]` that the place belongs to in this text of an event file; `None` before the first.
    pub fn player_of(self, text: &str) -> Option<usize> {
        let heads = text.lines().take(self.line).filter(|line| *line == "[[player]]");
        heads.count().checked_sub(1)
    }
}

/// One error in an event's configuration, with everything a person needs to mend it.
///
/// Shown as one line: `event.toml:12:5: swiss.ronds: unknown key; did you mean swiss.rounds?`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The source of the value: the event file as the user named it, `preset NAME`, or a flag such as `--concurrency`.
    pub file: String,
    /// The place in that file; `None` for flags, and for missing keys.
    pub place: Option<TextPlace>,
    /// The key, as `table.key`; empty if the text is no valid TOML.
    pub key: String,
    /// What is wrong and what was expected.
    pub message: String,
    /// The remedy: the nearest valid name, or what to write.
    pub help: Option<String>,
}

impl ConfigError {
    /// An error in words of a command line. `at` has the words in question; it is empty if the message names them.
    pub(super) fn of_words(at: String, message: String) -> Self {
        Self {
            file: at.trim_end_matches('=').to_owned(),
            place: None,
            key: String::new(),
            message,
            help: None,
        }
    }
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = self.file.clone();
        if let Some(place) = self.place {
            line += &format!(":{}:{}", place.line, place.column);
        }
        for part in [&self.key, &self.message] {
            if !part.is_empty() {
                line += if line.is_empty() { "" } else { ": " };
                line += part;
            }
        }
        if let Some(help) = &self.help {
            line += &format!("; {help}");
        }
        f.write_str(&escaped(&line))
    }
}

/// An error in one value, before its key is known.
#[derive(Debug)]
pub(super) struct InvalidValue {
    pub(super) what: What,
    pub(super) help: Option<String>,
    /// The bytes at fault, if not the whole value.
    pub(super) span: Option<Range<usize>>,
}

/// The two kinds of message.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// The text that was found in place of what the key expects.
    Found(String),
    /// A sentence of its own.
    Said(String),
}

impl InvalidValue {
    pub(super) fn found(found: String) -> Self {
        Self {
            what: What::Found(found),
            help: None,
            span: None,
        }
    }

    pub(super) fn said(message: String) -> Self {
        Self {
            what: What::Said(message),
            help: None,
            span: None,
        }
    }

    pub(super) fn help(self, help: String) -> Self {
        Self {
            help: Some(help),
            ..self
        }
    }

    pub(super) fn at(self, span: Option<Range<usize>>) -> Self {
        Self {
            span: self.span.or(span),
            ..self
        }
    }
}

/// Words of other programs and of daily use, each with the last part of the key that it means here.
const SYNONYMS: [(&str, &str); 16] = [
    ("arguments", "args"),
    ("book", "openings"),
    ("cmd", "command"),
    ("cwd", "directory"),
    ("elo", "rating"),
    ("engine", "command"),
    ("environment", "env"),
    ("executable", "command"),
    ("hash", "options"),
    ("path", "command"),
    ("program", "command"),
    ("proto", "command"),
    ("tc", "time_control"),
    ("threads", "options"),
    ("timecontrol", "time_control"),
    ("uci_options", "options"),
];

/// The candidate that a word of another program means: `player.elo` is `player.rating`. The table must be right, or left out.
pub(super) fn synonym<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let (table, written) = name.rsplit_once('.').unwrap_or(("", name));
    let written = written.to_lowercase().replace('-', "_");
    let (_, meant) = SYNONYMS.iter().find(|(word, _)| *word == written)?;
    let is_meant = |candidate: &&str| {
        let (of, key) = candidate.rsplit_once('.').unwrap_or(("", candidate));
        key == *meant && (table.is_empty() || of == table)
    };
    candidates.iter().copied().find(is_meant)
}

/// Longer written names are not compared with the valid ones.
const LONGEST_NAME: usize = 64;

/// The candidate that `name` most likely means; `None` if none is near.
pub fn nearest<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    if name.chars().count() > LONGEST_NAME {
        return None;
    }
    let plain = |text: &str| text.to_lowercase().replace('-', "_");
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let table = |path: &str| path.rsplit_once('.').map(|(table, _)| table.to_owned());
    let written = plain(name);
    let near = |a: &str, b: &str| {
        let (long, short) = (
            a.chars().count().max(b.chars().count()),
            a.chars().count().min(b.chars().count()),
        );
        // The distance is at least the difference of their lengths.
        let may_be_near = long - short <= long / 3;
        let distance = may_be_near.then(|| strsim::damerau_levenshtein(a, b))?;
        (distance <= long / 3).then_some(distance)
    };
    candidates
        .iter()
        .filter_map(|&candidate| {
            let valid = plain(candidate);
            let whole = near(&written, &valid);
            // The right key in the wrong table is a likelier slip than a far name in the right table, and so is a word
            // of a longer name: `seed` for `rng_seed`.
            let (key_written, key) = (last(&written), last(&valid));
            let alone = near(&key_written, &key).map(|distance| distance + 1);
            let a_word_of_it = key.split('_').any(|word| word == key_written).then_some(2);
            let by_key = alone.into_iter().chain(a_word_of_it).filter(|_| valid.contains('.'));
            // Sharing a word counts for less than all that: `no-bye-yet` for `fewest-byes`.
            let shares_a_word = written
                .split('_')
                .any(|word| valid.split('_').any(|other| near(word, other).is_some()));
            let by_word = (shares_a_word && !valid.contains('.')).then_some(LONGEST_NAME);
            let distance = whole.into_iter().chain(by_key).chain(by_word).min()?;
            Some((distance, candidate))
        })
        // Among equally near ones, the one in the table that was written.
        .min_by_key(|(distance, candidate)| (*distance, table(&plain(candidate)) != table(&written)))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_finds_slips_and_nothing_far() {
        let keys = ["swiss.rounds", "swiss.seeding", "game.attempts", "player"];
        let check = |name, expected| assert_eq!(nearest(name, &keys), expected, "{name}");
        check("swiss.ronds", Some("swiss.rounds"));
        check("rounds", Some("swiss.rounds"));
        check("event.rounds", Some("swiss.rounds"));
        check("Swiss.Rounds", Some("swiss.rounds"));
        check("players", Some("player"));
        check("game.attemps", Some("game.attempts"));
        check("game.colour_of_money", None);
        let seeds = ["event.rng_seed", "model.sampling_seed"];
        assert_eq!(nearest("model.seed", &seeds), Some("model.sampling_seed"));
        assert_eq!(nearest("event.seed", &seeds), Some("event.rng_seed"));
        check(&"x".repeat(100_000), None);
        let words = ["fewest-byes", "lowest-rating", "lowest-match-points"];
        assert_eq!(nearest("no-bye-yet", &words), Some("fewest-byes"));
        assert_eq!(nearest("rating", &words), Some("lowest-rating"));
    }

    #[test]
    fn messages_are_one_harmless_line() {
        let error = ConfigError {
            file: "a\n.toml".to_owned(),
            place: None,
            key: "\u{1b}[31m".to_owned(),
            message: "unknown key".to_owned(),
            help: None,
        };
        assert_eq!(error.to_string(), "a\\n.toml: \\u{1b}[31m: unknown key");
    }
}
