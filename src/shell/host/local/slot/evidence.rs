//! The evidence of a game as text: what it was, how it ended, what was said, and what came on standard error.
//!
//! Each line of an engine is framed with who said it, when, and by which stream, so that none can be taken for another's; one of
//! standard error that is long takes several. May not: judge.

use std::time::Instant;

use swiss_system::text::escaped;

use crate::game::Side;
use crate::game::record::GameRecord;
use crate::game::transcript::{KEPT_LINE_BYTES, Transcript, frame};
use crate::shell::engine::ErrorLine;

/// Bytes of the standard error of one side that are kept of a game, the last ones.
const KEPT: usize = 128 * 1024;

/// What a side wrote to standard error, of all its processes.
#[derive(Debug, Default)]
pub(super) struct LastWords(Vec<ErrorLine>);

impl LastWords {
    /// Adds what came later.
    pub(super) fn add(&mut self, more: Vec<ErrorLine>) {
        self.0.extend(more);
        let mut bytes = 0;
        let kept = self.0.iter().rev().take_while(|(_, line)| {
            bytes += line.len() + 1;
            bytes <= KEPT
        });
        let surplus = self.0.len() - kept.count();
        self.0.drain(..surplus);
    }
}

/// The evidence of a game that began at an instant.
pub(super) fn render(
    record: &GameRecord,
    said: &Transcript,
    (last_words, begun): (&[LastWords; 2], Instant),
    failures: &[String],
) -> String {
    let mut text = format!(
        "Game {} of players {} (White) and {} (Black)\nEnded: {}\n",
        record.id,
        record.white,
        record.black,
        record.termination.sentence(record.outcome, record.last_attempts()),
    );
    if let Some(end) = record.engine_end {
        text.push_str(&format!("Process: {end}\n"));
    }
    for failure in failures {
        text.push_str(&format!("Start failed: {}\n", escaped(failure)));
    }
    text.push_str(&format!(
        "The position in which it ended, as engines are sent it:\n{}\nBefore each `go` it was sent with the moves played by \
         then, before `go ponder` also with the move that its side expected.\n\n",
        escaped(record.position_command())
    ));
    text.push_str(&said.render());
    for side in Side::BOTH {
        let LastWords(lines) = &last_words[side.index()];
        if lines.is_empty() {
            continue;
        }
        text.push_str(&format!("\nStandard error of {} (its last part):\n", side.name()));
        for (at, line) in lines {
            let mut rest = line.trim_ascii_end();
            loop {
                let (piece, more) = rest.split_at(rest.len().min(KEPT_LINE_BYTES));
                text.push_str(&frame(since(begun, *at), side, '!', piece));
                text.push('\n');
                rest = more;
                if rest.is_empty() {
                    break;
                }
            }
        }
    }
    text
}

/// Microseconds from one instant to another, negative where that was earlier.
fn since(begun: Instant, at: Instant) -> i64 {
    let micros = |time: std::time::Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    match at.checked_duration_since(begun) {
        Some(after) => micros(after),
        None => -micros(begun - at),
    }
}
