//! How threads and connections of the server hear that it ends.
//!
//! May not: end anything.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

/// How far the server is on the way to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StopStage {
    /// It serves.
    #[default]
    Serves,
    /// The last news have been told: streams end. The last page can still be asked for.
    HasTold,
    /// Connections are closed.
    Closes,
}

/// By which threads and connections hear that the server ends.
#[derive(Debug, Default)]
pub(super) struct Stop {
    asked: Mutex<bool>,
    heard: Condvar,
    stage: watch::Sender<StopStage>,
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

    /// It is as far as this now.
    pub(super) fn reach(&self, stage: StopStage) {
        self.stage.send_replace(stage);
    }

    /// By which one hears how far it is.
    pub(super) fn stage(&self) -> watch::Receiver<StopStage> {
        self.stage.subscribe()
    }
}

/// Waits until the server is as far as this.
pub(super) async fn reached(heard: &mut watch::Receiver<StopStage>, stage: StopStage) {
    let _ = heard.wait_for(|now| *now >= stage).await;
}
