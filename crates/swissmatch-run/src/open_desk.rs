//! The arbiter's desk of the run that is played: what is asked there goes to whoever conducts.
//!
//! May not: judge what is asked.

use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tracing::info;

use swissmatch_host::desk::{ArbiterDesk, Reply};
use swissmatch_tournament::arbiter::Command;

use super::conduct::{ActAnswer, AskedAct, Stopper};
use super::notice::Notice;

/// How long whoever conducts may take: a commit, or the end of a game that is adjudicated.
const PATIENCE: Duration = Duration::from_secs(25);
/// Most remarks that wait to be shown; more are lost.
const REMARKS: usize = 16;

/// The desk, and what it has to say. Dropping it closes it.
#[derive(Debug)]
pub(super) struct OpenDesk {
    desk: Option<ArbiterDesk>,
    conductor: Arc<OnceLock<Stopper>>,
    remarks: Receiver<String>,
}

impl OpenDesk {
    /// Opens the desk of the run in `dir`, whose lock is held. Where that fails the event is played without one, and `tell` hears
    /// why.
    pub(super) fn open(dir: &Path, tell: &mut dyn FnMut(Notice)) -> Self {
        let conductor = Arc::new(OnceLock::new());
        let (remark, remarks) = mpsc::sync_channel(REMARKS);
        let asked = Arc::clone(&conductor);
        let desk = ArbiterDesk::open(dir, move |command| ask(&asked, command), remark);
        if let Err(error) = &desk {
            tell(Notice::NoDesk(error.to_string()));
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

    /// Who was turned away since.
    pub(super) fn remarks(&self) -> impl Iterator<Item = String> {
        self.remarks.try_iter()
    }

    /// Closes it: what was asked is answered, nothing more is taken.
    pub(super) fn close(&mut self) {
        self.desk = None;
    }
}

fn ask(conductor: &OnceLock<Stopper>, command: Command) -> Reply<ActAnswer> {
    let Some(conductor) = conductor.get() else {
        return Reply::Starting;
    };
    let (answer, answered) = mpsc::channel();
    conductor.ask(AskedAct { command, answer });
    match answered.recv_timeout(PATIENCE) {
        Ok(answer) => {
            match &answer {
                Ok(answer) => info!(answer, "the arbiter's command is carried out"),
                Err(answer) => info!(answer, "the arbiter's command is refused"),
            }
            Reply::Answer(answer)
        }
        // Let go unanswered, it was not carried out.
        Err(RecvTimeoutError::Disconnected) => Reply::Closing,
        Err(RecvTimeoutError::Timeout) => Reply::Unanswered,
    }
}
