//! The evidence of a game as text: what it was, how it ended, what was said, what models were asked, and standard
//! error.
//!
//! Each line of an engine is framed with who said it, when, and on which stream, so that none can be taken for
//! another's. A long line of standard error takes several lines. May not: judge.

use std::time::Instant;

use swiss_system::count;
use swiss_system::text::escaped;

use super::texts::{Texts, since};
use crate::engine::{EngineStderr, SpokenLine};
use swissmatch_game::Side;
use swissmatch_game::alarm;
use swissmatch_game::alarm::HeardAlarm;
use swissmatch_game::record::GameRecord;
use swissmatch_game::transcript::{KEPT_LINE_BYTES, Room, Transcript, frame, framed_bytes};

/// The last part of what all processes of a side wrote to standard error.
#[derive(Debug, Default)]
pub(super) struct LastWords(EngineStderr);

impl LastWords {
    /// Adds later text, and keeps what there is room for.
    pub(super) fn add(&mut self, more: EngineStderr, room: Room) {
        self.hear(more.alarms);
        let Self(EngineStderr {
            lines, lost, handshake, ..
        }) = self;
        for (at, line) in more.lines {
            lines.extend(pieces(&line).map(|piece| (at, piece.to_vec())));
        }
        *lost += more.lost;
        handshake.extend(more.handshake);
        let mut bytes = 0;
        let kept = lines.iter().rev().take_while(|(_, line)| {
            bytes += framed_bytes(line);
            bytes <= room.of_errors()
        });
        let surplus = lines.len() - kept.count();
        *lost += lines.drain(..surplus).map(|(_, line)| line.len() as u64).sum::<u64>();
    }

    /// Adds alarms.
    pub(super) fn hear(&mut self, alarms: Vec<HeardAlarm>) {
        alarm::add(&mut self.0.alarms, alarms);
    }

    /// True if there was an alarm.
    pub(super) const fn has_alarms(&self) -> bool {
        !self.0.alarms.is_empty()
    }

    /// All alarms so far.
    pub(super) fn take_alarms(&mut self) -> Vec<HeardAlarm> {
        std::mem::take(&mut self.0.alarms)
    }
}

/// What was said while the engines of a side were started, as far as there is room.
fn started(side: Side, handshake: &[SpokenLine], begun: Instant, room: Room) -> String {
    let mut text = String::new();
    for (number, (at, direction, line)) in handshake.iter().enumerate() {
        let framed = frame(since(begun, *at), side, direction.mark(), line);
        if text.len() + framed.len() > room.of_errors() {
            let more = count::of(handshake.len() - number, "more line was", "more lines were");
            return text + &format!("({more} said before and not kept: over {room})\n");
        }
        text += &framed;
        text.push('\n');
    }
    text
}

/// A line in parts that are short enough to be read; an empty line has one.
fn pieces(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let line = line.trim_ascii_end();
    let empty = line.is_empty().then_some(line);
    line.chunks(KEPT_LINE_BYTES).chain(empty)
}

/// The evidence of a game that began at an instant; `room` is for what was said while engines were started, if that is
/// kept too.
pub(super) fn render(
    record: &GameRecord,
    (said, texts): (&Transcript, &Texts),
    (last_words, begun): (&[LastWords; 2], Instant),
    room: Option<Room>,
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
    for alarm in &record.alarms {
        text.push_str(&format!("{}\n", alarm.sentence()));
    }
    text.push_str(&format!(
        "The position in which it ended, as engines are sent it:\n{}\nBefore each `go` an engine was sent the position with the \
         moves played by then, before `go ponder` also with the move that it expected.\n\n",
        escaped(record.position_command())
    ));
    for side in Side::BOTH {
        let LastWords(EngineStderr { handshake, .. }) = &last_words[side.index()];
        text.push_str(&room.map_or_else(String::new, |room| started(side, handshake, begun, room)));
    }
    text.push_str(&said.render());
    text.push_str(&texts.render());
    for side in Side::BOTH {
        let LastWords(EngineStderr { lines, lost, .. }) = &last_words[side.index()];
        if lines.is_empty() && *lost == 0 {
            continue;
        }
        let cut = match lost {
            0 => String::new(),
            _ => format!(" (the last part; {} KiB before it were not kept)", lost.div_ceil(1024)),
        };
        text.push_str(&format!("\nStandard error of {}{cut}:\n", side.name()));
        for (at, line) in lines {
            text.push_str(&frame(since(begun, *at), side, '!', line));
            text.push('\n');
        }
    }
    text
}
