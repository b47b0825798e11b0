//! The arbiter's desk of the run that is played: what is asked there goes to whoever conducts.
//!
//! May not: judge what is asked.

use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::cli::console::Console;
use crate::run::conduct::{Answer, Asked, Stopper};
use crate::shell::desk::{Desk, Reply};
use crate::tournament::arbiter::Command;

/// How long whoever conducts may take: a commit, or the end of a game that is adjudicated.
const PATIENCE: Duration = Duration::from_secs(25);
/// Most remarks that wait to be shown; more are lost.
const REMARKS: usize = 16;

/// The desk, and what it has to say. Dropping it closes it.
pub(super) struct OpenDesk {
    desk: Option<Desk>,
    conductor: Arc<OnceLock<Stopper>>,
    remarks: Receiver<String>,
}

impl OpenDesk {
    /// Opens the desk of the run in `dir`, whose lock is held. Where that fails the event is played without one, which is
    /// said.
    pub(super) fn open(dir: &Path, console: &Console) -> Self {
        let conductor = Arc::new(OnceLock::new());
        let (remark, remarks) = mpsc::sync_channel(REMARKS);
        let asked = Arc::clone(&conductor);
        let desk = Desk::open(dir, move |command| ask(&asked, command), remark);
        if let Err(error) = &desk {
            console.warn(&format!(
                "no arbiter's desk: {error}; acts of the arbiter have to wait until this runner has stopped"
            ));
        }
        Self {
            desk: desk.ok(),
            conductor,
            remarks,
        }
    }

    /// From now on what is asked goes to the loop behind `conductor`.
    pub(super) fn conduct(&self, conductor: Stopper) {
        // It is told once.
        let _ = self.conductor.set(conductor);
    }

    /// Shows who was turned away.
    pub(super) fn tell(&self, console: &Console) {
        for remark in self.remarks.try_iter() {
            console.say(&remark);
        }
    }

    /// Closes it: what was asked is answered, nothing more is taken.
    pub(super) fn close(&mut self) {
        self.desk = None;
    }
}

fn ask(conductor: &OnceLock<Stopper>, command: Command) -> Reply<Answer> {
    let Some(conductor) = conductor.get() else {
        return Reply::Starting;
    };
    let (answer, answered) = mpsc::channel();
    conductor.ask(Asked { command, answer });
    match answered.recv_timeout(PATIENCE) {
        Ok(answer) => Reply::Answer(answer),
        // Let go unanswered, it was not carried out.
        Err(RecvTimeoutError::Disconnected) => Reply::Closing,
        Err(RecvTimeoutError::Timeout) => Reply::Unanswered,
    }
}
