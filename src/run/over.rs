//! A run that is over and is taken up again: its files are seen to.

use std::path::Path;

use crate::shell::anchor::Target;
use crate::shell::run_dir::{self, RunDir};
use crate::shell::signature::Signer;
use crate::shell::store::{Head, Store};
use crate::tournament::state::State;

use super::anchors::Anchors;
use super::error::RunError;
use super::publish::{Publisher, Signing};

/// A run that is over and stays as it is.
#[derive(Debug)]
pub struct Over {
    pub(super) dir: RunDir,
    pub(super) state: State,
    pub(super) created_at: String,
    pub(super) anchors: Vec<Target>,
    pub(super) signer: Option<Signer>,
    /// Which run it is, and where its log ends.
    pub(super) id: String,
    pub(super) head: Head,
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

    /// Sees to its files, and tells its anchors where its log ends.
    ///
    /// # Errors
    /// When the files cannot be written, or an anchor does not take its line.
    pub fn publish(self) -> Result<(), RunError> {
        let dir = self.dir.path();
        let signing = self.signer.map(|signer| Signing {
            signer,
            run: self.id.clone(),
            head: self.head.clone(),
        });
        let publisher =
            Publisher::start(dir, &self.state, &self.created_at, None, signing).map_err(RunError::machine)?;
        let published = publisher.finish(&self.state);
        // A runner may have ended before it merged the log. Where a reader holds it, it is complete all the same.
        let _ = Store::merge(&run_dir::log(dir));
        published.map_err(RunError::machine)?;
        let anchors = Anchors::start(self.anchors, &self.id, self.head).map_err(RunError::machine)?;
        let is_over = true;
        anchors
            .finish()
            .map_err(|anchors| RunError::NotAnchored { is_over, anchors })
    }
}
