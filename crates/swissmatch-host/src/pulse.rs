//! Pauses of the runner: times in which it was stopped with all its threads, by a signal, a frozen group of processes
//! or a machine that stood still. One thread sleeps a little again and again; if it slept for longer than it wanted,
//! and did not wait for a processor, there was a pause.
//!
//! Time in which the machine is suspended does not count on the clock that everything here is measured by. May not:
//! judge.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::engine::delay;
use super::threads;

/// How long it sleeps.
const BEAT: Duration = Duration::from_millis(10);
/// How much longer does not count as a pause; more without the kernel's count of its waits, which may look like one.
const SLACK: Duration = Duration::from_millis(5);
const UNCOUNTED_SLACK: Duration = Duration::from_secs(1);
/// How many beats may be missing on a busy machine.
const BEATS_WITHOUT_SIGN: u32 = 3;
/// How long to wait for a beat.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many of the last pauses are remembered.
const KEPT: usize = 4096;

static PULSE: Mutex<Option<Pulse>> = Mutex::new(None);

#[derive(Debug)]
struct Pulse {
    last: Instant,
    /// The begin and the end of each pause.
    pauses: VecDeque<(Instant, Instant)>,
}

impl Pulse {
    /// A beat of the thread, which has waited this long for a processor since the last one; `None` if unknown.
    fn beat(&mut self, now: Instant, waited: Option<Duration>) {
        let slack = if waited.is_some() { SLACK } else { UNCOUNTED_SLACK };
        let until = now - waited.unwrap_or_default().min(now - self.last);
        if until - self.last > BEAT + slack {
            self.pauses.push_back((self.last, until));
            let surplus = self.pauses.len().saturating_sub(KEPT);
            self.pauses.drain(..surplus);
        }
        self.last = now;
    }

    /// How much of a time was pauses.
    fn within(&self, from: Instant, to: Instant) -> Duration {
        let pauses = self.pauses.iter();
        let overlaps = pauses.map(|&(begin, end)| end.min(to).saturating_duration_since(begin.max(from)));
        overlaps.sum()
    }
}

fn pulse() -> MutexGuard<'static, Option<Pulse>> {
    PULSE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to look for pauses, once in this process.
///
/// # Errors
/// The machine has no thread for it.
pub(super) fn start() -> io::Result<()> {
    let mut pulse = pulse();
    if pulse.is_none() {
        threads::start("pulse", beat_for_ever)?;
        *pulse = Some(Pulse {
            last: Instant::now(),
            pauses: VecDeque::new(),
        });
    }
    Ok(())
}

fn beat_for_ever() {
    let mut before = delay::so_far();
    loop {
        std::thread::sleep(BEAT);
        let waited = delay::so_far();
        let since = waited.zip(before).map(|(waited, before)| waited.saturating_sub(before));
        before = waited;
        if let Some(pulse) = &mut *pulse() {
            pulse.beat(Instant::now(), since);
        }
    }
}

/// How much of a time was pauses. Unless `exactly`, the last [`BEATS_WITHOUT_SIGN`] beats of that time may be missing.
pub(super) fn paused(from: Instant, to: Instant, exactly: bool) -> Duration {
    // A pause shows at the beat after it.
    let patience = Instant::now() + PATIENCE;
    let awaited = if exactly { to } else { to - BEATS_WITHOUT_SIGN * BEAT };
    loop {
        match &*pulse() {
            None => return Duration::ZERO,
            Some(pulse) if pulse.last >= awaited || Instant::now() >= patience => return pulse.within(from, to),
            Some(_) => {}
        }
        std::thread::sleep(BEAT / 5);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn a_beat_that_comes_late_is_a_pause_unless_it_waited_for_a_processor() {
        let begin = Instant::now();
        let pulse = || Pulse {
            last: begin,
            pauses: VecDeque::new(),
        };
        let paused = |after, waited| {
            let mut pulse = pulse();
            pulse.beat(begin + ms(after), waited);
            pulse.within(begin, begin + ms(10_000))
        };
        assert_eq!(paused(12, Some(ms(0))), ms(0));
        assert_eq!(paused(5_000, Some(ms(0))), ms(5_000));
        assert_eq!(paused(300, Some(ms(290))), ms(0), "a busy machine");
        assert_eq!(paused(5_300, Some(ms(290))), ms(5_010));
        assert_eq!(paused(300, None), ms(0), "which is not known");
        assert_eq!(paused(5_000, None), ms(5_000));
        let mut twice = pulse();
        twice.beat(begin + ms(100), Some(ms(0)));
        twice.beat(begin + ms(110), Some(ms(0)));
        twice.beat(begin + ms(210), Some(ms(0)));
        assert_eq!(twice.within(begin + ms(50), begin + ms(120)), ms(60), "what overlaps");
    }

    #[test]
    fn the_time_of_this_thread_is_no_pause_for_long() {
        start().expect("a thread");
        let begin = Instant::now();
        std::thread::sleep(ms(50));
        assert!(paused(begin, Instant::now(), true) < ms(1_000));
    }
}
