//! A run that is over and is taken up again: its files are seen to.

use std::path::Path;

use swissmatch_host::anchor::AnchorTarget;
use swissmatch_host::broadcast;
use swissmatch_host::run_dir::{self, RunDir};
use swissmatch_host::signature::Signer;
use swissmatch_host::store::{Head, Store};
use swissmatch_tournament::state::State;

use super::anchors::Anchors;
use super::error::RunError;
use super::publish::{Publisher, Signing};
use super::viewers::Viewers;

/// A run that is over and stays as it is.
#[derive(Debug)]
pub struct FinishedRun {
    pub(super) dir: RunDir,
    pub(super) state: State,
    pub(super) created_at: String,
    pub(super) anchors: Vec<AnchorTarget>,
    pub(super) broadcast: Option<broadcast::BroadcastTarget>,
    pub(super) signer: Option<Signer>,
    /// Which run it is, and where its log ends.
    pub(super) id: String,
    pub(super) head: Head,
}

impl FinishedRun {
    /// What follows from its log.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Its directory.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Sees to its files, tells its anchors where its log ends, and shows its games where they are broadcast.
    ///
    /// # Errors
    /// When the files cannot be written, an anchor does not take its line, or games are not shown.
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
        let anchored = anchors.finish();
        if self.broadcast.is_some() {
            let viewers = Viewers::start(dir, &self.state, self.broadcast).map_err(RunError::machine)?;
            if let Some((viewers, lines)) = viewers {
                // Nothing is played.
                drop(lines);
                // What went wrong on the way and came right is nobody's concern.
                let (_, shown) = viewers.finish();
                shown.map_err(|why| RunError::NotShown { is_over, why })?;
            }
        }
        anchored.map_err(|anchors| RunError::NotAnchored { is_over, anchors })
    }
}
