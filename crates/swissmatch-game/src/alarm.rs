//! Alarms: lines of standard error by which an agent shows that something is wrong with it, such as those of a sanitizer.
//!
//! An alarm changes no result: a program that reports undefined behaviour may play on, and well. May not: read pipes;
//! grow without bound, whatever an engine writes.

mod built_in;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memchr;
use serde::{Deserialize, Serialize};
use swiss_system::count;
use swiss_system::text::{escaped, shortened};

use super::Side;
pub use built_in::{BUILT_IN, BUILT_IN_WORD};

/// Bytes held of a line whose end has not come.
const HELD: usize = 4096;
/// The most patterns reported for a side in a game: those that came first.
const MOST: usize = 8;
/// The most characters kept of a line.
const SHOWN: usize = 200;
/// Bytes kept before the pattern in a longer line.
const BEFORE: usize = 40;

/// The beginning of evidence lines about an alarm; no line of an engine begins like this.
const SENTENCE: &str = "Alarm of ";

/// True if a line of a game's evidence is about an alarm.
pub fn is_sentence(line: &str) -> bool {
    line.starts_with(SENTENCE)
}

/// The patterns to look for in lines of standard error.
#[derive(Clone, Debug, Default)]
pub struct Patterns(Option<Arc<Search>>);

#[derive(Debug)]
struct Search {
    any: AhoCorasick,
    /// Bytes of the longest pattern.
    longest: usize,
}

impl Patterns {
    /// The patterns of `engine.alarms`: texts, each of which matches only itself, except [`BUILT_IN_WORD`].
    ///
    /// # Panics
    /// When there are more patterns, or longer ones, than the key takes.
    pub fn new(written: &[String]) -> Self {
        let texts = written.iter().flat_map(|text| match text == BUILT_IN_WORD {
            true => BUILT_IN.to_vec(),
            false => vec![text.as_str()],
        });
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        if texts.is_empty() {
            return Self(None);
        }
        let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
        // Of several that begin at the same place the longest is meant.
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(texts);
        let any = search.expect("few texts");
        Self(Some(Arc::new(Search { any, longest })))
    }

    pub const fn are_none(&self) -> bool {
        self.0.is_none()
    }
}

/// A pattern that was found in lines of standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeardAlarm {
    pub pattern: String,
    /// The number of lines in which it was the first pattern.
    pub lines: u32,
    /// The first of these lines, harmless and short.
    pub line: String,
}

/// An alarm of a game, as its record keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    pub side: Side,
    /// The pattern, as `engine.alarms` or the built-in list has it.
    pub pattern: String,
    /// The number of lines in which it was the first pattern.
    pub lines: u32,
    /// The first of these lines, harmless and short. It is the agent's: shown in public only if standard error is.
    pub line: String,
}

impl Alarm {
    /// The part that goes into the log.
    pub fn in_short(&self) -> AlarmOf {
        AlarmOf {
            side: self.side,
            pattern: self.pattern.clone(),
        }
    }

    /// As a line of a game's evidence, which [`is_sentence`] recognizes.
    pub fn sentence(&self) -> String {
        format!(
            "{SENTENCE}{}: {}: {}",
            self.side.name(),
            self.words(),
            escaped(&self.line)
        )
    }

    /// As the rest of a sentence, without the line: `"AddressSanitizer" in 2 lines of standard error`.
    pub fn words(&self) -> String {
        let lines = count::of(self.lines as usize, "line", "lines");
        format!("\"{}\" in {lines} of standard error", escaped(&self.pattern))
    }
}

/// An alarm of a game, as the log keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlarmOf {
    pub side: Side,
    pub pattern: String,
}

pub fn of_sides(heard: [Vec<HeardAlarm>; 2]) -> Vec<Alarm> {
    let sides = Side::BOTH.into_iter().zip(heard);
    let alarms = sides.flat_map(|(side, heard)| heard.into_iter().map(move |heard| (side, heard)));
    alarms
        .map(|(side, HeardAlarm { pattern, lines, line })| Alarm {
            side,
            pattern,
            lines,
            line,
        })
        .collect()
}

/// Adds the alarms of another process of the same side.
pub fn add(all: &mut Vec<HeardAlarm>, more: Vec<HeardAlarm>) {
    for heard in more {
        let is_full = all.len() >= MOST;
        match all.iter_mut().find(|known| known.pattern == heard.pattern) {
            Some(known) => known.lines = known.lines.saturating_add(heard.lines),
            None if is_full => {}
            None => all.push(heard),
        }
    }
}

/// Looks for patterns in standard error, line by line, however it is read.
#[derive(Debug, Default)]
pub struct Scanner {
    patterns: Patterns,
    /// A line whose end has not come: all of it, or its last part.
    line: Vec<u8>,
    /// True if an earlier part of that line has been left out.
    is_cut: bool,
    /// True if a pattern was found in that line already: a line counts once.
    is_found: bool,
    heard: Vec<HeardAlarm>,
}

impl Scanner {
    pub fn new(patterns: Patterns) -> Self {
        Self {
            patterns,
            ..Self::default()
        }
    }

    /// True if there is nothing to look for.
    pub const fn is_idle(&self) -> bool {
        self.patterns.are_none()
    }

    /// Searches the bytes that were read.
    pub fn add(&mut self, mut bytes: &[u8]) {
        let Some(search) = self.patterns.0.clone() else {
            return;
        };
        while let Some(end) = memchr(b'\n', bytes) {
            let (rest, after) = (&bytes[..end], &bytes[end + 1..]);
            if self.line.is_empty() {
                self.look(&search, rest);
            } else {
                self.hold(&search, rest);
                self.look_at_held(&search);
            }
            self.line.clear();
            (self.is_cut, self.is_found) = (false, false);
            bytes = after;
        }
        self.hold(&search, bytes);
    }

    /// The alarms since the last call; the beginning of a line whose end has not come is searched too.
    pub fn take(&mut self) -> Vec<HeardAlarm> {
        if let Some(search) = self.patterns.0.clone() {
            self.look_at_held(&search);
        }
        std::mem::take(&mut self.heard)
    }

    /// Keeps a part of a line; of a long line, only what may hold the beginning of a pattern.
    fn hold(&mut self, search: &Search, part: &[u8]) {
        if self.is_found {
            return;
        }
        self.line.extend_from_slice(part);
        if self.line.len() > HELD {
            self.look_at_held(search);
            let surplus = self.line.len().saturating_sub(search.longest + BEFORE);
            self.line.drain(..surplus);
            self.is_cut = true;
        }
    }

    fn look_at_held(&mut self, search: &Search) {
        let line = std::mem::take(&mut self.line);
        self.look(search, &line);
        self.line = line;
    }

    /// Searches a line, or a part of one.
    fn look(&mut self, search: &Search, line: &[u8]) {
        if self.is_found {
            return;
        }
        let Some(found) = search.any.find(line) else {
            return;
        };
        self.is_found = true;
        let pattern = &line[found.range()];
        // Of a flood only the first line is kept.
        if let Some(known) = self.heard.iter_mut().find(|known| known.pattern.as_bytes() == pattern) {
            known.lines = known.lines.saturating_add(1);
        } else if self.heard.len() < MOST {
            self.heard.push(HeardAlarm {
                pattern: String::from_utf8_lossy(pattern).into_owned(),
                lines: 1,
                line: shown(line, found.range(), self.is_cut),
            });
        }
    }
}

/// A line as it is kept: its beginning, or the part around the pattern.
fn shown(line: &[u8], found: std::ops::Range<usize>, is_cut: bool) -> String {
    let from = match found.end <= SHOWN {
        true => 0,
        false => found.start.saturating_sub(BEFORE),
    };
    let before = if is_cut || from > 0 { "…" } else { "" };
    // Each byte is at least a part of a character.
    let part = &line[from..line.len().min(from + 4 * SHOWN)];
    shortened(&format!("{before}{}", escaped(part.trim_ascii_end())), SHOWN)
}
