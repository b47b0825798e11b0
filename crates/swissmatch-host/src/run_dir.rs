//! The directory of a run: its name, its lock, its files.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Access, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use super::files;

/// The log.
pub const LOG: &str = "run.sqlite";
/// The journal of a transaction being written to the log.
pub const JOURNAL: &str = "run.sqlite-journal";
/// The log's write-ahead log: what has not been merged yet.
pub const WAL: &str = "run.sqlite-wal";
/// The index of the write-ahead log.
pub const SHM: &str = "run.sqlite-shm";
/// What a runner saved when another file was put in the place of its log.
pub const SAVED: &str = "run.sqlite.saved";
/// Locked by the process that writes to the run; nobody else may even open it.
pub const LOCK: &str = "run.lock";
/// Version, configuration, hashes, machine.
pub const MANIFEST: &str = "manifest.json";
/// Submissions of players.
pub const SUBMISSIONS: &str = "submissions";
/// The rounds of its ladder.
pub const LADDER: &str = "ladder";
/// Below it, the unpacked content of each submission.
pub const VERSIONS: &str = "versions";
/// Below it, the programs that play the submissions.
pub const RUNNERS: &str = "runners";

/// The longest directory name made from an event's name, in characters.
const NAME_CHARS: usize = 80;
/// The longest in bytes, of which file systems allow 255; `.1` and the like must fit, too.
const NAME_BYTES: usize = 240;

/// How often, and after how long, a taken directory is tried again before it counts as taken.
const LOOKS: u32 = 100;
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Whether a path in the directory of a run is of what a player plays by: something in one of its versions or runners.
pub fn is_played(path: &Path) -> bool {
    let mut parts = path.components().map(|part| part.as_os_str());
    let is_of_submissions = parts.next().is_some_and(|part| part == SUBMISSIONS);
    let is_of_one = parts.next().is_some_and(|part| part == VERSIONS || part == RUNNERS);
    is_of_submissions && is_of_one && parts.next().is_some()
}

/// Why a run's directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DirError {
    /// Another runner has it.
    #[error("another swissmatch is running in {0}; only one may (see `swissmatch status {0}`)")]
    Locked(PathBuf),
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    /// An error that says what was to be used.
    #[error(transparent)]
    Named(io::Error),
}

/// A run's directory, locked for this process as long as this value lives.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    /// The directory, which earlier versions lock, and [`LOCK`].
    _locks: [File; 2],
}

/// A directory name made from an event's name: letters, digits, `-`, `_` and `.` stay, everything else becomes `-`. It
/// is never empty, hidden, or the name of a device.
pub fn safe_name(name: &str) -> String {
    let safe: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
                c
            } else {
                '-'
            }
        })
        .take(NAME_CHARS)
        .collect();
    let safe = &safe[..safe.floor_char_boundary(NAME_BYTES)];
    let safe = safe.trim_matches(['.', '-']).to_owned();
    if safe.is_empty() { "event".to_owned() } else { safe }
}

impl RunDir {
    /// Makes the directory if it does not exist, and locks it.
    ///
    /// # Errors
    /// Another runner has it, or it cannot be made.
    pub fn take(path: &Path) -> Result<Self, DirError> {
        let fail = |source: io::Error| DirError::Io {
            path: path.to_path_buf(),
            source,
        };
        files::make_directory(path).map_err(DirError::Named)?;
        let directory = open(path).map_err(fail)?;
        let lock =
            make_lock(path, &directory).map_err(|error| DirError::Named(files::about(&path.join(LOCK), &error)))?;
        for file in [&directory, &lock] {
            match hold(file) {
                Err(Errno::WOULDBLOCK) => return Err(DirError::Locked(path.to_path_buf())),
                held => held.map_err(|error| fail(error.into()))?,
            }
        }
        Ok(Self {
            path: path.to_path_buf(),
            _locks: [directory, lock],
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// True if a runner has the directory, as far as this user may know.
pub fn is_taken(path: &Path) -> bool {
    taken(path) == Some(true)
}

/// Whether a runner has the directory; `None` if this user may not know: a user who may not open its lock cannot take
/// it, either.
pub fn taken(path: &Path) -> Option<bool> {
    let is_held =
        |file: File| rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared) == Err(Errno::WOULDBLOCK);
    match open_lock(path, OFlags::RDONLY) {
        Ok(lock) => Some(is_held(lock)),
        // A run of an earlier version. Anyone who may read its directory can lock that.
        Err(Errno::NOENT) if rustix::fs::access(path, Access::WRITE_OK).is_ok() => open(path).ok().map(is_held),
        Err(_) => None,
    }
}

/// Locks a file. A mere check whether it is taken holds the lock for an instant.
fn hold(file: &File) -> rustix::io::Result<()> {
    let lock = || rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive);
    for _ in 0..LOOKS {
        match lock() {
            Err(Errno::WOULDBLOCK) => std::thread::sleep(LOOK_AGAIN),
            held => return held,
        }
    }
    lock()
}

fn open_lock(path: &Path, flags: OFlags) -> rustix::io::Result<File> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    rustix::fs::open(path.join(LOCK), flags, Mode::RUSR | Mode::WUSR).map(File::from)
}

/// Opens the lock in a directory, and makes it if it does not exist; it belongs to the directory's owner, whoever makes
/// it.
fn make_lock(path: &Path, directory: &File) -> io::Result<File> {
    let lock = open_lock(path, OFlags::RDWR | OFlags::CREATE)?;
    let (owner, own) = (directory.metadata()?, lock.metadata()?);
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::fchown(&lock, Some(owner.uid()), Some(owner.gid()))?;
    }
    if own.mode() & 0o077 != 0 {
        rustix::fs::fchmod(&lock, Mode::RUSR | Mode::WUSR)?;
    }
    Ok(lock)
}

/// Opens a directory, and nothing else: opening a pipe might wait for its writer for ever.
fn open(path: &Path) -> io::Result<File> {
    let directory = rustix::fs::open(path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    Ok(File::from(directory))
}

/// How a log's files look from outside: if this has not changed, nothing was written to the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogStamp(Vec<Option<(u64, u64, i64, i64)>>);

impl LogStamp {
    /// The stamp of the log in a run's directory.
    pub fn of(run: &Path) -> Self {
        let look = |name: &str| {
            let there = run.join(name).metadata().ok()?;
            Some((there.ino(), there.size(), there.mtime(), there.mtime_nsec()))
        };
        Self([LOG, WAL].map(look).into())
    }

    /// True if something was written so shortly before `now` (seconds since 1970) that more may have come within the
    /// same tick of the file system's clock.
    pub fn is_fresh(&self, now: i64) -> bool {
        self.0.iter().flatten().any(|(_, _, written, _)| written + 1 >= now)
    }
}

/// The path of the log in a run's directory.
pub fn log(run: &Path) -> PathBuf {
    run.join(LOG)
}

#[cfg(test)]
mod tests {
    use super::safe_name;

    #[test]
    fn names_of_directories_are_safe() {
        let long = "x".repeat(300);
        for (name, safe) in [
            ("Spring qualifier", "Spring-qualifier"),
            ("../../etc/passwd", "etc-passwd"),
            ("..", "event"),
            ("", "event"),
            (".hidden", "hidden"),
            ("a/b\\c:d\n", "a-b-c-d"),
            ("Zürich 2026", "Zürich-2026"),
            (long.as_str(), &long[..80]),
        ] {
            assert_eq!(safe_name(name), safe, "{name:?}");
        }
    }
}
