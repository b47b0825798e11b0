//! The key by which a run's published files are signed, read before anything starts.
//!
//! May not: sign.

use std::path::{Path, PathBuf};

use swissmatch_config::ConfigError;
use swissmatch_host::signature::Signer;

use super::anchors::is_in_run;
use super::error::RunError;
use super::event_file::EventFile;

/// The key that names it.
const KEY: &str = "publish.sign";

/// Where the private key of an event is, if it has one.
pub(super) fn path_of(event: &EventFile) -> Option<PathBuf> {
    let sign = event.loaded.setup.publish.sign.as_ref();
    sign.map(|path| event.directory.join(path))
}

/// The key by which an event is signed that workers play; its run is to be in `dir`.
///
/// # Errors
/// When it has none, or that cannot be used; the key of the event file is named.
pub fn signer(event: &EventFile, dir: &Path) -> Result<Signer, RunError> {
    read(event, dir)?.ok_or_else(|| {
        RunError::Event(ConfigError {
            help: Some(
                "make a key (ssh-keygen -t ed25519 -N '' -f owner.key) and write publish.sign = \"owner.key\"; workers are given owner.key.pub"
                    .to_owned(),
            ),
            ..event.loaded.error_at(KEY, "workers play events alone that are signed, and this one is not".to_owned())
        })
    })
}

/// Reads the private key of an event; its run is to be in `dir`.
///
/// # Errors
/// When it cannot be used; the key of the event file is named.
pub(super) fn read(event: &EventFile, dir: &Path) -> Result<Option<Signer>, RunError> {
    let Some(path) = path_of(event) else {
        return Ok(None);
    };
    let refused = |message: String, help: String| {
        RunError::Event(ConfigError {
            help: Some(help),
            ..event.loaded.error_at(KEY, format!("{}: {message}", path.display()))
        })
    };
    if is_in_run(&path, dir) {
        let message = format!(
            "it is in the directory of the run, {}, which others are given",
            dir.display()
        );
        return Err(refused(message, "keep the key elsewhere".to_owned()));
    }
    let signer = Signer::read(&path).map_err(|why| refused(why.to_string(), why.remedy(&path)))?;
    Ok(Some(signer))
}
