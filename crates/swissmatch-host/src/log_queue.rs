//! Lines about the runner's own work on their way to a file or a terminal. Nobody who adds a line ever waits: a thread
//! of its own writes them, and if it does not keep up, lines are lost and counted.
//!
//! May not: know what the lines say.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use swiss_system::count;
use swiss_system::text::escaped;

use super::threads;

/// The most lines that wait.
const MOST: usize = 4096;
/// The most bytes of a line.
const LONGEST: usize = 4096;

/// A queue of lines. Its clones are the same queue; each write to it is a line.
#[derive(Clone, Debug, Default)]
pub struct LogQueue(Arc<SharedLogQueue>);

#[derive(Debug, Default)]
struct SharedLogQueue {
    state: Mutex<LogQueueState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct LogQueueState {
    waiting: VecDeque<String>,
    lost: LostLines,
    /// How many of them were lost behind those that wait.
    dropped: u64,
    has_writer: bool,
    is_closing: bool,
    is_done: bool,
}

/// Lines that were not written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LostLines {
    pub lines: u64,
    /// Why the first of them could not be written; `None` if they came too fast.
    pub why: Option<String>,
}

impl fmt::Display for LostLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = self.why.as_deref().unwrap_or("they came too fast");
        write!(f, "{}: {why}", missing(self.lines))
    }
}

fn missing(lines: u64) -> String {
    let lines = usize::try_from(lines).unwrap_or(usize::MAX);
    count::of(lines, "line is missing", "lines are missing")
}

impl LogQueueState {
    /// Adds a note where lines are missing.
    fn tell_of_dropped(&mut self) {
        if self.dropped > 0 {
            self.waiting.push_back(format!("({})\n", missing(self.dropped)));
            self.dropped = 0;
        }
    }
}

impl LogQueue {
    fn state(&self) -> MutexGuard<'_, LogQueueState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line, made harmless. Lines that come before there is a writer wait for it.
    pub fn push(&self, line: &[u8]) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let mut text = escaped(&line[..line.len().min(LONGEST)]);
        text.push('\n');
        let mut state = self.state();
        if state.is_closing || state.waiting.len() >= MOST {
            state.dropped += 1;
            state.lost.lines += 1;
        } else {
            state.tell_of_dropped();
            state.waiting.push_back(text);
        }
        drop(state);
        self.0.changed.notify_all();
    }

    /// Lets `write` write every line, each with its end. If it cannot, the line is lost, and the next one is tried.
    ///
    /// # Errors
    /// The machine has no thread for it; then nothing is ever written.
    pub fn write_by(&self, mut write: impl FnMut(&str) -> io::Result<()> + Send + 'static) -> io::Result<()> {
        let queue = self.clone();
        let started = threads::start("log lines", move || {
            let mut failed = 0;
            for line in std::iter::from_fn(|| queue.next()).flatten() {
                let told = match failed {
                    0 => Ok(()),
                    lines => write(&format!("({})\n", missing(lines))),
                };
                let written = told.and_then(|()| {
                    failed = 0;
                    write(&line)
                });
                if let Err(error) = written {
                    failed += 1;
                    queue.failed(&error);
                }
            }
            queue.state().is_done = true;
            queue.0.changed.notify_all();
        });
        let mut state = self.state();
        state.has_writer = started.is_ok();
        state.is_closing |= started.is_err();
        started.map(drop)
    }

    /// The lines that wait; `None` at the end.
    fn next(&self) -> Option<VecDeque<String>> {
        let state = self.state();
        let waited = self
            .0
            .changed
            .wait_while(state, |state| state.waiting.is_empty() && !state.is_closing);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.is_closing {
            state.tell_of_dropped();
        }
        let lines = std::mem::take(&mut state.waiting);
        (!lines.is_empty()).then_some(lines)
    }

    fn failed(&self, error: &io::Error) {
        let lost = &mut self.state().lost;
        lost.lines += 1;
        lost.why.get_or_insert_with(|| error.to_string());
    }

    /// Lets the writer finish within `patience`; meanwhile lines are lost. Later ones wait for the next writer. Returns
    /// what was lost, if there is a writer and anything was.
    pub fn close(&self, patience: Duration) -> Option<LostLines> {
        let mut state = self.state();
        state.is_closing = true;
        if state.has_writer {
            self.0.changed.notify_all();
            let waited = self
                .0
                .changed
                .wait_timeout_while(state, patience, |state| !state.is_done);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let lost = (state.has_writer && state.lost.lines > 0).then(|| state.lost.clone());
        if state.is_done || !state.has_writer {
            *state = LogQueueState::default();
        }
        lost
    }
}

impl io::Write for LogQueue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    #[test]
    fn whoever_says_a_line_never_waits() {
        let queue = LogQueue::default();
        let (go_on, held) = mpsc::channel::<()>();
        let (wrote, written) = mpsc::channel();
        let slow = move |line: &str| {
            let _ = held.recv();
            wrote.send(line.to_owned()).map_err(io::Error::other)
        };
        queue.write_by(slow).expect("a thread");
        for number in 0..2 * MOST + 2 {
            queue.push(format!("line {number}\u{1b}\n").as_bytes());
        }
        drop(go_on);
        let lost = queue.close(PATIENCE).expect("there were too many");
        assert!(lost.lines >= 2 && lost.to_string().contains("came too fast"), "{lost}");
        let written: Vec<String> = written.iter().collect();
        assert_eq!(written[0], "line 0\\u{1b}\n");
        assert!(written.iter().any(|line| line.contains("lines are missing")));
        let lines = written.iter().filter(|line| line.starts_with("line")).count();
        assert_eq!(lines as u64 + lost.lines, 2 * MOST as u64 + 2);
    }

    #[test]
    fn what_cannot_be_written_is_counted_and_told_of_later() {
        let queue = LogQueue::default();
        queue.push(b"before there is a writer");
        let (wrote, written) = mpsc::channel();
        let mut is_full = true;
        let disk = move |line: &str| match std::mem::take(&mut is_full) {
            true => Err(io::Error::other("full")),
            false => wrote.send(line.to_owned()).map_err(io::Error::other),
        };
        queue.write_by(disk).expect("a thread");
        queue.push(b"later");
        let why = Some("full".to_owned());
        assert_eq!(queue.close(PATIENCE), Some(LostLines { lines: 1, why }));
        let written: Vec<String> = written.iter().collect();
        assert_eq!(written, ["(1 line is missing)\n", "later\n"]);
    }

    #[test]
    fn lines_after_one_writer_wait_for_the_next() {
        let queue = LogQueue::default();
        let writes_to = |wrote: mpsc::Sender<String>| {
            queue.write_by(move |line| wrote.send(line.to_owned()).map_err(io::Error::other))
        };
        let (wrote, first) = mpsc::channel();
        writes_to(wrote).expect("a thread");
        queue.push(b"of the first");
        assert_eq!(queue.close(PATIENCE), None);
        queue.push(b"between them");
        let (wrote, second) = mpsc::channel();
        writes_to(wrote).expect("a thread");
        queue.push(b"of the second");
        assert_eq!(queue.close(PATIENCE), None);
        let [first, second] = [first, second].map(|written| written.iter().collect::<String>());
        assert_eq!([&*first, &*second], ["of the first\n", "between them\nof the second\n"]);
    }

    #[test]
    fn a_queue_without_a_writer_closes_at_once() {
        let queue = LogQueue::default();
        queue.push(b"nobody asks");
        assert_eq!(queue.close(PATIENCE), None);
    }
}
