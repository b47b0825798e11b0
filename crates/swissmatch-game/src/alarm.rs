//! Alarms: lines of standard error in which an agent tells that something is wrong with it, such as those of a sanitizer.
//!
//! An alarm changes no result: a program that tells of undefined behaviour may play on, and well. May not: read pipes; grow without
//! bound, whatever an engine writes.

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

/// Bytes of a line that are held while its end has not come.
const HELD: usize = 4096;
/// Patterns of a side that are told of a game: those that came first.
const MOST: usize = 8;
/// Characters that are kept of a line.
const SHOWN: usize = 200;
/// Of a line that is longer, bytes that are kept before what was found.
const BEFORE: usize = 40;

/// How a line of a game's evidence about an alarm begins; no line of an engine does.
const SENTENCE: &str = "Alarm of ";

/// Whether a line of a game's evidence tells of an alarm.
pub fn is_sentence(line: &str) -> bool {
    line.starts_with(SENTENCE)
}

/// What is looked for in lines of standard error.
#[derive(Clone, Debug, Default)]
pub struct Patterns(Option<Arc<Search>>);

#[derive(Debug)]
struct Search {
    any: AhoCorasick,
    /// Bytes of the longest of them.
    longest: usize,
}

impl Patterns {
    /// Those of `engine.alarms`: texts, each of which means itself, but for [`BUILT_IN_WORD`].
    ///
    /// # Panics
    /// Where they are more, or longer, than the key takes.
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

    /// Whether nothing is looked for.
    pub const fn are_none(&self) -> bool {
        self.0.is_none()
    }
}

/// A pattern that was found in lines of standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeardAlarm {
    /// The pattern.
    pub pattern: String,
    /// In how many lines it was the first one.
    pub lines: u32,
    /// The first of these, harmless and short.
    pub line: String,
}

/// An alarm of a game, as it is kept in its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    /// Whose agent gave it.
    pub side: Side,
    /// The pattern, as `engine.alarms` or the built-in list has it.
    pub pattern: String,
    /// In how many lines it was the first one.
    pub lines: u32,
    /// The first of these, harmless and short. It is the agent's: what is public has it only where standard error is public.
    pub line: String,
}

impl Alarm {
    /// What the log says of it.
    pub fn in_short(&self) -> AlarmOf {
        AlarmOf {
            side: self.side,
            pattern: self.pattern.clone(),
        }
    }

    /// As a line of a game's evidence, by which [`is_sentence`] knows it again.
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

/// An alarm of a game, as it is in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlarmOf {
    /// Whose agent gave it.
    pub side: Side,
    /// The pattern.
    pub pattern: String,
}

/// Alarms of both sides, White's first.
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

/// Adds what another process of the same side gave.
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
    /// Of a line whose end has not come: all of it, or the last part.
    line: Vec<u8>,
    /// Whether something of that line has been left out before.
    is_cut: bool,
    /// Whether a pattern was found in that line already: it counts once.
    is_found: bool,
    heard: Vec<HeardAlarm>,
}

impl Scanner {
    /// One that looks for these.
    pub fn new(patterns: Patterns) -> Self {
        Self {
            patterns,
            ..Self::default()
        }
    }

    /// Whether it looks for nothing.
    pub const fn is_idle(&self) -> bool {
        self.patterns.are_none()
    }

    /// Looks at what was read.
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

    /// What was heard since that was taken last; the beginning of a line whose end has not come is looked at too.
    pub fn take(&mut self) -> Vec<HeardAlarm> {
        if let Some(search) = self.patterns.0.clone() {
            self.look_at_held(&search);
        }
        std::mem::take(&mut self.heard)
    }

    /// Keeps a part of a line, and of a long line no more than may hold the beginning of a pattern.
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

    /// Looks at a line, or at a part of one.
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

/// A line as it is kept: its beginning, or the part around what was found.
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
