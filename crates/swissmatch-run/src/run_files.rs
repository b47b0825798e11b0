//! Which files in a directory are a run's.
//!
//! May not: touch any other.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use super::agent_files::AGENTS;
use super::{evaluations, publish, report, viewers};
use swissmatch_host::paths::resolved;
use swissmatch_host::run_dir::{
    DirError, JOURNAL, LADDER, LOCK, LOG, MANIFEST, RunDir, SAVED, SHM, SUBMISSIONS, WAL, log,
};
use swissmatch_host::run_log::RUN_LOG;
use swissmatch_host::services::LEDGER;
use swissmatch_host::store::{Store, lacks_its_end};
use swissmatch_host::{desk, files, gallery, open_games};

/// Where others reach a runner at work.
const SOCKETS: [&str; 2] = [desk::SOCKET, gallery::SOCKET];

/// Keeps what a run wrote aside, in the next directory of `PATH.1`, `PATH.2` …, and gives where that is; every other
/// file stays, and what the event names. Without anything of a run nothing is kept.
///
/// # Errors
/// When it cannot be moved. What has been moved by then is whole: the log goes first, by itself.
pub(super) fn keep_aside(dir: &RunDir, named: &[PathBuf]) -> Result<Option<PathBuf>, DirError> {
    let fail = |source: io::Error| DirError::Io {
        path: dir.path().to_path_buf(),
        source,
    };
    let is_there = |name: &&str| dir.path().join(name).symlink_metadata().is_ok();
    let names: Vec<&str> = names_of_a_run().filter(is_there).collect();
    if names.is_empty() {
        return Ok(None);
    }
    // In two files a log could be torn apart. One that cannot be merged is moved as it is.
    let log = log(dir.path());
    if log.metadata().is_ok_and(|log| log.len() > 0) {
        let _ = Store::merge(&log);
    }
    let whole = fs::canonicalize(dir.path()).map_err(fail)?;
    let aside = asides(&whole).find_map(|aside| match fs::create_dir(&aside) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
        made => Some(made.map(|()| aside)),
    });
    let aside = aside.ok_or_else(|| io::Error::other("no free name to keep the old run under"));
    let aside = aside.and_then(|aside| aside).map_err(fail)?;
    for name in names {
        match files::rename(&whole.join(name), &aside.join(name)) {
            // Merging took it away.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            moved => moved.map_err(fail)?,
        }
    }
    move_files_of_agents(&whole, &aside, named).map_err(fail)?;
    Ok(Some(aside))
}

/// Moves the directories with files that agents left; others of that name, such as one of programs, may be there, too.
fn move_files_of_agents(run: &Path, aside: &Path, named: &[PathBuf]) -> io::Result<()> {
    let (from, to) = (run.join(AGENTS), aside.join(AGENTS));
    // A link is none of ours.
    if !from.symlink_metadata().is_ok_and(|there| there.is_dir()) {
        return Ok(());
    }
    let is_of_event = |path: &Path| named.iter().any(|named| resolved(named).starts_with(resolved(path)));
    for entry in fs::read_dir(&from)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_numbered = name
            .split_once('-')
            .is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        if is_numbered && entry.file_type()?.is_dir() && !is_of_event(&entry.path()) {
            files::make_directory(&to)?;
            files::rename(&entry.path(), &to.join(&name))?;
        }
    }
    // It stays where something else is in it.
    let _ = fs::remove_dir(&from);
    Ok(())
}

/// Where `--fresh` would keep a run in a directory aside.
pub(super) fn next_aside(dir: &Path) -> PathBuf {
    let whole = fs::canonicalize(dir).unwrap_or_else(|_| dir.to_path_buf());
    let free = asides(&whole).find(|aside| aside.symlink_metadata().is_err());
    free.expect("there are numbers enough")
}

/// Names for what is kept aside of a directory, which is given by its whole path: a trailing slash, or `.`, would put them inside.
/// They go on after the highest number that is there, so that the highest is the newest.
fn asides(whole: &Path) -> impl Iterator<Item = PathBuf> {
    let beside = whole.parent().and_then(|parent| fs::read_dir(parent).ok());
    let number = |entry: io::Result<fs::DirEntry>| -> Option<u32> {
        let name = entry.ok()?.file_name().into_encoded_bytes();
        let rest = name.strip_prefix(whole.file_name()?.as_encoded_bytes())?;
        std::str::from_utf8(rest).ok()?.strip_prefix('.')?.parse().ok()
    };
    let highest = beside.into_iter().flatten().filter_map(number).max().unwrap_or(0);
    (highest.saturating_add(1)..=u32::MAX).map(|number| {
        let mut name = whole.as_os_str().to_owned();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    })
}

/// Whether only the beginning of a log is there, as in a copy without its -wal file: nothing but that the run was created, or not
/// even the file that each runner writes before it plays. `is_scant`: there is nothing else in the log that was read.
pub(super) fn is_cut_off(dir: &Path, is_scant: bool) -> bool {
    let is_scant = is_scant || !dir.join(MANIFEST).exists();
    is_scant && lacks_its_end(&log(dir)).unwrap_or(false)
}

/// What lies in a directory in which a run without any entry is to begin, and is neither of such a run nor one of the files
/// that the event names.
///
/// # Errors
/// When it cannot be read; what is not there has nothing in it.
pub(super) fn strangers(path: &Path, named: &[PathBuf]) -> Result<Vec<String>, DirError> {
    let fail = |source: io::Error| DirError::Io {
        path: path.to_path_buf(),
        source,
    };
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(fail)?,
    };
    let whole = fs::canonicalize(path).map_err(fail)?;
    // By the name that the event gives, and by where that leads.
    let places = |named: &PathBuf| [std::path::absolute(named), fs::canonicalize(named)];
    let known: BTreeSet<OsString> = named
        .iter()
        .flat_map(places)
        .flatten()
        .filter_map(|named| {
            Some(
                named
                    .strip_prefix(&whole)
                    .ok()?
                    .components()
                    .next()?
                    .as_os_str()
                    .to_owned(),
            )
        })
        .collect();
    // A runner that was killed before its first entry left the last ones, and no log. What it does is only added to run.log.
    let is_known = |name: &OsStr| {
        let text = name.to_string_lossy();
        known.contains(name)
            || name == LOCK
            || name == LADDER
            || name == SUBMISSIONS
            || RUN_LOG.contains(&&*text)
            || SOCKETS.contains(&&*text)
            || files::is_draft(&text)
    };
    let mut found = Vec::new();
    for entry in entries {
        let name = entry.map_err(fail)?.file_name();
        if !is_known(&name) {
            found.push(name.to_string_lossy().into_owned());
        }
    }
    found.sort();
    Ok(found)
}

/// How many games the published file has, where those are more than the `ended` that ever ended in the log: then the log is an older one, such as a
/// copy without the -wal file that held its end.
///
/// # Errors
/// When the file is there and cannot be read.
pub(super) fn published_beyond(dir: &Path, ended: usize) -> io::Result<Option<(usize, usize)>> {
    let path = dir.join(publish::GAMES);
    let count = || -> io::Result<usize> {
        let (mut games, mut is_between) = (0, true);
        for line in BufReader::new(files::open_plain(&path)?).split(b'\n') {
            let line = line?;
            // Nothing inside a game comes after an empty line.
            games += usize::from(is_between && line.starts_with(b"[Event "));
            is_between = line.is_empty();
        }
        Ok(games)
    };
    let published = match count() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        counted => counted.map_err(|error| files::about(&path, &error))?,
    };
    Ok((published > ended).then_some((published, ended)))
}

/// Names of everything that the program writes into the directory of a run, the log first.
fn names_of_a_run() -> impl Iterator<Item = &'static str> {
    let log = [LOG, JOURNAL, WAL, SHM, SAVED];
    let beside = [
        publish::GAMES,
        publish::GAMES_TABLE,
        publish::LEFT,
        MANIFEST,
        publish::SIGNED,
        publish::SIGNATURE,
        publish::EVIDENCE,
        publish::ROUNDS,
        report::REPORT,
        report::REPORT_GAMES,
        viewers::LIVE_PGN,
        viewers::LIVE_JSON,
        open_games::FILE,
        LEDGER,
    ];
    log.into_iter()
        .chain(beside)
        .chain(SOCKETS)
        .chain(RUN_LOG)
        .chain(publish::TABLES)
        .chain(evaluations::FILES)
}
