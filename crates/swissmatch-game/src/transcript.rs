//! What was said in a game, and when: evidence.
//!
//! May not: grow without bound, whatever an engine says; judge.

use std::fmt;
use std::fmt::Write as _;
use std::time::Duration;

use swiss_system::count;
use swiss_system::text::escaped;

use super::Side;

/// Bytes kept of one line.
pub const KEPT_LINE_BYTES: usize = 1000;
/// The most bytes of a frame, including the end of the line.
const FRAME_BYTES: usize = 40;

/// The heading in evidence above the prompts and answers of models.
pub const TEXTS: &str = "Prompts and answers of models:";

/// How much text of a game is kept as evidence, in bytes, half of it for each side: a quarter for ordinary lines, an
/// eighth for those that decide (sent lines, `bestmove`), which are kept when others no longer are, and an eighth for
/// standard error. Prompts and answers of models have as much again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room(usize);

impl Room {
    pub const fn of_kib(kib: u32) -> Self {
        Self(kib as usize * 1024)
    }

    /// Room for the ordinary lines of a side.
    const fn of_any_line(self) -> usize {
        self.0 / 4
    }

    /// Room for all lines of a side.
    const fn of_deciding_lines(self) -> usize {
        self.0 / 8 * 3
    }

    /// Room for the prompts and answers of a side's model; the last quarter is only for attempts that gave no move.
    pub const fn of_texts(self, gave_move: bool) -> usize {
        match gave_move {
            true => self.0 / 8 * 3,
            false => self.0 / 2,
        }
    }

    /// Room for the standard error of a side.
    pub const fn of_errors(self) -> usize {
        self.0 / 8
    }
}

impl Default for Room {
    fn default() -> Self {
        Self::of_kib(1024)
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "run.evidence_game, {} KiB", self.0 / 1024)
    }
}

/// The speaker of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Sent,
    Received,
    /// A remark of the runner's own.
    Remark,
}

impl Direction {
    /// The mark that [`frame`] takes.
    pub const fn mark(self) -> char {
        match self {
            Self::Sent => '>',
            Self::Received => '<',
            Self::Remark => '#',
        }
    }
}

/// A line as evidence, without its end, framed by time, side and stream, so that it cannot be taken for another's.
/// `at` is in microseconds since the game began; `mark` is `>` for what an engine was sent, `<` for its output, `!`
/// for its standard error, `#` for a remark of the runner's, `?` for prompts and answers of a model. Control
/// characters are escaped.
pub fn frame(at: i64, side: Side, mark: char, line: &[u8]) -> String {
    let (sign, at) = (if at < 0 { "-" } else { "" }, at.unsigned_abs());
    let seconds = format!("{sign}{}", at / 1_000_000);
    let (micros, side, line) = (at % 1_000_000, side.name(), escaped(line));
    format!("{seconds:>6}.{micros:06} {side} {mark} {line}")
}

/// The side of a framed line; `None` for any other line.
pub fn side_of(line: &str) -> Option<Side> {
    let mut words = line.split_ascii_whitespace();
    let (at, side, mark) = (words.next()?, words.next()?, words.next()?);
    let is_time = at.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-'));
    let is_framed = is_time && matches!(mark, ">" | "<" | "!" | "#" | "?");
    Side::BOTH.into_iter().find(|known| is_framed && known.name() == side)
}

/// A framed line in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FramedLine<'a> {
    /// Seconds since the game began, with six decimals.
    pub at: &'a str,
    pub side: Side,
    /// `>`, `<`, `!`, `#` or `?`, as for [`frame`].
    pub mark: &'a str,
    pub said: &'a str,
}

impl<'a> FramedLine<'a> {
    /// The parts of a line; `None` if it is not framed.
    pub fn of(line: &'a str) -> Option<Self> {
        let side = side_of(line)?;
        let mut parts = line.trim_start().splitn(4, ' ');
        let (at, _, mark) = (parts.next()?, parts.next()?, parts.next()?);
        let said = parts.next().unwrap_or_default();
        Some(Self { at, side, mark, said })
    }
}

/// The most bytes that a framed line can have.
pub fn framed_bytes(line: &[u8]) -> usize {
    let is_escaped = |byte: &u8| u8::from(!matches!(byte, b' '..=b'~') || *byte == b'\\');
    // A sum of bytes is many times quicker than a count, and every line of a game comes through here.
    let parts = line.chunks(usize::from(u8::MAX));
    let escapes: usize = parts
        .map(|part| usize::from(part.iter().map(is_escaped).sum::<u8>()))
        .sum();
    FRAME_BYTES + line.len() + 6 * escapes
}

#[derive(Clone, Copy, Debug)]
struct TranscriptLine {
    at: Duration,
    side: Side,
    direction: Direction,
    end: usize,
    cut: bool,
}

/// The lines of one game, with their times since the game began.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    text: Vec<u8>,
    entries: Vec<TranscriptLine>,
    room: Room,
    /// The most bytes that the lines of each side can have as text.
    framed: [usize; 2],
    left_out: u64,
}

impl Transcript {
    pub fn within(room: Room) -> Self {
        Self {
            room,
            ..Self::default()
        }
    }

    /// Adds a line. Lines with `decides` are kept when others no longer are.
    pub fn add(&mut self, at: Duration, side: Side, direction: Direction, line: &[u8], decides: bool) {
        let line = line.trim_ascii_end();
        let kept = &line[..line.len().min(KEPT_LINE_BYTES)];
        let bound = match decides {
            true => self.room.of_deciding_lines(),
            false => self.room.of_any_line(),
        };
        let framed = self.framed[side.index()] + framed_bytes(kept);
        if framed > bound {
            self.left_out += 1;
            return;
        }
        self.framed[side.index()] = framed;
        self.text.extend_from_slice(kept);
        self.entries.push(TranscriptLine {
            at,
            side,
            direction,
            end: self.text.len(),
            cut: kept.len() < line.len(),
        });
    }

    /// The transcript as text, each line framed by [`frame`].
    pub fn render(&self) -> String {
        let mut out = String::with_capacity(self.text.len() * 2);
        let mut start = 0;
        for entry in &self.entries {
            let at = i64::try_from(entry.at.as_micros()).unwrap_or(i64::MAX);
            out.push_str(&frame(
                at,
                entry.side,
                entry.direction.mark(),
                &self.text[start..entry.end],
            ));
            out.push_str(if entry.cut { " [cut]\n" } else { "\n" });
            start = entry.end;
        }
        if self.left_out > 0 {
            let more = count::of(self.left_out as usize, "more line was", "more lines were");
            writeln!(out, "({more} sent or received and not kept: over {})", self.room)
                .expect("writing to a String does not fail");
        }
        out
    }
}
