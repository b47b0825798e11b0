//! The last lines of a conversation, as evidence.
//!
//! May not: grow without bound, or give out a line that is not harmless.

use std::collections::VecDeque;
use std::time::Duration;

use swiss_system::text::{escaped, shortened};

use super::Side;
use super::transcript::{Direction, FramedLine, TEXTS};

const KEPT: usize = 12;
/// Characters kept per line.
const KEPT_CHARS: usize = 160;
/// Lines kept of a program that does not start.
const PRINTED: usize = 20;
/// Characters kept per such line.
const PRINTED_CHARS: usize = 300;
/// Bytes of a line that are looked at.
const KEPT_BYTES: usize = 1000;

/// The last lines of a conversation.
#[derive(Debug, Default)]
pub struct SaidLines(VecDeque<String>);

impl SaidLines {
    /// Adds a line; `at` is the time since the conversation began.
    pub fn add(&mut self, at: Duration, direction: Direction, line: &[u8]) {
        let mark = match direction {
            Direction::Sent => '>',
            Direction::Received => '<',
            Direction::Remark => '#',
        };
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        let text = escaped(&line.trim_ascii_end()[..line.trim_ascii_end().len().min(KEPT_BYTES)]);
        let line = format!("{:.3} {mark} {text}", at.as_secs_f64());
        self.0.push_back(shortened(&line, KEPT_CHARS));
    }

    pub fn lines(&self) -> Vec<String> {
        self.0.iter().cloned().collect()
    }
}

/// The last lines that a program printed, without those that were sent to it.
#[derive(Debug, Default)]
pub struct PrintedLines(VecDeque<String>);

impl PrintedLines {
    /// Adds a line; blank ones and those that were sent to the program are left out.
    pub fn add(&mut self, direction: Direction, line: &[u8]) {
        let line = line.trim_ascii_end();
        if direction == Direction::Sent || line.is_empty() {
            return;
        }
        if self.0.len() == PRINTED {
            self.0.pop_front();
        }
        let text = escaped(&line[..line.len().min(KEPT_BYTES)]);
        self.0.push_back(shortened(&text, PRINTED_CHARS));
    }

    pub fn lines(self) -> Vec<String> {
        self.0.into()
    }
}

/// The last lines of a game, from its evidence, which is harmless already.
pub fn last_lines(evidence: Option<&str>) -> Vec<String> {
    // The part above the first empty line is the same in every game's evidence.
    let said = evidence.and_then(|text| text.split_once("\n\n"));
    // Prompts and answers of models are long, and are in the lines before.
    let is_said = |line: &&str| *line != TEXTS && FramedLine::of(line).is_none_or(|framed| framed.mark != "?");
    let lines: Vec<&str> = said.map_or_else(Vec::new, |(_, said)| said.lines().filter(is_said).collect());
    let from = lines.len().saturating_sub(KEPT);
    lines[from..].iter().map(|line| shortened(line, KEPT_CHARS)).collect()
}

/// A side's standard error in a game, from its evidence, which is harmless already.
pub fn errors_of(evidence: Option<&str>, side: Side) -> Vec<String> {
    let framed = evidence.unwrap_or_default().lines().filter_map(FramedLine::of);
    let its = framed.filter(|framed| framed.side == side && framed.mark == "!" && !framed.said.trim().is_empty());
    its.map(|framed| shortened(framed.said, PRINTED_CHARS)).collect()
}
