//! The scratch directory of an agent: where it works, and all that it may write unless `player.write` names more.
//!
//! It is the agent's alone, shared by its processes where it has several, and emptied when the last of them has ended.

use std::fs::Permissions;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{CWD, FlockOperation, Gid, Mode, OFlags, Uid};
use tracing::warn;

/// How the places of scratch directories begin, with the number of their process after it. As long as that lives it holds a lock on
/// the directory, and whoever gets the lock removes what was left: numbers of processes mean nothing where those have namespaces.
const BEGIN: &str = "swissmatch-scratch-";
/// How such a place begins before it is locked.
const UNLOCKED: &str = ".swissmatch-new-";

/// Whether this is the name of a place of scratch directories.
pub(in crate::shell) fn is_place(name: &[u8]) -> bool {
    [BEGIN, UNLOCKED].iter().any(|begin| name.starts_with(begin.as_bytes()))
}

/// The scratch directories of a host; dropped, they go.
#[derive(Clone, Debug)]
pub(super) struct Scratches {
    base: Arc<Base>,
}

#[derive(Debug)]
struct Base {
    path: PathBuf,
    /// Locked.
    _held: OwnedFd,
}

impl Scratches {
    /// A place for them, in the directory for temporary files.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn new() -> io::Result<Self> {
        remove_abandoned();
        // Others may pass, and see nothing.
        let permissions = Permissions::from_mode(0o711);
        let new = tempfile::Builder::new()
            .prefix(UNLOCKED)
            .permissions(permissions)
            .tempdir()?;
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
        // It is no more where it was made.
        let _ = new.keep();
        Ok(Self {
            base: Arc::new(Base { path, _held: held }),
        })
    }

    /// Where they are.
    pub(super) fn path(&self) -> &Path {
        &self.base.path
    }

    /// A directory for what the runner alone may change, and everybody who knows the name of a file may read.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn closed(&self) -> io::Result<PathBuf> {
        let path = self.path().join("copies");
        std::fs::create_dir(&path)?;
        std::fs::set_permissions(&path, Permissions::from_mode(0o711))?;
        Ok(path)
    }

    /// One for the agent with this number; what `kept` names outlives its processes.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn make(&self, number: usize, user: Option<u32>, kept: Vec<String>) -> io::Result<Scratch> {
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
/// When another one has it.
fn lock(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = rustix::fs::open(path, flags, Mode::empty())?;
    rustix::fs::flock(&directory, FlockOperation::NonBlockingLockExclusive)?;
    Ok(directory)
}

/// Gives a directory another name. Nothing of it has to last.
fn move_to(from: &Path, to: &Path) -> io::Result<()> {
    Ok(rustix::fs::renameat(CWD, from, CWD, to)?)
}

/// The scratch directory of one agent.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// Names directly in it that stay.
    kept: Vec<String>,
    leases: Mutex<u32>,
    /// What it is in goes with the last of them.
    _base: Arc<Base>,
}

impl Scratch {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// For one process: as long as it lives nothing is taken away.
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
        if *leases == 0
            && let Err(error) = remove(&self.0.path, &self.0.kept)
        {
            warn!(path = ?self.0.path, %error, "a scratch directory is not empty");
        }
    }
}

/// Removes everything in a directory but what is kept, however it was made: without following links, and flat, since an agent may
/// nest directories deeper than a path, or the stack of a thread, is long.
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
                // A directory may only be moved by who may write it.
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
pub(in crate::shell) fn remove_abandoned() {
    let entries = std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(BEGIN)) {
        let path = entry.path();
        // Somebody else's cannot be removed, and is none of ours.
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
    fn only_what_nobody_holds_is_removed() {
        let scratches = Scratches::new().expect("a place");
        let place = scratches.path().to_path_buf();
        let abandoned = place.with_file_name(format!("{BEGIN}1-left-{}", std::process::id()));
        std::fs::create_dir_all(abandoned.join("0/more")).expect("a directory");
        remove_abandoned();
        assert!(place.exists() && !abandoned.exists());
        drop(scratches);
        assert!(!place.exists());
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
