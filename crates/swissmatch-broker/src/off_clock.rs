//! Time that is not the agent's: waits for a place at the service, and tries that the service failed.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time off the clock for one question to a player. The reading grows while such time runs.
#[derive(Debug, Default)]
pub(crate) struct OffClock(Mutex<OffClockTime>);

#[derive(Debug, Default)]
struct OffClockTime {
    settled: Duration,
    running_since: Option<Instant>,
}

impl OffClock {
    fn with<T>(&self, work: impl FnOnce(&mut OffClockTime) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Starts a new question, with no time off the clock.
    pub(crate) fn reset(&self) {
        self.with(|counted| *counted = OffClockTime::default());
    }

    /// From `since` on, time is off the clock, including the time that has passed since then. If called twice, the
    /// earlier `since` counts, so that the reading never shrinks meanwhile.
    pub(crate) fn run(&self, since: Instant) {
        self.with(|counted| {
            counted.running_since = Some(counted.running_since.map_or(since, |running| running.min(since)));
        });
    }

    /// Puts time on the clock again.
    pub(crate) fn settle(&self, now: Instant) {
        self.with(|counted| {
            if let Some(since) = counted.running_since.take() {
                counted.settled += now.saturating_duration_since(since);
            }
        });
    }

    /// Takes the running time back: it was the agent's after all.
    pub(crate) fn take_back(&self) {
        self.with(|counted| counted.running_since = None);
    }

    pub(crate) fn is_running(&self) -> bool {
        self.with(|counted| counted.running_since.is_some())
    }

    /// The time off the clock so far.
    pub(crate) fn read(&self, now: Instant) -> Duration {
        self.with(|counted| {
            let running = counted.running_since.map(|since| now.saturating_duration_since(since));
            counted.settled + running.unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_is_read_and_may_be_taken_back() {
        let off = OffClock::default();
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        off.run(at(0));
        assert_eq!(off.read(at(3)), Duration::from_secs(3));
        assert!(off.is_running());
        off.settle(at(4));
        assert!(!off.is_running());
        assert_eq!(off.read(at(9)), Duration::from_secs(4));
        off.run(at(9));
        off.run(at(11));
        assert_eq!(off.read(at(12)), Duration::from_secs(7));
        off.run(at(8));
        assert_eq!(off.read(at(12)), Duration::from_secs(8));
        off.take_back();
        assert_eq!(off.read(at(12)), Duration::from_secs(4));
        off.reset();
        assert_eq!(off.read(at(12)), Duration::ZERO);
    }
}
