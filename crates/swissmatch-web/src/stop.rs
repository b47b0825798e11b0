//! How threads and connections of the server learn that it ends.
//!
//! May not: end anything.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StopStage {
    #[default]
    Serves,
    /// The last news have been told and streams end. The last page can still be asked for.
    HasTold,
    /// Connections are closed.
    Closes,
}

/// Tells threads and connections that the server ends.
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

    /// Waits until the server is asked to stop, at most for `longest`.
    pub(super) fn wait(&self, longest: Duration) {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.heard.wait_timeout_while(asked, longest, |asked| !*asked));
    }

    pub(super) fn reach(&self, stage: StopStage) {
        self.stage.send_replace(stage);
    }

    /// A receiver that hears each new stage.
    pub(super) fn stage(&self) -> watch::Receiver<StopStage> {
        self.stage.subscribe()
    }
}

/// Waits until the server has reached this stage.
pub(super) async fn reached(heard: &mut watch::Receiver<StopStage>, stage: StopStage) {
    let _ = heard.wait_for(|now| *now >= stage).await;
}
