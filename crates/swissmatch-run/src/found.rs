//! What lies in the directory in which an event is to be played, before anything is done there.
//!
//! May not: change it.

use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::Access;
use rustix::io::Errno;

use swissmatch_host::run_dir::DirError;
use swissmatch_host::store::{Store, lacks_its_end};
use swissmatch_host::{files, run_dir};

use super::error::RunError;
use super::run_files;
use super::stored::StoredLog;

/// That what a run is to be written to is a directory, or nothing yet.
pub(super) fn require_directory(path: &Path) -> Result<(), RunError> {
    match path.metadata() {
        Ok(there) if !there.is_dir() => Err(RunError::NoDirectory(path.to_path_buf())),
        _ => Ok(()),
    }
}

/// That a run can be written to `path`: it, or the directory in which it is to be made, may be written.
pub(super) fn require_writable(path: &Path) -> Result<(), RunError> {
    let may_be_written = || {
        let mut there = Path::new(".");
        for above in path.ancestors().filter(|above| !above.as_os_str().is_empty()) {
            match above.symlink_metadata() {
                Ok(_) => {
                    there = above;
                    break;
                }
                Err(error) if helps_another(&error) => {}
                Err(error) => return Err(error),
            }
        }
        if !there.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        rustix::fs::access(there, Access::WRITE_OK | Access::EXEC_OK).map_err(io::Error::from)
    };
    may_be_written().map_err(|source| refused(path, source))
}

/// What taking the directory came to, where another one would help.
pub(super) fn not_writable(path: &Path, error: DirError) -> RunError {
    match error {
        DirError::Named(source) if helps_another(&source) => refused(path, source),
        other => other.into(),
    }
}

fn refused(path: &Path, source: io::Error) -> RunError {
    match helps_another(&source) {
        true => RunError::NotWritable {
            path: path.to_path_buf(),
            source,
        },
        false => RunError::machine(files::about(path, &source)),
    }
}

/// Whether what the system says is about the path: another one helps.
fn helps_another(source: &io::Error) -> bool {
    let is_loop = source.raw_os_error() == Some(Errno::LOOP.raw_os_error());
    let is_about_it = matches!(
        source.kind(),
        io::ErrorKind::PermissionDenied
            | io::ErrorKind::ReadOnlyFilesystem
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::NotFound
            | io::ErrorKind::InvalidFilename
    );
    is_about_it || is_loop
}

/// The log of the run in `dir`, read without touching it, so that a run that is refused stays as it is; empty where none
/// was begun.
pub(super) fn stored(dir: &Path) -> Result<Option<StoredLog>, RunError> {
    let log = run_dir::log(dir);
    if log.metadata().is_ok_and(|there| !there.is_file()) {
        return Err(RunError::NoLog(log));
    }
    let is_blank = || match log.metadata() {
        Ok(there) => Ok(there.len() == 0),
        // A link that leads nowhere is no log that was not begun: what it leads to may come back.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !log.is_symlink() => Ok(true),
        Err(error) => Err(RunError::machine(files::about(&log, &error))),
    };
    if is_blank()? {
        return Ok(None);
    }
    let store = Store::open_to_read(&log).map_err(RunError::Log);
    match store.and_then(|store| StoredLog::read(&store)) {
        // Undoing what a crash left half written can leave nothing.
        Err(_) if is_blank()? => Ok(None),
        read => read,
    }
}

/// That nothing is written over that is not the run's: a run that is to begin finds nothing but what its event names, and one that
/// is to go on no files that tell of more than its log.
pub(super) fn require_own(dir: &Path, stored: Option<&StoredLog>, named: &[PathBuf]) -> Result<(), RunError> {
    let Some(stored) = stored else {
        let names = run_files::strangers(dir, named)?;
        return match names.is_empty() {
            true => Ok(()),
            false => Err(RunError::Strangers {
                aside: run_files::next_aside(dir),
                dir: dir.to_path_buf(),
                names,
            }),
        };
    };
    if dir.join(run_dir::SAVED).symlink_metadata().is_ok() {
        return Err(RunError::ReplacedLog(dir.to_path_buf()));
    }
    if let Some((published, ended)) = run_files::published_beyond(dir, stored.games).map_err(RunError::machine)? {
        return Err(RunError::OlderLog {
            dir: dir.to_path_buf(),
            published,
            ended,
        });
    }
    match run_files::is_cut_off(dir, stored.is_scant()) {
        true => Err(RunError::CutOff {
            aside: run_files::next_aside(dir),
            dir: dir.to_path_buf(),
        }),
        false => Ok(()),
    }
}

/// What is to be said of a log that may be a part, and has too much in it to be refused.
pub(super) fn doubt(dir: &Path) -> Option<String> {
    let log = run_dir::log(dir);
    lacks_its_end(&log).unwrap_or(false).then(|| {
        format!(
            "{0} has no {0}-wal beside it; a runner that was killed leaves one. If this is a copy of a run without it, games \
            that were played are missing",
            log.display()
        )
    })
}
