//! The scratch directory of an agent: where it works, and all that it may write unless `player.write` names more.
//!
//! It belongs to the agent alone, is shared by its processes if it has several, and is emptied when the last of them
//! has ended.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{File, Permissions};
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustix::fs::{CWD, FlockOperation, Gid, Mode, OFlags, Uid};
use serde::{Deserialize, Serialize};
use tracing::warn;

/// The beginning of the name of a place for scratch directories, before the number of its process. That process locks
/// the directory as long as it lives, and whoever gets the lock removes what was left: the number alone means nothing
/// if processes have namespaces.
const BEGIN: &str = "swissmatch-scratch-";
/// The beginning of the name before the place is locked.
const UNLOCKED: &str = ".swissmatch-new-";

/// Where many small files are made and removed fastest: a disk may search for each through all that have just gone.
const MEMORY: &str = "/dev/shm";

/// True if this is the name of a place for scratch directories.
pub(crate) fn is_place(name: &[u8]) -> bool {
    [BEGIN, UNLOCKED].iter().any(|begin| name.starts_with(begin.as_bytes()))
}

/// A file that an agent left in its scratch directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftFile {
    /// Without a directory.
    pub name: String,
    /// The beginning of its content.
    pub bytes: Vec<u8>,
    /// It has more content.
    pub is_cut: bool,
}

/// The most bytes that are taken of the files that an agent leaves.
pub const MOST_LEFT: u64 = 16 << 20;

/// The scratch directories of a host; removed when dropped.
#[derive(Clone, Debug)]
pub(crate) struct Scratches {
    base: Arc<Base>,
}

#[derive(Debug)]
struct Base {
    path: PathBuf,
    /// Locked.
    _held: OwnedFd,
    /// Another place, in memory, once asked for; `None` on a machine without one.
    in_memory: OnceLock<Option<Box<Base>>>,
}

impl Base {
    /// A place in this directory.
    fn new_in(directory: &Path) -> io::Result<Self> {
        // Others may pass through, and see nothing.
        let permissions = Permissions::from_mode(0o711);
        let new = tempfile::Builder::new()
            .prefix(UNLOCKED)
            .permissions(permissions)
            .tempdir_in(directory)?;
        let held = lock(new.path())?;
        let name = new
            .path()
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .replace(UNLOCKED, "");
        let path = new
            .path()
            .with_file_name(format!("{BEGIN}{}-{name}", std::process::id()));
        move_to(new.path(), &path)?;
        // It is no longer where it was made.
        let _ = new.keep();
        Ok(Self {
            path,
            _held: held,
            in_memory: OnceLock::new(),
        })
    }

    fn in_memory(&self) -> Option<&Self> {
        let make = || {
            let is_memory = rustix::fs::statfs(MEMORY).is_ok_and(|found| found.f_type == libc::TMPFS_MAGIC);
            let made = is_memory.then(|| Self::new_in(Path::new(MEMORY)))?;
            made.ok().map(Box::new)
        };
        self.in_memory.get_or_init(make).as_deref()
    }

    /// Makes a directory with this name that only the runner may change, in which everyone who knows the name of a file
    /// may read it.
    fn closed(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        std::fs::create_dir(&path)?;
        std::fs::set_permissions(&path, Permissions::from_mode(0o711))?;
        Ok(path)
    }
}

impl Scratches {
    /// Makes a place for them, in the directory for temporary files.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn new() -> io::Result<Self> {
        remove_abandoned();
        let base = Base::new_in(&std::env::temp_dir())?;
        Ok(Self { base: Arc::new(base) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.base.path
    }

    /// Makes a directory with this name that only the runner may change, in which everyone who knows the name of a file
    /// may read it.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn closed(&self, name: &str) -> io::Result<PathBuf> {
        self.base.closed(name)
    }

    /// Like [`Self::closed`], but in memory, for small things; `None` if this machine has no such place, or no room
    /// there.
    pub(crate) fn closed_in_memory(&self, name: &str) -> Option<PathBuf> {
        self.base.in_memory()?.closed(name).ok()
    }

    /// Makes the directory of the agent with this number; what `kept` names outlives its processes.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn make(&self, number: usize, user: Option<u32>, kept: Vec<String>) -> io::Result<Scratch> {
        let path = self.path().join(number.to_string());
        std::fs::create_dir(&path)?;
        std::fs::set_permissions(&path, Permissions::from_mode(0o700))?;
        if let Some(user) = user {
            rustix::fs::chown(&path, Some(Uid::from_raw(user)), Some(Gid::from_raw(user)))?;
        }
        Ok(Scratch {
            path,
            kept,
            leases: Mutex::new(0),
            left: Mutex::default(),
            _base: Arc::clone(&self.base),
        })
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        let removed = remove(&self.path, &[]).and_then(|()| std::fs::remove_dir(&self.path));
        if let Err(error) = removed {
            warn!(path = ?self.path, %error, "scratch directories are left");
        }
    }
}

/// Locks a directory for this process.
///
/// # Errors
/// Another process has it.
fn lock(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = rustix::fs::open(path, flags, Mode::empty())?;
    rustix::fs::flock(&directory, FlockOperation::NonBlockingLockExclusive)?;
    Ok(directory)
}

/// Renames a directory. Nothing of it has to survive a crash.
fn move_to(from: &Path, to: &Path) -> io::Result<()> {
    Ok(rustix::fs::renameat(CWD, from, CWD, to)?)
}

/// What is handed over of the directory before it is emptied, and to whom.
#[derive(Default)]
struct LeftFileRequest {
    /// Names of files directly in it.
    names: BTreeSet<String>,
    /// The receiver.
    to: Option<Box<dyn Fn(Vec<LeftFile>) + Send + Sync>>,
}

impl fmt::Debug for LeftFileRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.names.fmt(f)
    }
}

/// The scratch directory of one agent.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// Names directly in it that stay.
    kept: Vec<String>,
    leases: Mutex<u32>,
    left: Mutex<LeftFileRequest>,
    /// The place is removed with the last of its directories.
    _base: Arc<Base>,
}

impl Scratch {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Marks files with these names, directly in it, to be handed over.
    pub(crate) fn leave(&self, names: impl IntoIterator<Item = String>) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.names.extend(names);
    }

    /// Sets the receiver of these files, each time before the directory is emptied.
    pub(crate) fn leave_to(&self, to: impl Fn(Vec<LeftFile>) + Send + Sync + 'static) {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).to = Some(Box::new(to));
    }

    /// Hands over the marked files. No process that might change them is left.
    fn hand_over(&self) {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(to) = left.to.as_ref().filter(|_| !left.names.is_empty()) else {
            return;
        };
        match read_left(&self.path, &left.names) {
            Ok(files) if files.is_empty() => {}
            Ok(files) => to(files),
            Err(error) => warn!(path = ?self.path, %error, "files that an agent left are not copied"),
        }
    }

    /// A lease for one process: nothing is removed as long as it lasts.
    pub fn lease(self: &Arc<Self>) -> Lease {
        *self.leases.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Lease(Arc::clone(self))
    }
}

/// The use of a scratch directory by one process.
#[derive(Debug)]
pub struct Lease(Arc<Scratch>);

impl Drop for Lease {
    fn drop(&mut self) {
        let mut leases = self.0.leases.lock().unwrap_or_else(PoisonError::into_inner);
        *leases -= 1;
        if *leases > 0 {
            return;
        }
        self.0.hand_over();
        if let Err(error) = remove(&self.0.path, &self.0.kept) {
            warn!(path = ?self.0.path, %error, "a scratch directory is not empty");
        }
    }
}

/// The plain files with these names directly in a directory, [`MOST_LEFT`] bytes in all. A link, or a file with another
/// name elsewhere, is not the agent's own.
///
/// # Errors
/// The directory cannot be opened. What cannot be read is left out.
fn read_left(directory: &Path, names: &BTreeSet<String>) -> io::Result<Vec<LeftFile>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = rustix::fs::open(directory, flags | OFlags::DIRECTORY, Mode::empty())?;
    let mut room = MOST_LEFT;
    let read = names.iter().filter_map(|name| {
        // Opening a pipe would wait.
        let file = rustix::fs::openat(&directory, name, flags | OFlags::NONBLOCK, Mode::empty()).ok()?;
        let file = File::from(file);
        let data = file.metadata().ok()?;
        if !data.is_file() || data.nlink() != 1 || data.len() == 0 {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(room).read_to_end(&mut bytes).ok()?;
        room -= bytes.len() as u64;
        Some(LeftFile {
            name: name.clone(),
            is_cut: data.len() > bytes.len() as u64,
            bytes,
        })
    });
    Ok(read.collect())
}

/// Removes everything in a directory except what is kept, however it was made. It follows no links and does not
/// recurse, since an agent may nest directories deeper than a path, or the stack of a thread, is long.
fn remove(top: &Path, kept: &[String]) -> io::Result<()> {
    let mut number = 0_u64;
    let mut found = true;
    while std::mem::take(&mut found) {
        for entry in std::fs::read_dir(top)? {
            let entry = entry?;
            if kept.iter().any(|name| Path::new(name) == Path::new(&entry.file_name())) {
                continue;
            }
            found = true;
            let path = entry.path();
            if !entry.file_type()?.is_dir() {
                std::fs::remove_file(&path)?;
                continue;
            }
            std::fs::set_permissions(&path, Permissions::from_mode(0o700))?;
            for inner in std::fs::read_dir(&path)? {
                let inner = inner?;
                if !inner.file_type()?.is_dir() {
                    std::fs::remove_file(inner.path())?;
                    continue;
                }
                // Only a user who may write a directory may move it.
                std::fs::set_permissions(inner.path(), Permissions::from_mode(0o700))?;
                let flat = loop {
                    number += 1;
                    let flat = top.join(format!("{BEGIN}{number}"));
                    if flat.symlink_metadata().is_err() {
                        break flat;
                    }
                };
                move_to(&inner.path(), &flat)?;
            }
            std::fs::remove_dir(&path)?;
        }
    }
    Ok(())
}

/// Removes the scratch directories of processes that have ended without doing so.
pub(crate) fn remove_abandoned() {
    let places = [std::env::temp_dir(), PathBuf::from(MEMORY)];
    let entries = places.iter().filter_map(|place| std::fs::read_dir(place).ok());
    let entries = entries.flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(BEGIN)) {
        let path = entry.path();
        // Another user's cannot be removed, and is not ours.
        if let Ok(_held) = lock(&path) {
            let _ = remove(&path, &[]);
            let _ = std::fs::remove_dir(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_leaves_goes_but_for_what_is_kept() {
        let scratches = Scratches::new().expect("a place");
        let scratch = Arc::new(scratches.make(0, None, vec!["learnt".to_owned()]).expect("a directory"));
        let (one, other) = (scratch.lease(), scratch.lease());
        let outside = scratches.path().join("outside");
        std::fs::write(&outside, "stays").expect("a file");
        std::os::unix::fs::symlink(&outside, scratch.path().join("link")).expect("a link");
        std::fs::write(scratch.path().join("learnt"), "opening").expect("a file");
        let closed = scratch.path().join("closed/more");
        std::fs::create_dir_all(&closed).expect("a directory");
        std::fs::write(closed.join("file"), "x").expect("a file");
        std::fs::set_permissions(&closed, Permissions::from_mode(0o0)).expect("its own");
        std::fs::set_permissions(closed.with_file_name(""), Permissions::from_mode(0o0)).expect("its own");
        drop(one);
        assert!(
            scratch.path().join("link").is_symlink(),
            "another process is still there"
        );
        drop(other);
        let left: Vec<_> = std::fs::read_dir(scratch.path())
            .expect("it is there")
            .flatten()
            .collect();
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(outside.exists() && scratch.path().join("learnt").exists());
    }

    #[test]
    fn files_that_are_named_are_left_to_others_when_the_last_process_has_ended() {
        let scratches = Scratches::new().expect("a place");
        let scratch = Arc::new(scratches.make(0, None, Vec::new()).expect("a directory"));
        let write = |name: &str, text: &str| std::fs::write(scratch.path().join(name), text).expect("a file");
        let (left, had) = std::sync::mpsc::channel();
        scratch.leave_to(move |files| left.send(files).expect("somebody listens"));
        let names = ["sf.log", "link", "twice", "pipe", "inner", "not there", "empty", "more"];
        scratch.leave(names.map(str::to_owned));
        let (one, other) = (scratch.lease(), scratch.lease());
        let outside = scratches.path().join("outside");
        std::fs::write(&outside, "somebody else's").expect("a file");
        std::os::unix::fs::symlink(&outside, scratch.path().join("link")).expect("a link");
        std::fs::hard_link(&outside, scratch.path().join("twice")).expect("a link");
        std::fs::create_dir(scratch.path().join("inner")).expect("a directory");
        rustix::fs::mknodat(
            CWD,
            scratch.path().join("pipe"),
            rustix::fs::FileType::Fifo,
            Mode::RUSR,
            0,
        )
        .expect("a pipe");
        write("sf.log", "said");
        write("empty", "");
        write("other", "not named");
        File::create(scratch.path().join("more"))
            .and_then(|file| file.set_len(1 << 40))
            .expect("a sparse file");
        drop(one);
        assert!(had.try_recv().is_err(), "another process is still there");
        drop(other);
        let files = had.try_recv().expect("what is left");
        let found: Vec<_> = files
            .iter()
            .map(|file| (file.name.as_str(), file.bytes.len() as u64, file.is_cut))
            .collect();
        assert_eq!(found, [("more", MOST_LEFT, true), ("sf.log", 0, true)]);
        drop(scratch.lease());
        assert!(had.try_recv().is_err(), "it was emptied");
        let lease = scratch.lease();
        write("sf.log", "said");
        drop(lease);
        let files = had.try_recv().expect("what is left");
        assert_eq!(
            files
                .iter()
                .map(|file| (file.bytes.as_slice(), file.is_cut))
                .collect::<Vec<_>>(),
            [(&b"said"[..], false)]
        );
    }

    #[test]
    fn only_what_nobody_holds_is_removed() {
        let scratches = Scratches::new().expect("a place");
        let in_memory = scratches.closed_in_memory("figures").into_iter();
        let in_memory = in_memory.filter_map(|path| Some(path.parent()?.to_path_buf()));
        let places: Vec<_> = in_memory.chain([scratches.path().to_path_buf()]).collect();
        let left = |place: &PathBuf| place.with_file_name(format!("{BEGIN}1-left-{}", std::process::id()));
        let abandoned: Vec<_> = places.iter().map(left).collect();
        for place in &abandoned {
            std::fs::create_dir_all(place.join("0/more")).expect("a directory");
        }
        remove_abandoned();
        assert!(places.iter().all(|place| place.exists()), "{places:?}");
        assert!(!abandoned.iter().any(|place| place.exists()), "{abandoned:?}");
        // A process that works in it keeps it.
        let scratch = scratches.make(0, None, Vec::new()).expect("a directory");
        drop(scratches);
        assert!(places.iter().all(|place| place.exists()), "{places:?}");
        drop(scratch);
        assert!(!places.iter().any(|place| place.exists()), "{places:?}");
    }

    #[test]
    fn directories_nested_deeper_than_a_path_is_long_go() {
        let scratches = Scratches::new().expect("a place");
        let scratch = Arc::new(scratches.make(0, None, Vec::new()).expect("a directory"));
        let lease = scratch.lease();
        // Each time one further around what is there.
        let (inner, outer) = (scratch.path().join("d"), scratch.path().join("e"));
        std::fs::create_dir(&inner).expect("a directory");
        for _ in 0..3000 {
            std::fs::create_dir(&outer).expect("a directory");
            std::fs::rename(&inner, outer.join("d")).expect("it is moved");
            std::fs::rename(&outer, &inner).expect("it is moved");
        }
        drop(lease);
        assert_eq!(std::fs::read_dir(scratch.path()).expect("it is there").count(), 0);
    }
}
