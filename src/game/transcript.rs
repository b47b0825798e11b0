//! What was said in a game and when: evidence.
//!
//! May not: grow without bound, whatever an engine says; judge.

use std::fmt::Write as _;
use std::time::Duration;

use swiss_system::text::escaped;

use super::Side;

/// Bytes of ordinary lines kept; beyond it only what decides (sent lines, `bestmove`) is kept.
const KEPT_BYTES: usize = 1 << 20;
/// Bytes of deciding lines kept beyond that.
const KEPT_DECIDING_BYTES: usize = 2 << 20;
/// Bytes kept of one line.
pub const KEPT_LINE_BYTES: usize = 1000;

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The runner to the engine.
    Sent,
    /// The engine to the runner.
    Received,
    /// A remark of the runner's own.
    Remark,
}

/// Who, when and which stream: a line as evidence, so that none can be taken for another's, without its end. `at` is in
/// microseconds since the game began; `mark` is `>` for what an engine was sent, `<` for its output, `!` for its standard error,
/// `#` for a remark of the runner's. Control characters are escaped.
pub fn frame(at: i64, side: Side, mark: char, line: &[u8]) -> String {
    let (sign, at) = (if at < 0 { "-" } else { "" }, at.unsigned_abs());
    let seconds = format!("{sign}{}", at / 1_000_000);
    let (micros, side, line) = (at % 1_000_000, side.name(), escaped(line));
    format!("{seconds:>6}.{micros:06} {side} {mark} {line}")
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    at: Duration,
    side: Side,
    direction: Direction,
    end: usize,
    cut: bool,
}

/// The lines of one game with their times since the game began.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    text: Vec<u8>,
    entries: Vec<Entry>,
    left_out: u64,
}

impl Transcript {
    /// Adds a line. `decides` lines are kept when others no longer are.
    pub fn add(&mut self, at: Duration, side: Side, direction: Direction, line: &[u8], decides: bool) {
        let line = line.trim_ascii_end();
        let kept = &line[..line.len().min(KEPT_LINE_BYTES)];
        let bound = if decides { KEPT_DECIDING_BYTES } else { KEPT_BYTES };
        if self.text.len() + kept.len() > bound || self.entries.len() * 16 > bound {
            self.left_out += 1;
            return;
        }
        self.text.extend_from_slice(kept);
        self.entries.push(Entry {
            at,
            side,
            direction,
            end: self.text.len(),
            cut: kept.len() < line.len(),
        });
    }

    /// The transcript as text, each line as [`frame`] has it.
    pub fn render(&self) -> String {
        let mut out = String::with_capacity(self.text.len() * 2);
        let mut start = 0;
        for entry in &self.entries {
            let mark = match entry.direction {
                Direction::Sent => '>',
                Direction::Received => '<',
                Direction::Remark => '#',
            };
            let at = i64::try_from(entry.at.as_micros()).unwrap_or(i64::MAX);
            out.push_str(&frame(at, entry.side, mark, &self.text[start..entry.end]));
            out.push_str(if entry.cut { " [cut]\n" } else { "\n" });
            start = entry.end;
        }
        if self.left_out > 0 {
            writeln!(out, "({} more lines were received and not kept)", self.left_out)
                .expect("writing to a String does not fail");
        }
        out
    }
}
