//! Standard error of an engine: the last lines, each with the instant at which its end was read, and the alarms in all
//! of it.
//!
//! May not: grow without bound, whatever an engine writes.

use std::time::Instant;

use swissmatch_game::alarm::{HeardAlarm, Patterns, Scanner};
use swissmatch_game::transcript::Direction;

/// How many last bytes are kept.
const KEPT: usize = 64 * 1024;

/// The last part of an engine's standard error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineStderr {
    /// Lines without their ends, each with the instant at which its end was read.
    pub lines: Vec<(Instant, Vec<u8>)>,
    /// Bytes before them that were not kept.
    pub lost: u64,
    /// Alarms in all of it that were not taken before.
    pub alarms: Vec<HeardAlarm>,
    /// What was said on other streams during the start, if nobody has taken it before.
    pub handshake: Vec<SpokenLine>,
}

/// When a line was said, which way, and its text without the end.
pub type SpokenLine = (Instant, Direction, Vec<u8>);

/// What has been read and nobody has taken yet.
#[derive(Debug, Default)]
pub(super) struct Errors {
    handshake: Vec<SpokenLine>,
    text: Vec<u8>,
    /// The length of the text after each read, and the time of the read.
    reads: Vec<(usize, Instant)>,
    /// A line ended in the last of them.
    has_ended_one: bool,
    lost: u64,
    scanner: Scanner,
}

impl Errors {
    /// Nothing read yet; `alarms` are those of the engine.
    pub(super) fn new(alarms: Patterns) -> Self {
        Self {
            scanner: Scanner::new(alarms),
            ..Self::default()
        }
    }

    /// Adds bytes that were read at this instant.
    pub(super) fn add(&mut self, bytes: &[u8], at: Instant) {
        // A read without the end of a line counts as part of the next.
        self.reads.pop_if(|_| !self.has_ended_one);
        self.has_ended_one = bytes.contains(&b'\n');
        self.scanner.add(bytes);
        self.text.extend_from_slice(bytes);
        self.reads.push((self.text.len(), at));
        if self.text.len() > 2 * KEPT {
            let surplus = self.text.len() - KEPT;
            self.text.drain(..surplus);
            self.lost += surplus as u64;
            self.reads.retain_mut(|(end, _)| {
                *end = end.saturating_sub(surplus);
                *end > 0
            });
        }
    }

    /// Everything since the last call; a line without its end counts as one.
    pub(super) fn take(&mut self) -> EngineStderr {
        let text = std::mem::take(&mut self.text);
        let mut reads = std::mem::take(&mut self.reads).into_iter().peekable();
        let mut end = 0;
        let mut lines = Vec::new();
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            end += line.len();
            while reads.next_if(|(read, _)| *read < end).is_some() {}
            let at = reads.peek().map_or_else(Instant::now, |(_, at)| *at);
            lines.push((at, line.strip_suffix(b"\n").unwrap_or(line).to_vec()));
        }
        EngineStderr {
            lines,
            lost: std::mem::take(&mut self.lost),
            alarms: self.scanner.take(),
            handshake: std::mem::take(&mut self.handshake),
        }
    }

    /// Keeps what was said while the engine was started.
    pub(super) fn keep_handshake(&mut self, handshake: Vec<SpokenLine>) {
        self.handshake = handshake;
    }

    /// The last part of what nobody has taken.
    pub(super) fn so_far(&self) -> &[u8] {
        &self.text
    }

    /// True if there are alarms to listen for.
    pub(super) const fn has_alarms(&self) -> bool {
        !self.scanner.is_idle()
    }

    /// Alarms since the last call; the lines stay.
    pub(super) fn take_alarms(&mut self) -> Vec<HeardAlarm> {
        self.scanner.take()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn texts(complaint: &EngineStderr) -> Vec<String> {
        let lines = complaint.lines.iter();
        lines
            .map(|(_, line)| String::from_utf8_lossy(line).into_owned())
            .collect()
    }

    #[test]
    fn each_line_has_the_instant_of_its_end() {
        let begin = Instant::now();
        let after = |ms| begin + Duration::from_millis(ms);
        let mut errors = Errors::default();
        errors.add(b"one\ntw", after(1));
        errors.add(b"o", after(2));
        errors.add(b"\n\nfour", after(3));
        let complaint = errors.take();
        assert_eq!(texts(&complaint), ["one", "two", "", "four"]);
        let times: Vec<Instant> = complaint.lines.iter().map(|(at, _)| *at).collect();
        assert_eq!(times, [after(1), after(3), after(3), after(3)]);
        assert_eq!(complaint.lost, 0);
        assert_eq!(errors.take(), EngineStderr::default());
        (0..1000).for_each(|at| errors.add(b"x", after(at)));
        assert_eq!(errors.reads.len(), 1);
    }

    #[test]
    fn of_much_the_last_part_is_kept() {
        let mut errors = Errors::default();
        let begin = Instant::now();
        let mut written = 0;
        for number in 0..100_000_u64 {
            let line = format!("line {number}\n");
            written += line.len() as u64;
            errors.add(line.as_bytes(), begin + Duration::from_micros(number));
        }
        assert!(errors.text.len() <= 2 * KEPT && errors.reads.len() <= 2 * KEPT);
        let complaint = errors.take();
        let kept: usize = complaint.lines.iter().map(|(_, line)| line.len() + 1).sum();
        // The first of them has lost its beginning.
        assert_eq!(complaint.lost + kept as u64, written);
        assert_eq!(texts(&complaint).last().map(String::as_str), Some("line 99999"));
        let last = complaint.lines.last().map(|line| line.0);
        assert_eq!(last, Some(begin + Duration::from_micros(99_999)));
    }

    /// Alarms are heard in everything that was written, even if its lines are no longer kept.
    #[test]
    fn alarms_are_heard_in_what_is_not_kept() {
        let begin = Instant::now();
        let mut errors = Errors::new(Patterns::new(&["built-in".to_owned()]));
        assert!(errors.has_alarms() && !Errors::default().has_alarms());
        errors.add(b"a panicked", begin);
        errors.add(b" at b\n", begin);
        (0..100).for_each(|_| errors.add(&[b'e'; 16 * 1024], begin));
        let alarms = errors.take_alarms();
        assert_eq!((alarms.len(), alarms[0].line.as_str()), (1, "a panicked at b"));
        errors.add(b"\nAssertion\n", begin);
        let complaint = errors.take();
        assert!(complaint.lost > 0);
        assert_eq!(complaint.alarms.len(), 1, "{:?}", complaint.alarms);
        assert_eq!(complaint.alarms[0].pattern, "Assertion");
    }
}
