//! How the threads of the server hear that it ends.
//!
//! May not: end anything.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

/// By which threads hear that the server ends.
#[derive(Debug, Default)]
pub(super) struct Stop {
    asked: Mutex<bool>,
    heard: Condvar,
    /// Whether the last news have been told.
    told: watch::Sender<bool>,
}

impl Stop {
    pub(super) fn ask(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.heard.notify_all();
    }

    pub(super) fn is_asked(&self) -> bool {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is asked, at most so long.
    pub(super) fn wait(&self, longest: Duration) {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.heard.wait_timeout_while(asked, longest, |asked| !*asked));
    }

    /// From now on streams end.
    pub(super) fn has_told(&self) {
        self.told.send_replace(true);
    }

    /// Whether streams end, to be waited for.
    pub(super) fn ends(&self) -> watch::Receiver<bool> {
        self.told.subscribe()
    }
}
