//! Lines of the UCI protocol (Stefan Meyer-Kahlen, April 2006) as engines send them.
//!
//! Lenient as the protocol asks, and more: blanks, tabs and NULs anywhere, CRLF, either case, unknown words skipped.
//! Everything is untrusted.
//!
//! May not: decide what a line means for a game.

use swiss_system::text;

use std::collections::BTreeMap;
use std::num::IntErrorKind;

use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

mod info;

use self::info::InfoKind;
pub use self::info::{Info, read_info, variation};

/// The word with which a player that is not an engine resigns, in any case; it is not part of UCI.
pub const RESIGN: &str = "resign";

/// The most choices kept per option.
const KEPT_CHOICES: usize = 1000;
/// The longest text that is kept when an engine names itself, or gives something that is not a move.
const KEPT_CHARS: usize = 200;

/// A line, as far as the runner cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UciLine<'a> {
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `bestmove …`: the word after it, empty if there is none.
    BestMove(&'a [u8]),
    /// `info …` with a score that counts (not a further line of a MultiPV search).
    Score,
    /// Like [`Self::Score`], but the score cannot be read.
    BadScore,
    /// `id name …` or `id author …`: the second word in lower case, and the rest.
    Id(&'a [u8], &'a [u8]),
    /// `option …`: the rest.
    Option(&'a [u8]),
    /// Anything else.
    Other,
    /// `info …` without a score, for the first line of a MultiPV search: depth, nodes, a variation …
    Details,
}

/// Reads one line without its line end. Commands and their words are read in either case.
pub fn read(line: &[u8]) -> UciLine<'_> {
    let (command, rest) = word(line);
    match command.len() {
        4 if is(command, b"info") => match info::kind(rest) {
            InfoKind::Score => UciLine::Score,
            InfoKind::BadScore => UciLine::BadScore,
            InfoKind::Details => UciLine::Details,
            InfoKind::Other => UciLine::Other,
        },
        8 if is(command, b"bestmove") => UciLine::BestMove(word(rest).0),
        7 if is(command, b"readyok") => UciLine::ReadyOk,
        5 if is(command, b"uciok") => UciLine::UciOk,
        6 if is(command, b"option") => UciLine::Option(rest),
        2 if is(command, b"id") => {
            let (field, rest) = word(rest);
            match field {
                _ if is(field, b"name") => UciLine::Id(b"name", trim(rest)),
                _ if is(field, b"author") => UciLine::Id(b"author", trim(rest)),
                _ => UciLine::Other,
            }
        }
        _ => UciLine::Other,
    }
}

/// The answer that a `bestmove` line expects, to be pondered on; empty if there is none.
#[inline]
pub fn ponder_word(bestmove: &[u8]) -> &[u8] {
    let (_, rest) = word(word(bestmove).1);
    match word(rest) {
        (ponder, rest) if is(ponder, b"ponder") => word(rest).0,
        _ => b"",
    }
}

fn is(word: &[u8], lower: &[u8]) -> bool {
    word.eq_ignore_ascii_case(lower)
}

/// "Arbitrary white space between tokens is allowed": blanks, tabs, carriage returns; also the NUL that ends a string
/// in C.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, 0 | 9..=13 | b' ')
}

fn trim(text: &[u8]) -> &[u8] {
    let Some(from) = text.iter().position(|b| !is_blank(*b)) else {
        return b"";
    };
    let to = text.iter().rposition(|b| !is_blank(*b)).map_or(from, |last| last + 1);
    &text[from..to]
}

/// The first word, and what follows it.
fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let from = text.iter().position(|b| !is_blank(*b)).unwrap_or(text.len());
    let text = &text[from..];
    let end = text.iter().position(|b| is_blank(*b)).unwrap_or(text.len());
    text.split_at(end)
}

fn words(mut text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    std::iter::from_fn(move || {
        let (first, rest) = word(text);
        text = rest;
        (!first.is_empty()).then_some(first)
    })
}

/// The move that a `bestmove` names; `None` for null moves and anything that is not a move. The promotion letter may
/// be upper case.
pub fn read_move(text: &[u8]) -> Option<UciMove> {
    let mut written = [0_u8; 5];
    let written = written.get_mut(..text.len())?;
    written.copy_from_slice(text);
    written
        .iter_mut()
        .skip(4)
        .for_each(|letter| letter.make_ascii_lowercase());
    match UciMove::from_ascii(written) {
        Ok(UciMove::Null) | Err(_) => None,
        Ok(uci) => Some(uci),
    }
}

/// Makes an engine's text fit to keep: harmless, valid UTF-8, at most 200 characters.
pub fn kept(text: &[u8]) -> String {
    let text = text::harmless(&String::from_utf8_lossy(text));
    text::shortened(text.trim_end(), KEPT_CHARS)
}

/// The kind of an engine's option, with its bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number between the bounds, where given.
    Spin {
        min: Option<i64>,
        max: Option<i64>,
        /// The value if nobody sets the option.
        default: Option<i64>,
    },
    /// One of these values.
    Combo(Vec<String>),
    /// A button to press; it takes no value.
    Button,
    /// Any text.
    String,
    /// A declaration that is not understood.
    Unread,
}

/// An option that an engine declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredOption {
    /// The name as the engine wrote it.
    pub name: String,
    pub kind: OptionKind,
}

impl DeclaredOption {
    /// True if the accepted values are not known, so that any value is sent.
    pub fn is_unread(&self) -> bool {
        match &self.kind {
            OptionKind::Unread => true,
            OptionKind::Combo(choices) => choices.is_empty(),
            _ => false,
        }
    }

    /// The option's name as the engine wrote it, where it may be `name`.
    fn spelled(&self, name: &str) -> &str {
        self.name.get(..name.len()).unwrap_or(&self.name)
    }

    /// True if the option's name begins with the words of `name`. If a declaration was not understood, nobody knows
    /// where its name ends.
    fn begins_with(&self, name: &str) -> bool {
        let begin = self.name.get(..name.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(name)) && self.name[name.len()..].starts_with(' ')
    }
}

pub fn find_option<'a>(declared: &'a [DeclaredOption], name: &str) -> Option<&'a DeclaredOption> {
    let same = declared.iter().find(|option| option.name.eq_ignore_ascii_case(name));
    let unread = |option: &&DeclaredOption| option.kind == OptionKind::Unread && option.begins_with(name);
    same.or_else(|| declared.iter().find(unread))
}

/// Those of the wanted options whose accepted values are not known, under the engine's names for them.
pub(crate) fn unread_options<'a>(
    set: impl IntoIterator<Item = &'a String>,
    declared: &[DeclaredOption],
) -> Vec<String> {
    let options = set
        .into_iter()
        .filter_map(|name| Some((find_option(declared, name)?, name)));
    let unread = options.filter(|(option, _)| option.is_unread());
    unread.map(|(option, name)| option.spelled(name).to_owned()).collect()
}

/// Reads what follows `option`: `name N type T [default D] [min A] [max B] [var V]…`. `None` if there is no name.
///
/// A name ends where `type` is followed by a type, so that names may hold any of these words. Only defaults of
/// numbers are kept. A bound that is not a number, or does not fit into 64 bits, is ignored.
pub fn read_option(rest: &[u8]) -> Option<DeclaredOption> {
    let text = String::from_utf8_lossy(rest);
    let words: Vec<&str> = text
        .split(|c: char| u8::try_from(c).is_ok_and(is_blank))
        .filter(|word| !word.is_empty())
        .collect();
    let is = |word: &str, lower: &str| word.eq_ignore_ascii_case(lower);
    let is_kind = |word: &str| {
        ["check", "spin", "combo", "button", "string"]
            .iter()
            .any(|kind| is(word, kind))
    };
    let typed = words
        .windows(2)
        .position(|pair| is(pair[0], "type") && is_kind(pair[1]));
    let named = words.first().is_some_and(|first| is(first, "name"));
    let Some(at) = typed.filter(|_| named) else {
        // The name ends at the first word that may follow one.
        let words = &words[usize::from(named)..];
        let is_end = |word: &&str| ["type", "default", "min", "max", "var"].iter().any(|end| is(word, end));
        let first = words.iter().take(1).filter(|first| named || !is_end(first));
        let rest = words.iter().skip(1).take_while(|word| !is_end(word)).copied();
        let name: Vec<&str> = first.copied().chain(rest).collect();
        let name = kept(name.join(" ").as_bytes());
        let kind = OptionKind::Unread;
        return (!name.is_empty()).then_some(DeclaredOption { name, kind });
    };
    let name = kept(words[1..at].join(" ").as_bytes());
    let values = &words[at + 2..];
    let number = |bound: &str| {
        let at = values.iter().position(|word| is(word, bound))?;
        values.get(at + 1)?.parse().ok()
    };
    let kind = match words[at + 1].to_ascii_lowercase().as_str() {
        "check" => OptionKind::Check,
        "spin" => OptionKind::Spin {
            min: number("min"),
            max: number("max"),
            default: number("default"),
        },
        // The default stands before the first `var`.
        "combo" => OptionKind::Combo(
            values
                .split(|word| is(word, "var"))
                .skip(1)
                .take(KEPT_CHOICES)
                .map(|choice| kept(choice.join(" ").as_bytes()))
                .collect(),
        ),
        "button" => OptionKind::Button,
        _ => OptionKind::String,
    };
    (!name.is_empty()).then_some(DeclaredOption { name, kind })
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptionError {
    #[error("the engine has no option `{name}`{}", nearest.as_ref().map(|n| format!("; did it mean `{n}`?")).unwrap_or_default())]
    Unknown {
        /// The name as the event file has it.
        name: String,
        /// The nearest name that the engine declared.
        nearest: Option<String>,
    },
    /// The engine has the option, but does not take this value.
    #[error("option `{name}` does not take `{value}`: {expected}")]
    Value {
        /// The name as the engine wrote it.
        name: String,
        value: String,
        expected: String,
    },
}

/// The `setoption` lines for `wanted`, in the order of their names, checked against what the engine declared.
///
/// # Errors
/// The first option that the engine does not have or whose value it does not take.
pub fn set_options(wanted: &BTreeMap<String, String>, declared: &[DeclaredOption]) -> Result<Vec<String>, OptionError> {
    wanted
        .iter()
        .map(|(name, value)| set_option(name, value, declared))
        .collect()
}

fn set_option(name: &str, value: &str, declared: &[DeclaredOption]) -> Result<String, OptionError> {
    let Some(option) = find_option(declared, name) else {
        let nearest = declared
            .iter()
            .map(|option| {
                (
                    strsim::jaro_winkler(&option.name.to_lowercase(), &name.to_lowercase()),
                    &option.name,
                )
            })
            .filter(|(likeness, _)| *likeness > 0.8)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, name)| name.clone());
        return Err(OptionError::Unknown {
            name: name.to_owned(),
            nearest,
        });
    };
    let refuse = |expected: String| {
        Err(OptionError::Value {
            name: option.name.clone(),
            value: value.to_owned(),
            expected,
        })
    };
    let (name, mut sent) = (option.spelled(name), value);
    match &option.kind {
        OptionKind::Check if !matches!(value, "true" | "false") => return refuse("true or false".to_owned()),
        OptionKind::Spin { min, max, .. } if !is_within(value, *min, *max) => {
            let bound = |b: &Option<i64>| b.map_or_else(|| "any".to_owned(), |b| b.to_string());
            return refuse(format!("a whole number from {} to {}", bound(min), bound(max)));
        }
        OptionKind::Combo(choices) if !option.is_unread() => {
            let Some(choice) = choice_of(choices, value) else {
                return refuse(format!("one of {}", choices.join(", ")));
            };
            sent = choice;
        }
        OptionKind::Button if !matches!(value, "" | "true") => {
            return refuse("a button takes no value; write true to press it".to_owned());
        }
        OptionKind::Button => return Ok(format!("setoption name {name}\n")),
        _ => {}
    }
    Ok(format!("setoption name {name} value {sent}\n"))
}

/// True if the text is a whole number within the given bounds; it may have more digits than any bound.
fn is_within(value: &str, min: Option<i64>, max: Option<i64>) -> bool {
    match value.parse::<i64>() {
        Ok(number) => min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => max.is_none(),
            IntErrorKind::NegOverflow => min.is_none(),
            _ => false,
        },
    }
}

/// The choice that a value means, as the engine wrote it: an exact match, else the first that differs only in case or
/// blanks.
fn choice_of<'a>(choices: &'a [String], value: &str) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let same = choices.iter().find(|choice| *choice == value);
    let alike = || choices.iter().find(|choice| plain(choice) == plain(value));
    same.or_else(alike).map(String::as_str)
}
