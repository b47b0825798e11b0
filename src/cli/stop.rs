//! Requests to stop, from the first moment on: before anything is made they end the program, later they wait for whoever
//! conducts.

use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use crate::run::conduct::Stopper;
use crate::shell::machine;

/// Where requests to stop arrive.
#[derive(Clone)]
pub(super) struct StopRequests(Arc<Mutex<Stage>>);

enum Stage {
    /// Nothing has been made: a request ends the program with this exit code.
    Nothing(u8),
    /// The run is being set up or taken up; so many requests wait.
    Begun(u32),
    /// Somebody conducts.
    Conducted(Stopper),
}

impl StopRequests {
    /// Takes SIGINT and SIGTERM from now on.
    ///
    /// # Errors
    /// When signals cannot be taken.
    pub(super) fn heed(interrupted: u8) -> io::Result<Self> {
        let requests = Self(Arc::new(Mutex::new(Stage::Nothing(interrupted))));
        let heeded = requests.clone();
        machine::on_stop_signals(move || heeded.request())?;
        Ok(requests)
    }

    fn request(&self) {
        match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Stage::Nothing(interrupted) => {
                // Standard error may be a pipe that nobody reads any more.
                let _ = writeln!(io::stderr(), "swissmatch: interrupted before any game was begun");
                std::process::exit((*interrupted).into());
            }
            Stage::Begun(waiting) => *waiting += 1,
            Stage::Conducted(stopper) => stopper.stop(),
        }
    }

    /// From now on something is made.
    pub(super) fn begin(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Stage::Begun(0);
    }

    /// From now on requests go to `stopper`, those that waited first.
    pub(super) fn conduct(&self, stopper: Stopper) {
        let mut stage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Stage::Begun(waiting) = *stage {
            (0..waiting).for_each(|_| stopper.stop());
        }
        *stage = Stage::Conducted(stopper);
    }
}
