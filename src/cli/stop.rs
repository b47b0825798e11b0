//! Requests to stop, from the first moment on: before anything is made they end the program, later one waits for whoever
//! conducts, and a second one does not.

use std::io::{self, Write as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use swissmatch_host::machine;
use swissmatch_run::conduct::Stopper;

/// Where requests to stop arrive.
#[derive(Clone)]
pub(super) struct StopRequests(Arc<Mutex<StopState>>);

enum StopState {
    /// Nothing has been made: a request ends the program with this exit code.
    Nothing(u8),
    /// The run is being set up or taken up, and a request may wait; the next one ends the program with this exit code.
    Begun(u8, Option<WaitingStop>),
    /// Somebody conducts, whom a request asks so often: once for games under way to be finished, twice to stop at once.
    Conducted {
        stopper: Stopper,
        times: usize,
        was_asked: bool,
    },
    /// Everything is done, and a page stays: a request ends that, the next one the program with this exit code.
    Stays(u8, Option<Sender<()>>),
}

impl StopState {
    /// Whether there has been a request.
    const fn has_heard(&self) -> bool {
        matches!(self, Self::Begun(_, Some(_)) | Self::Conducted { was_asked: true, .. })
    }
}

/// A request that waits.
struct WaitingStop;

impl StopRequests {
    /// Takes SIGINT and SIGTERM from now on.
    ///
    /// # Errors
    /// When signals cannot be taken.
    pub(super) fn heed(interrupted: u8) -> io::Result<Self> {
        let requests = Self(Arc::new(Mutex::new(StopState::Nothing(interrupted))));
        let heeded = requests.clone();
        machine::on_stop_signals(move || heeded.request())?;
        Ok(requests)
    }

    fn request(&self) {
        match &mut *self.stage() {
            StopState::Begun(_, waiting @ None) => *waiting = Some(WaitingStop),
            StopState::Nothing(interrupted) | StopState::Begun(interrupted, _) => {
                // Standard error may be a pipe that nobody reads any more.
                let _ = writeln!(
                    io::stderr(),
                    "swissmatch: interrupted before any game was begun this time"
                );
                std::process::exit((*interrupted).into());
            }
            StopState::Conducted {
                stopper,
                times,
                was_asked,
            } => {
                *was_asked = true;
                (0..*times).for_each(|_| stopper.stop());
            }
            StopState::Stays(exit, end) => match end.take() {
                Some(end) if end.send(()).is_ok() => {}
                _ => std::process::exit((*exit).into()),
            },
        }
    }

    /// As at the beginning, for what comes next; whether there has been no request.
    pub(super) fn begin_again(&self, interrupted: u8) -> bool {
        let mut stage = self.stage();
        let goes_on = !stage.has_heard();
        if goes_on {
            *stage = StopState::Nothing(interrupted);
        }
        goes_on
    }

    /// From now on something is made.
    pub(super) fn begin(&self) {
        let mut stage = self.stage();
        if let StopState::Nothing(interrupted) = *stage {
            *stage = StopState::Begun(interrupted, None);
        }
    }

    /// From now on requests go to `stopper`, the one that waited first; `at_once`: already the first one does not wait for games.
    pub(super) fn conduct(&self, stopper: Stopper, at_once: bool) {
        let mut stage = self.stage();
        let times = if at_once { 2 } else { 1 };
        let was_asked = matches!(*stage, StopState::Begun(_, Some(WaitingStop)));
        if was_asked {
            (0..times).for_each(|_| stopper.stop());
        }
        *stage = StopState::Conducted {
            stopper,
            times,
            was_asked,
        };
    }

    /// Whether there has been a request.
    pub(super) fn were_heard(&self) -> bool {
        self.stage().has_heard()
    }

    /// Everything is done, with this exit code, and requests end what stays: the first comes here.
    pub(super) fn stay(&self, exit: u8) -> Receiver<()> {
        let (end, ends) = channel();
        let mut stage = self.stage();
        // It came while the last words were said.
        if stage.has_heard() {
            let _ = end.send(());
        }
        *stage = StopState::Stays(exit, Some(end));
        ends
    }

    fn stage(&self) -> MutexGuard<'_, StopState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
