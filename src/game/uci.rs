//! Lines of the UCI protocol (Stefan Meyer-Kahlen, April 2006) as engines send them.
//!
//! Lenient as the protocol asks: blanks and tabs anywhere, CRLF, unknown words skipped. Everything is untrusted.
//!
//! May not: decide what a line means for a game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use super::record::Eval;

/// Longest text kept of what an engine says of itself or of a move that is none.
const KEPT_CHARS: usize = 200;

/// A line, as far as the runner cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `bestmove …`: the word after it, empty if there is none.
    BestMove(&'a [u8]),
    /// `info …` with a score that counts (no second line of a MultiPV search).
    Score,
    /// `id name …` or `id author …`: which, and the rest.
    Id(&'a [u8], &'a [u8]),
    /// `option …`: the rest.
    Option(&'a [u8]),
    /// Anything else.
    Other,
}

/// Reads one line, its end already taken off.
#[must_use]
pub fn read(line: &[u8]) -> Line<'_> {
    let (command, rest) = word(line);
    match command {
        b"info" if is_main_score(rest) => Line::Score,
        b"bestmove" => Line::BestMove(word(rest).0),
        b"readyok" => Line::ReadyOk,
        b"uciok" => Line::UciOk,
        b"option" => Line::Option(rest),
        b"id" => {
            let (field, rest) = word(rest);
            Line::Id(field, rest.trim_ascii())
        }
        _ => Line::Other,
    }
}

/// The first word and what follows it.
fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_start();
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    text.split_at(end)
}

fn words(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (first, rest) = word(text);
        text = rest;
        (!first.is_empty()).then_some(first)
    })
}

/// Whether an `info` carries a score, and of the first line of the search.
fn is_main_score(info: &[u8]) -> bool {
    let mut fields = words(info);
    while let Some(field) = fields.next() {
        match field {
            b"score" => return true,
            b"multipv" if fields.next().is_some_and(|line| line != b"1") => return false,
            b"string" | b"pv" => return false,
            _ => {}
        }
    }
    false
}

/// What the last `info` with a score said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Evaluation from the engine's side.
    pub eval: Option<Eval>,
    /// `depth`
    pub depth: Option<u32>,
    /// `nodes`
    pub nodes: Option<u64>,
}

/// Reads an `info` line; a field that is no number of its kind is left out.
#[must_use]
pub fn read_info(line: &[u8]) -> Info {
    let mut info = Info::default();
    let mut fields = words(line);
    while let Some(field) = fields.next() {
        match field {
            b"depth" => info.depth = number(fields.next()),
            b"nodes" => info.nodes = number(fields.next()),
            b"score" => {
                info.eval = match fields.next() {
                    Some(b"cp") => number(fields.next()).map(Eval::Centipawns),
                    Some(b"mate") => number(fields.next()).map(Eval::Mate),
                    _ => None,
                };
            }
            b"string" | b"pv" => break,
            _ => {}
        }
    }
    info
}

fn number<T: std::str::FromStr>(text: Option<&[u8]>) -> Option<T> {
    std::str::from_utf8(text?).ok()?.parse().ok()
}

/// The move that a `bestmove` names, in either case; `None` for null moves and everything that is no move.
#[must_use]
pub fn read_move(text: &[u8]) -> Option<UciMove> {
    let mut lower = [0_u8; 5];
    let lower = lower.get_mut(..text.len())?;
    lower.copy_from_slice(text);
    lower.make_ascii_lowercase();
    match UciMove::from_ascii(lower) {
        Ok(UciMove::Null) | Err(_) => None,
        Ok(uci) => Some(uci),
    }
}

/// Text of an engine, made harmless: no control characters, no marks that change the direction of writing, valid UTF-8, at most
/// 200 characters.
#[must_use]
pub fn tame(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut kept: String = text.chars().filter(|c| is_tame(*c)).take(KEPT_CHARS).collect();
    kept.truncate(kept.trim_end().len());
    kept
}

/// Whether a character may stand in a terminal, a table or a file as it is.
#[must_use]
pub fn is_tame(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Kind of an engine's option with its bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number between the bounds, where they are given.
    Spin {
        /// Least value.
        min: Option<i64>,
        /// Greatest value.
        max: Option<i64>,
    },
    /// One of these.
    Combo(Vec<String>),
    /// Pressed; takes no value.
    Button,
    /// Any text.
    String,
}

/// An option that an engine declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredOption {
    /// Name as the engine wrote it.
    pub name: String,
    /// What it takes.
    pub kind: OptionKind,
}

/// Reads what follows `option`: `name N type T [default D] [min A] [max B] [var V]…`. `None` where name or type are missing or unknown.
#[must_use]
pub fn read_option(rest: &[u8]) -> Option<DeclaredOption> {
    let text = String::from_utf8_lossy(rest);
    let mut fields: Vec<(&str, String)> = Vec::new();
    for word in text.split_ascii_whitespace() {
        match word {
            "name" | "type" | "default" | "min" | "max" | "var" => fields.push((word, String::new())),
            _ => {
                let (_, value) = fields.last_mut()?;
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(word);
            }
        }
    }
    let field = |wanted: &str| {
        fields
            .iter()
            .find(|(key, _)| *key == wanted)
            .map(|(_, value)| value.as_str())
    };
    let name = tame(field("name")?.as_bytes());
    let kind = match field("type")?.to_ascii_lowercase().as_str() {
        "check" => OptionKind::Check,
        "spin" => OptionKind::Spin {
            min: field("min").and_then(|n| n.parse().ok()),
            max: field("max").and_then(|n| n.parse().ok()),
        },
        "combo" => OptionKind::Combo(
            fields
                .iter()
                .filter(|(key, _)| *key == "var")
                .map(|(_, value)| tame(value.as_bytes()))
                .collect(),
        ),
        "button" => OptionKind::Button,
        "string" => OptionKind::String,
        _ => return None,
    };
    (!name.is_empty()).then_some(DeclaredOption { name, kind })
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionRefused {
    /// The engine has no such option.
    #[error("the engine has no option `{name}`{}", nearest.as_ref().map(|n| format!("; did it mean `{n}`?")).unwrap_or_default())]
    Unknown {
        /// Name as written.
        name: String,
        /// The nearest name that the engine declared.
        nearest: Option<String>,
    },
    /// The engine has it, but not with this value.
    #[error("option `{name}` does not take `{value}`: {expected}")]
    Value {
        /// Name as the engine wrote it.
        name: String,
        /// The value.
        value: String,
        /// What it takes.
        expected: String,
    },
}

/// The `setoption` lines for `wanted`, in the order of their names, checked against what the engine declared.
///
/// # Errors
/// The first option that the engine does not have or whose value it does not take.
pub fn set_options(
    wanted: &BTreeMap<String, String>,
    declared: &[DeclaredOption],
) -> Result<Vec<String>, OptionRefused> {
    wanted
        .iter()
        .map(|(name, value)| set_option(name, value, declared))
        .collect()
}

fn set_option(name: &str, value: &str, declared: &[DeclaredOption]) -> Result<String, OptionRefused> {
    let Some(option) = declared.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
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
        return Err(OptionRefused::Unknown {
            name: name.to_owned(),
            nearest,
        });
    };
    let refuse = |expected: String| {
        Err(OptionRefused::Value {
            name: option.name.clone(),
            value: value.to_owned(),
            expected,
        })
    };
    match &option.kind {
        OptionKind::Check if !matches!(value, "true" | "false") => return refuse("true or false".to_owned()),
        OptionKind::Spin { min, max } => {
            let number = value.parse::<i64>().ok();
            if !number.is_some_and(|n| min.is_none_or(|m| n >= m) && max.is_none_or(|m| n <= m)) {
                let bound = |b: &Option<i64>| b.map_or_else(|| "any".to_owned(), |b| b.to_string());
                return refuse(format!("a whole number from {} to {}", bound(min), bound(max)));
            }
        }
        OptionKind::Combo(choices) if !choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) => {
            return refuse(format!("one of {}", choices.join(", ")));
        }
        OptionKind::Button if !matches!(value, "" | "true") => {
            return refuse("a button takes no value; write true to press it".to_owned());
        }
        OptionKind::Button => return Ok(format!("setoption name {}\n", option.name)),
        _ => {}
    }
    Ok(format!("setoption name {} value {value}\n", option.name))
}
