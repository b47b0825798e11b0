//! A command line cut into options, each word compared with the table; collects words that are refused, wrong or worth a note.
//!
//! May not: know the meaning of a word.

use std::ops::RangeInclusive;

use super::table::{self, How, OptionRow, Peers, Style};
use crate::error::nearest;
use crate::match_words::{Dialect, RefusedWords, limits};

/// An option with the words that follow it.
#[derive(Clone, Debug)]
pub(super) struct GivenOption<'a> {
    pub(super) option: &'a str,
    /// Only those that are honoured, once they are sifted.
    pub(super) values: Vec<&'a str>,
}

#[derive(Debug)]
pub(super) struct Reading<'a> {
    pub(super) dialect: Dialect,
    pub(super) given: Vec<GivenOption<'a>>,
    pub(super) refused: Vec<RefusedWords>,
    pub(super) wrong: Vec<RefusedWords>,
    pub(super) notes: Vec<String>,
    /// Whether fastchess would play the games in pairs.
    pub(super) has_pairs: bool,
    /// Whether the program itself has the name of the dialect.
    pub(super) is_called: bool,
}

impl<'a> Reading<'a> {
    /// Cuts the words into options and compares each with the table.
    pub(super) fn new(words: &'a [String], called: Option<Dialect>) -> Self {
        let mut reading = Self {
            dialect: called.unwrap_or(Dialect::Fastchess),
            given: Vec::new(),
            refused: Vec::new(),
            wrong: Vec::new(),
            notes: Vec::new(),
            has_pairs: true,
            is_called: called.is_some(),
        };
        let mut whose = Vec::new();
        for given in reading.split(words) {
            reading.sift(given, &mut whose);
        }
        let has = |peers| whose.contains(&peers);
        if called.is_none() && has(Peers::Cutechess) {
            match has(Peers::Fastchess) {
                false => reading.dialect = Dialect::Cutechess,
                true => reading.note(
                    "some of these options only fastchess has, others only cutechess-cli; all are read as fastchess has them",
                ),
            }
        }
        reading
    }

    fn split(&mut self, words: &'a [String]) -> Vec<GivenOption<'a>> {
        let mut split: Vec<GivenOption<'a>> = Vec::new();
        for word in words {
            match split.last_mut() {
                _ if is_option(word) => split.push(GivenOption {
                    option: word,
                    values: Vec::new(),
                }),
                Some(last) => last.values.push(word),
                None => self.wrong(
                    word,
                    "it belongs to no option",
                    "an option before it, such as `-engine`",
                ),
            }
        }
        split
    }

    /// Keeps the values that are honoured, and reports the others.
    fn sift(&mut self, mut given: GivenOption<'a>, whose: &mut Vec<Peers>) {
        let option = given.option;
        let Some(style) = table::style(option) else {
            let options: Vec<&str> = table::rows().map(|row| row.option).collect();
            let near = near(option, &options);
            self.wrong(option, "neither fastchess nor cutechess-cli has it", &near);
            return;
        };
        let count = given.values.len();
        let is_wrong = match style {
            Style::Bare => (count > 0).then_some("it takes no value"),
            Style::One => (count != 1).then_some("it takes one value"),
            Style::Words => None,
            Style::Pairs => {
                (count == 0 && !matches!(option, "-pgnout" | "-epdout")).then_some("it takes words KEY=VALUE")
            }
        };
        if let Some(why) = is_wrong {
            let instead = if style == Style::Bare {
                ""
            } else {
                "what it takes, or leave it out"
            };
            self.wrong(&typed(&given), why, instead);
            return;
        }
        if style != Style::Pairs {
            let whole = typed(&given);
            let Some(row) = table::of_option(option).next() else {
                return;
            };
            whose.push(peers_of(row, given.values.first().copied()));
            if self.refuses(row, &whole) {
                return;
            }
            self.given.push(given);
            return;
        }
        let values = std::mem::take(&mut given.values);
        for value in values {
            let whole = format!("{option} {value}");
            // Another limit of the moves makes up for it.
            if matches!(option, "-engine" | "-each") && limits::is_empty(value) {
                given.values.push(value);
                continue;
            }
            let Some(row) = row_of(option, value) else {
                let words: Vec<&str> = table::of_option(option).map(|row| row.key()).collect();
                let key = value.split_inclusive('=').next().unwrap_or_default();
                self.wrong(&whole, "it has no such word", &near(key, &words));
                continue;
            };
            whose.push(peers_of(row, Some(value)));
            if value.ends_with('=') && !value.starts_with("option.") {
                self.wrong(&whole, "nothing follows the `=`", "");
            } else if !self.refuses(row, &whole) {
                given.values.push(value);
            }
        }
        self.given.push(given);
    }

    fn refuses(&mut self, row: &OptionRow, words: &str) -> bool {
        let How::Refused(why, instead) = row.how else {
            return false;
        };
        self.refused.push(RefusedWords::new(words, why, instead));
        true
    }

    /// Refuses words by a case of the table.
    pub(super) fn refuse_case(&mut self, words: &str, option: &str, case: &str) {
        self.refuses(table::case_of(option, case), words);
    }

    /// Like [`Self::refuse_case`], but for words without which there is no match.
    pub(super) fn wrong_case(&mut self, words: &str, option: &str, case: &str) {
        if let How::Refused(why, instead) = table::case_of(option, case).how {
            self.wrong(words, why, instead);
        }
    }

    /// Refuses words of an engine by the row of that word.
    pub(super) fn refuse_word(&mut self, words: &str, option: &str, word: &str) {
        if let Some(row) = table::of_option(option).find(|row| row.key().trim_end_matches('=') == word) {
            self.refuses(row, words);
        }
    }

    /// Whether fastchess would have figures of pairs, and count pairs in a sequential test.
    pub(super) fn counts_pairs(&self) -> bool {
        let of_cutechess = match self.value("-output", "format") {
            Some(format) => format == "cutechess",
            None => self.has("-quick"),
        };
        let is_bayesian = self.value("-sprt", "model") == Some("bayesian");
        self.has_pairs && !of_cutechess && !is_bayesian && self.value("-report", "penta") != Some("false")
    }

    pub(super) fn wrong(&mut self, words: &str, why: impl Into<String>, instead: &str) {
        self.wrong.push(RefusedWords::new(words, why, instead));
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    pub(super) fn has(&self, option: &str) -> bool {
        self.given.iter().any(|given| given.option == option)
    }

    /// The value of an option that takes one; the last counts.
    pub(super) fn last(&self, option: &str) -> Option<&'a str> {
        let given = self.given.iter().rev().find(|given| given.option == option);
        given.and_then(|given| given.values.first().copied())
    }

    /// All words of an option, one after the other.
    pub(super) fn words(&self, option: &str) -> Vec<&'a str> {
        let given = self.given.iter().filter(|given| given.option == option);
        given.flat_map(|given| given.values.iter().copied()).collect()
    }

    /// The value of a word `KEY=VALUE`; the last counts.
    pub(super) fn value(&self, option: &str, key: &str) -> Option<&'a str> {
        let words = self.words(option);
        let values = words.iter().rev().filter_map(|word| word.split_once('='));
        values
            .into_iter()
            .find(|(name, _)| *name == key)
            .map(|(_, value)| value)
    }

    /// A whole number of an option; `None` if it is not given, or wrong, which is reported.
    pub(super) fn number(&mut self, option: &str, range: RangeInclusive<i64>) -> Option<i64> {
        let text = self.last(option)?;
        self.whole(&format!("{option} {text}"), text, range)
    }

    /// Like [`Self::number`], but of a word `KEY=VALUE`.
    pub(super) fn number_of(&mut self, option: &str, key: &str, range: RangeInclusive<i64>) -> Option<i64> {
        let text = self.value(option, key)?;
        self.whole(&format!("{option} {key}={text}"), text, range)
    }

    /// A whole number within the range; otherwise it is reported as wrong.
    pub(super) fn whole(&mut self, words: &str, text: &str, range: RangeInclusive<i64>) -> Option<i64> {
        let number = text.parse::<i64>().ok().filter(|number| range.contains(number));
        if number.is_none() {
            let why = format!("expected a whole number from {} to {}", range.start(), range.end());
            self.wrong(words, why, "");
        }
        number
    }

    /// `true` or `false` of a word `KEY=VALUE`.
    pub(super) fn switch(&mut self, option: &str, key: &str) -> Option<bool> {
        let text = self.value(option, key)?;
        let switch = text.parse::<bool>().ok();
        if switch.is_none() {
            self.wrong(&format!("{option} {key}={text}"), "expected true or false", "");
        }
        switch
    }
}

/// A remedy with the word that is most likely meant; empty if there is none.
fn near(word: &str, known: &[&str]) -> String {
    let bare = |word: &str| word.trim_start_matches('-').trim_end_matches('=').to_owned();
    let candidates: Vec<String> = known.iter().map(|known| bare(known)).collect();
    let candidates: Vec<&str> = candidates.iter().map(String::as_str).collect();
    let near = nearest(&bare(word), &candidates);
    let whole = near.and_then(|near| known.iter().find(|known| bare(known) == near));
    whole.map_or_else(String::new, |near| format!("`{near}`, if that is meant"))
}

/// Whether a word begins an option: it has a `-` that begins no number.
fn is_option(word: &str) -> bool {
    let begins_a_number = |c: char| c.is_ascii_digit() || c == '.';
    word.strip_prefix('-')
        .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(begins_a_number))
}

fn typed(given: &GivenOption<'_>) -> String {
    let words: Vec<&str> = std::iter::once(given.option)
        .chain(given.values.iter().copied())
        .collect();
    words.join(" ")
}

/// The row of a word.
fn row_of(option: &str, value: &str) -> Option<&'static OptionRow> {
    let is_it = |row: &&OptionRow| match row.key() {
        "option.NAME=" => value.strip_prefix("option.").is_some_and(|rest| rest.contains('=')),
        key if key.ends_with('=') => value.starts_with(key),
        key => value == key,
    };
    let by_name = table::of_option(option).find(is_it);
    // A word without a known name is the file.
    by_name.or_else(|| table::of_option(option).find(|row| row.word == "FILE" && !value.contains('=')))
}

/// The programs that have an option with this value.
fn peers_of(row: &OptionRow, value: Option<&str>) -> Peers {
    let value = value.unwrap_or_default();
    let of_cutechess = match (row.option, row.key()) {
        ("-tournament", _) => matches!(value, "round-robin" | "knockout" | "pyramid"),
        ("-variant", _) => !matches!(value, "standard" | "fischerandom"),
        ("-openings", "policy=") => !value.ends_with("=round"),
        ("-pgnout", "FILE") => true,
        ("-engine", "tc=") => value.contains("hg"),
        ("-engine", "restart=") => value.ends_with("=auto"),
        ("-engine", "proto=") => !value.ends_with("=uci"),
        _ => false,
    };
    match (row.option, of_cutechess) {
        (_, true) => Peers::Cutechess,
        ("-tournament", false) if value == "roundrobin" => Peers::Fastchess,
        _ => row.peers,
    }
}
