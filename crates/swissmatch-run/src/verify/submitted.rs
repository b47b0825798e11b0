//! Whether players played what they handed in: the newest of it that was accepted in time.
//!
//! May not: judge a submission again.

use super::{CheckFailure, Finding, finding};
use crate::open_run::OpenRun;
use crate::submissions;
use swissmatch_tournament::log::Entry;

/// What is found; `None`: nothing was handed in to this event.
pub(super) fn look(run: &OpenRun) -> Option<Finding> {
    let first = run.logged.first()?;
    let Entry::Created(created) = &first.entry else {
        return None;
    };
    created.setup.submissions.contract?;
    let look = || {
        let began = first.at.parse().map_err(|error| format!("entry 1: {error}"))?;
        let wrong =
            submissions::verify(created, began, &run.dir).map_err(|error| CheckFailure::Skipped(error.to_string()))?;
        match wrong.into_iter().next() {
            Some(wrong) => Err(CheckFailure::Wrong(wrong)),
            None => Ok(created
                .setup
                .players
                .iter()
                .filter(|player| player.submission.is_some())
                .count()),
        }
    };
    Some(finding("submissions", ["player", "players"], look()))
}
