//! What lies in the directory in which an event is to be played, before anything is done there.
//!
//! May not: change it.

use std::io;
use std::path::{Path, PathBuf};

use crate::shell::store::{Logged, Store};
use crate::shell::{files, run_dir};

use super::error::RunError;
use super::run_files;

/// The log of the run in `dir`, read without touching it, so that a run that is refused stays as it is; empty where none
/// was begun.
pub(super) fn stored(dir: &Path) -> Result<Vec<Logged>, RunError> {
    let log = run_dir::log(dir);
    let is_blank = || match log.metadata() {
        Ok(there) => Ok(there.len() == 0),
        // A link that leads nowhere is no log that was not begun: what it leads to may come back.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !log.is_symlink() => Ok(true),
        Err(error) => Err(RunError::machine(files::about(&log, &error))),
    };
    if is_blank()? {
        return Ok(Vec::new());
    }
    match Store::open_to_read(&log).and_then(|store| store.events()) {
        // Undoing what a crash left half written can leave nothing.
        Err(_) if is_blank()? => Ok(Vec::new()),
        read => read.map_err(RunError::Log),
    }
}

/// That nothing is written over that is not the run's: a run that is to begin finds nothing but what its event names, and one that
/// is to go on no files that tell of more than its log.
pub(super) fn require_own(dir: &Path, logged: &[Logged], named: &[PathBuf]) -> Result<(), RunError> {
    if logged.is_empty() {
        let names = run_files::strangers(dir, named)?;
        return match names.is_empty() {
            true => Ok(()),
            false => Err(RunError::Strangers {
                dir: dir.to_path_buf(),
                names,
            }),
        };
    }
    match run_files::published_beyond(dir, logged).map_err(RunError::machine)? {
        None => Ok(()),
        Some((published, ended)) => Err(RunError::OlderLog {
            dir: dir.to_path_buf(),
            published,
            ended,
        }),
    }
}
