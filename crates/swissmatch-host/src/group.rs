//! A control group of version 2 for each engine: the kernel counts, stops and ends all of its processes, however they
//! try to escape.
//!
//! The player makes the group, and uses it to count and to stop; the keeper starts the engine in it, ends it and
//! removes it. Neither of them is in it. May not: move a running process, because then anyone who starts a process
//! meanwhile waits some 14 ms.

mod bounds;
mod place;
pub(crate) mod probe;
mod spawn;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::fs::FlockOperation;

use crate::files::about;

use bounds::GroupBounds;
use swissmatch_game::resource::Allowance;

pub(crate) use bounds::over_memory;
pub(crate) use spawn::{Process, spawn};

/// The beginning of the names of engines' groups. What follows is unique, because processes in namespaces may have the
/// same number.
const BEGIN: &str = "swissmatch-";

/// The controllers that groups may have.
pub(crate) const MEMORY: &str = "memory";
pub(crate) const PROCESSES: &str = "processes";

/// The bytes of the list of threads that are read at once.
const CHUNK: usize = 1024;

/// How many times a new group may be mistaken for an abandoned one.
const TRIES: usize = 20;

/// A place where groups of engines are made.
#[derive(Debug)]
pub(crate) struct Groups {
    top: PathBuf,
    bounds: GroupBounds,
}

/// Where this process makes groups; tried once.
///
/// # Errors
/// Why it cannot make any.
pub(crate) fn groups() -> Result<&'static Groups, &'static str> {
    static GROUPS: OnceLock<Result<Groups, String>> = OnceLock::new();
    GROUPS.get_or_init(Groups::find).as_ref().map_err(String::as_str)
}

impl Groups {
    fn find() -> Result<Self, String> {
        let top = place::top()?;
        remove_abandoned_in(&top.path);
        let groups = Self {
            bounds: GroupBounds::had_in(&top),
            top: top.path,
        };
        let tried = groups.make(Allowance::UNLIMITED, 0);
        match tried.and_then(|group| probe::try_in(group.path())) {
            Ok(()) => Ok(groups),
            Err(error) => Err(format!(
                "what is started in a group in {} is not held by it: {error}",
                groups.top.display()
            )),
        }
    }

    /// The directory of the groups.
    pub(crate) fn top(&self) -> &Path {
        &self.top
    }

    /// What the groups bound.
    pub(crate) fn bounds(&self) -> Vec<&'static str> {
        let bounds = [(self.bounds.memory, MEMORY), (self.bounds.processes, PROCESSES)];
        bounds
            .into_iter()
            .filter_map(|(is_had, what)| is_had.then_some(what))
            .collect()
    }

    /// A new, empty group, whose processes together may have this allowance, plus `helpers` processes besides the
    /// engine's own.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn make(&self, allowance: Allowance, helpers: u64) -> io::Result<Group> {
        let group = self.make_empty()?;
        self.bounds.bound(group.path(), allowance, helpers)?;
        Ok(group)
    }

    /// A group in use from here on. Until it is locked another process may take it for an abandoned one; then another
    /// is made.
    fn make_empty(&self) -> io::Result<Group> {
        let one = || {
            let made = tempfile::Builder::new().prefix(BEGIN).tempdir_in(&self.top);
            made.map_err(|error| about(&self.top, &error))
        };
        for _ in 0..TRIES {
            let path = one()?.keep();
            if let Ok(group) = Group::open(path.clone()) {
                return Ok(group);
            }
            let _ = fs::remove_dir(path);
        }
        Group::open(one()?.keep())
    }
}

/// The group of one engine. It is removed when dropped, if it is empty.
#[derive(Debug)]
pub(crate) struct Group {
    path: PathBuf,
    counts: File,
    threads: File,
    freezer: File,
    /// Locked for as long as the group is in use.
    _held: File,
}

impl Group {
    fn open(path: PathBuf) -> io::Result<Self> {
        let open = |name: &str, writes: bool| {
            let path = path.join(name);
            let opened = File::options().read(!writes).write(writes).open(&path);
            opened.map_err(|error| about(&path, &error))
        };
        Ok(Self {
            _held: lock(&path, FlockOperation::NonBlockingLockShared).map_err(|error| about(&path, &error))?,
            counts: open("cpu.stat", false)?,
            threads: open("cgroup.threads", false)?,
            freezer: open("cgroup.freeze", true)?,
            path,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How long all processes that were ever in it have run; asking costs some microseconds. `None` if the kernel does
    /// not say.
    pub(crate) fn ran(&self) -> Option<Duration> {
        let mut text = [0_u8; 256];
        let read = rustix::io::pread(&self.counts, &mut text, 0).ok()?;
        usage(&text[..read])
    }

    /// The threads of all its processes that this one can see; `None` if the kernel does not say.
    pub(crate) fn threads(&self) -> Option<Vec<i32>> {
        let mut text = Vec::new();
        loop {
            text.reserve(CHUNK);
            let at = text.len() as u64;
            if rustix::io::pread(&self.threads, spare_capacity(&mut text), at).ok()? == 0 {
                break;
            }
        }
        let numbers = std::str::from_utf8(&text).ok()?.lines();
        Some(numbers.filter_map(|number| number.parse().ok()).collect())
    }

    /// The most memory that all its processes together have had, in bytes; `None` if groups do not count that.
    pub(crate) fn memory_peak(&self) -> Option<u64> {
        bounds::peak(&self.path)
    }

    /// True if the kernel ended one of its processes because others had too much memory.
    pub(crate) fn was_ended_for_others(&self) -> bool {
        bounds::was_ended_for_others(&self.path)
    }

    /// Stops all its processes, and any that they start: within milliseconds, until it is thawed.
    pub(crate) fn freeze(&self) {
        self.set_frozen(true);
    }

    /// Continues its processes.
    pub(crate) fn thaw(&self) {
        self.set_frozen(false);
    }

    /// True if all its processes are stopped.
    fn is_frozen(&self) -> bool {
        let events = fs::read_to_string(self.path.join("cgroup.events"));
        events.is_ok_and(|events| events.lines().any(|line| line == "frozen 1"))
    }

    fn set_frozen(&self, is_frozen: bool) {
        // The file exists as long as this group, so it takes the word.
        let _ = rustix::io::pwrite(&self.freezer, if is_frozen { b"1" } else { b"0" }, 0);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Its keeper has done so, or has gone before it could; the guard ends processes that are left.
        let _ = fs::remove_dir(&self.path);
    }
}

/// Ends all processes of the group at `path`, even frozen ones.
pub(crate) fn kill(path: &Path) {
    // Without that file its keeper ends them one by one.
    let _ = put(&path.join("cgroup.kill"), "1");
}

/// Writes a word to a file of a group.
fn put(path: &Path, word: &str) -> io::Result<()> {
    let file = File::options().write(true).open(path)?;
    rustix::io::write(&file, word.as_bytes())?;
    Ok(())
}

/// Removes groups of processes that ended without doing so.
pub(crate) fn remove_abandoned() {
    if let Ok(top) = place::top() {
        remove_abandoned_in(&top.path);
    }
}

fn remove_abandoned_in(top: &Path) {
    for entry in fs::read_dir(top).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with(BEGIN)
            && let Ok(_held) = lock(&path, FlockOperation::NonBlockingLockExclusive)
        {
            // If it is not empty its keeper is still at work.
            let _ = fs::remove_dir(path);
        }
    }
}

/// The group at `path`, locked: shared by its users, or exclusively to remove it.
///
/// # Errors
/// Another lock stands against it.
fn lock(path: &Path, how: FlockOperation) -> io::Result<File> {
    let group = File::open(path)?;
    rustix::fs::flock(&group, how)?;
    Ok(group)
}

/// The processor time in a `cpu.stat`, which is its first line.
fn usage(text: &[u8]) -> Option<Duration> {
    let text = std::str::from_utf8(text).ok()?;
    let usage = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
    usage.parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::threads;

    /// If many runs begin at the same time, each looks for what others have left.
    #[test]
    fn a_new_group_is_not_taken_for_an_abandoned_one() {
        let Ok(groups) = groups() else { return };
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                let looks = || {
                    while !is_over.load(Ordering::Relaxed) {
                        remove_abandoned();
                    }
                };
                threads::start_in(scope, looks).expect("a thread");
            }
            let made: Vec<_> = (0..300).map(|_| groups.make(Allowance::UNLIMITED, 0)).collect();
            is_over.store(true, Ordering::Relaxed);
            for group in made {
                assert!(group.expect("a group").ran().is_some());
            }
        });
    }

    #[test]
    fn what_is_counted_is_read() {
        let text = b"usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n";
        assert_eq!(usage(text), Some(Duration::from_micros(1500)));
        assert_eq!(usage(b""), None);
    }
}
