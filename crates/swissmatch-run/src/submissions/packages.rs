//! The packages of the environment in which submissions play: part of each version, and of what a run was begun with.
//!
//! May not: read the environment; that is the host's.

use std::collections::BTreeMap;

use crate::error::RunError;
use crate::event_file::EventFile;
use swissmatch_config::ConfigError;
use swissmatch_host::packages;
use swissmatch_tournament::setup::{Package, Setup};

/// Most changes that are named.
const NAMED: usize = 5;

/// Notes what is installed now; what differs from another setup of the event is told.
///
/// # Errors
/// When the environment cannot be read.
pub(crate) fn note_packages(event: &mut EventFile, before: Option<(&Setup, String)>) -> Result<(), RunError> {
    let setup = &mut event.loaded.setup;
    let Some(environment) = setup
        .submissions
        .python
        .as_ref()
        .filter(|_| setup.submissions.contract.is_some())
    else {
        return Ok(());
    };
    let now = packages::packages(&event.directory.join(environment)).map_err(RunError::machine)?;
    if let Some((then, when)) = before
        && let Some(changes) = changes(then, &now)
    {
        event.loaded.warnings.push(format!(
            "the environment of Python is not that of {when}: {changes}; what is handed in plays as a new version"
        ));
    }
    setup.submissions.packages = Some(now);
    Ok(())
}

/// That what is installed is what a run was begun with, which the event has then.
///
/// # Errors
/// What differs, or when the environment cannot be read.
pub(crate) fn require_packages(event: &mut EventFile, registered: &Setup) -> Result<(), RunError> {
    note_packages(event, None)?;
    let submissions = &mut event.loaded.setup.submissions;
    let now = std::mem::replace(&mut submissions.packages, registered.submissions.packages.clone());
    match now.and_then(|now| changes(registered, &now)) {
        None => Ok(()),
        Some(changes) => {
            let message = format!("the environment is not as it was when the run began: {changes}");
            Err(RunError::Event(ConfigError {
                help: Some("install what was there; --fresh begins anew".to_owned()),
                ..event.loaded.error_at("submissions.python", message)
            }))
        }
    }
}

/// What is not as it was in a few words; `None`: nothing, or nobody looked then.
fn changes(then: &Setup, now: &[Package]) -> Option<String> {
    let then = then.submissions.packages.as_deref()?;
    let by_name = |packages: &'_ [Package]| -> BTreeMap<String, Package> {
        packages
            .iter()
            .map(|package| (package.name.clone(), package.clone()))
            .collect()
    };
    let (was, is) = (by_name(then), by_name(now));
    let gone = was.values().filter(|package| !is.contains_key(&package.name));
    let gone = gone.map(|package| format!("{} {} is gone", package.name, package.version));
    let others = is.values().filter_map(|package| match was.get(&package.name) {
        None => Some(format!("{} {} is new", package.name, package.version)),
        Some(same) if same == package => None,
        Some(other) if other.version != package.version => {
            Some(format!("{} {} → {}", package.name, other.version, package.version))
        }
        Some(_) => Some(format!("{} {} has other files", package.name, package.version)),
    });
    let mut changes: Vec<String> = gone.chain(others).collect();
    let more = changes.len().saturating_sub(NAMED);
    changes.truncate(NAMED);
    if more > 0 {
        changes.push(format!("and {more} more"));
    }
    (!changes.is_empty()).then(|| changes.join(", "))
}
