//! A run that is over and is taken up again: its files are seen to.

use std::path::Path;

use crate::shell::run_dir::{self, RunDir};
use crate::shell::store::Store;
use crate::tournament::state::State;

use super::error::RunError;
use super::publish::Publisher;

/// A run that is over and stays as it is.
#[derive(Debug)]
pub struct Over {
    pub(super) dir: RunDir,
    pub(super) state: State,
    pub(super) created_at: String,
}

impl Over {
    /// What follows from its log.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Its directory.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Sees to its files.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn publish(&self) -> Result<(), RunError> {
        let dir = self.dir.path();
        let publisher = Publisher::start(dir, &self.state, &self.created_at, None).map_err(RunError::machine)?;
        let published = publisher.finish(&self.state);
        // A runner may have ended before it merged the log. Where a reader holds it, it is complete all the same.
        let _ = Store::merge(&run_dir::log(dir));
        published.map_err(RunError::machine)
    }
}
