//! What lies in the directory in which an event is to be played, before anything is done there.
//!
//! May not: change it.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::cli::exit::Failure;
use crate::game::transcript::escape;
use crate::run::run_files;
use crate::shell::store::{Logged, Store, lacks_its_end};
use crate::shell::{files, run_dir};

/// That what a run is to be written to is a directory, or nothing yet.
pub(super) fn require_directory(path: &Path) -> Result<(), Failure> {
    match path.metadata() {
        Ok(there) if !there.is_dir() => Err(Failure::usage(anyhow!(
            "{} is there, and no directory; a run is written to a directory: name another with --out",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// The log of the run in `dir`, read without touching it, so that a run that is refused stays as it is; empty where none
/// was begun.
pub(super) fn stored(dir: &Path) -> Result<Vec<Logged>, Failure> {
    let log = run_dir::log(dir);
    if log.metadata().is_ok_and(|there| !there.is_file()) {
        let what = format!(
            "{} is no plain file, and so no log: take it away, or play into another directory with --out",
            log.display()
        );
        return Err(Failure::usage(anyhow!(what)));
    }
    let is_blank = || match log.metadata() {
        Ok(there) => Ok(there.len() == 0),
        // A link that leads nowhere is no log that was not begun: what it leads to may come back.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !log.is_symlink() => Ok(true),
        Err(error) => Err(Failure::machine(files::about(&log, &error))),
    };
    if is_blank()? {
        return Ok(Vec::new());
    }
    match Store::open_to_read(&log).and_then(|store| store.events()) {
        // Undoing what a crash left half written can leave nothing.
        Err(_) if is_blank()? => Ok(Vec::new()),
        read => read.map_err(Failure::machine),
    }
}

/// That nothing is written over that is not the run's: a run that is to begin finds nothing but what its event names, and one that
/// is to go on no files that tell of more than its log.
pub(super) fn require_own(dir: &Path, logged: &[Logged], named: &[PathBuf]) -> Result<(), Failure> {
    if logged.is_empty() {
        let strangers = run_files::strangers(dir, named).map_err(Failure::machine)?;
        return match strangers.is_empty() {
            true => Ok(()),
            false => Err(Failure::usage(anyhow!(no_room(dir, &strangers)))),
        };
    }
    if dir.join(run_files::SAVED).symlink_metadata().is_ok() {
        return Err(Failure::usage(anyhow!(replaced_log(dir))));
    }
    if let Some((published, ended)) = run_files::published_beyond(dir, logged).map_err(Failure::machine)? {
        return Err(Failure::usage(anyhow!(older_log(dir, published, ended))));
    }
    match run_files::is_cut_off(dir, logged) {
        true => Err(Failure::usage(anyhow!(cut_off(dir)))),
        false => Ok(()),
    }
}

/// What is to be said of a log that may be a part, and has too much in it to be refused.
pub(super) fn doubt(dir: &Path) -> Option<String> {
    let log = run_dir::log(dir);
    lacks_its_end(&log).unwrap_or(false).then(|| {
        format!(
            "{0} has no {0}-wal beside it, which a runner that was killed leaves: if this is a copy of a run without it, games \
             that were played are missing",
            log.display()
        )
    })
}

/// Most names of files that a message shows.
const NAMED: usize = 8;

/// Why a run may not begin in a directory: what lies there, and no log.
fn no_room(dir: &Path, strangers: &[String]) -> String {
    let (dir, remedy) = (dir.display(), remedy(dir));
    let named = strangers.iter().take(NAMED).map(|name| escape(name.as_bytes()));
    let more = if strangers.len() > NAMED { " …" } else { "" };
    format!(
        "{dir} holds {}{more}, and no log of a run: run.sqlite is missing or has no entry. Nothing was written. {remedy}",
        named.collect::<Vec<_>>().join(", ")
    )
}

/// Why a run may not go on from a log of which only the beginning is there.
fn cut_off(dir: &Path) -> String {
    format!(
        "{}/run.sqlite is the beginning of a log whose rest is in run.sqlite-wal, which is not there. Nothing was written. {}",
        dir.display(),
        remedy(dir)
    )
}

/// Why a run may not go on from a log that somebody put in the place of another.
fn replaced_log(dir: &Path) -> String {
    let dir = dir.display();
    format!(
        "{dir}/run.sqlite was put in the place of the log while a runner wrote to that, and {dir}/{0} has every finished game of it. \
         Nothing was written. Put {0} in the place of run.sqlite, without a run.sqlite-wal beside it, and the same command goes on; or take \
         it away, and it goes on from run.sqlite as it is",
        run_files::SAVED
    )
}

/// What may be done where a run may not begin or go on.
fn remedy(dir: &Path) -> String {
    format!(
        "If this is a copy of a run, copy all of it, with run.sqlite-wal where there is one; else play into another directory with \
         --out, or begin here with --fresh, which keeps what a run writes aside in {} and leaves every other file",
        run_files::next_aside(dir).display()
    )
}

/// Why a run may not go on from a log that is older than the files written from it.
fn older_log(dir: &Path, published: usize, ended: usize) -> String {
    let dir = dir.display();
    format!(
        "{dir}/games.pgn has {published} games and the log {ended}: the log is an older one, such as a copy without its \
         run.sqlite-wal. Nothing was written. Put the whole log there; or take games.pgn away, and the same command goes on from \
         this log and plays the other games again"
    )
}
