//! Guard and player keep each other going: one that a signal has stopped is sent on by the other.
//!
//! Nobody stops them rightly: the terminal's Ctrl-Z comes to the guard alone, which goes on. May not: stop anybody.

use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::{begun, family};

/// Pause after each time, so that somebody who stops the player again and again costs little.
const PAUSE: Duration = Duration::from_millis(20);
/// How often the player looks whether the guard is stopped.
const LOOK: Duration = Duration::from_millis(100);
/// It is told no more often than this.
const TOLD: Duration = Duration::from_secs(60);

/// When something was done last that is not done again for a while.
#[derive(Debug, Default)]
struct LastTime(Option<Instant>);

impl LastTime {
    /// Whether it was so long ago; then it is done `now`.
    fn is_over(&mut self, pause: Duration, now: Instant) -> bool {
        let is_over = self.0.is_none_or(|last| now.saturating_duration_since(last) >= pause);
        if is_over {
            self.0 = Some(now);
        }
        is_over
    }
}

/// For the guard: waits for the end of the player, which goes on wherever it is stopped before. `tell` is told of that.
pub(super) fn until_ended(player: Pid, mut tell: impl FnMut()) {
    let mut told = LastTime::default();
    loop {
        // Without reaping it, so that its pid stays its own while signals may still be sent to it.
        let news = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
        match rustix::process::waitid(WaitId::Pid(player), news) {
            Err(Errno::INTR) => {}
            Ok(Some(status)) if status.stopped() => {
                // The news of the stop is taken, never that of an end.
                let _ = rustix::process::waitid(WaitId::Pid(player), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
                let _ = rustix::process::kill_process(player, Signal::CONT);
                if told.is_over(TOLD, Instant::now()) {
                    tell();
                }
                std::thread::sleep(PAUSE);
            }
            // It has ended, or there is none.
            _ => return,
        }
    }
}

/// For the player: sends the guard on where that was stopped.
#[derive(Debug, Default)]
pub struct GuardWatch {
    looked: LastTime,
    told: LastTime,
}

impl GuardWatch {
    /// Looks, where that is due; there may be no guard. Whether it had to be sent on, and that is to be told.
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
