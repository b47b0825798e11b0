//! Guard and player keep each other running: if a signal has stopped one, the other continues it.
//!
//! Nobody has a reason to stop them: the terminal's Ctrl-Z reaches only the guard, which goes on. May not: stop any
//! process.

use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::{begun, family};

/// The pause after each time, so that stopping the player again and again costs little.
const PAUSE: Duration = Duration::from_millis(20);
/// How often the player checks whether the guard is stopped.
const LOOK: Duration = Duration::from_millis(100);
/// Reports come no more often than this.
const TOLD: Duration = Duration::from_secs(60);

/// When something was last done that is not repeated for a while.
#[derive(Debug, Default)]
struct LastTime(Option<Instant>);

impl LastTime {
    /// True if the last time was at least `pause` ago; `now` then becomes the last time.
    fn is_over(&mut self, pause: Duration, now: Instant) -> bool {
        let is_over = self.0.is_none_or(|last| now.saturating_duration_since(last) >= pause);
        if is_over {
            self.0 = Some(now);
        }
        is_over
    }
}

/// For the guard: waits for the end of the player, and continues it whenever it is stopped. `tell` is called for a
/// report.
pub(super) fn until_ended(player: Pid, mut tell: impl FnMut()) {
    let mut told = LastTime::default();
    loop {
        // Without reaping it, so that its pid stays its own while signals may still be sent to it.
        let news = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
        match rustix::process::waitid(WaitId::Pid(player), news) {
            Err(Errno::INTR) => {}
            Ok(Some(status)) if status.stopped() => {
                // Takes the news of the stop, never that of an end.
                let _ = rustix::process::waitid(WaitId::Pid(player), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
                let _ = rustix::process::kill_process(player, Signal::CONT);
                if told.is_over(TOLD, Instant::now()) {
                    tell();
                }
                std::thread::sleep(PAUSE);
            }
            // It has ended, or does not exist.
            _ => return,
        }
    }
}

/// For the player: continues the guard if it was stopped.
#[derive(Debug, Default)]
pub struct GuardWatch {
    looked: LastTime,
    told: LastTime,
}

impl GuardWatch {
    /// Checks the guard, if it is time; there may be none. Returns whether it was continued and a report is due.
    pub fn look(&mut self) -> bool {
        let now = Instant::now();
        if !begun::is_guarded() || !self.looked.is_over(LOOK, now) {
            return false;
        }
        let guard = rustix::process::getppid();
        let stopped = guard.filter(|guard| family::is_stopped(*guard));
        let goes_on = stopped.is_some_and(|guard| rustix::process::kill_process(guard, Signal::CONT).is_ok());
        goes_on && self.told.is_over(TOLD, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_again_and_again_is_told_once_a_minute() {
        let begin = Instant::now();
        let mut told = LastTime::default();
        let is_told =
            [0, 1, 59, 60, 61, 119, 125].map(|second| told.is_over(TOLD, begin + Duration::from_secs(second)));
        assert_eq!(is_told, [true, false, false, true, false, false, true]);
    }
}
