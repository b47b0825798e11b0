//! The scratch directory of an agent: where it works, and all that it may write unless `player.write` names more.
//!
//! It is the agent's alone, shared by its processes where it has several, and emptied when the last of them has ended.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{CWD, Gid, Uid};
use tempfile::TempDir;
use tracing::warn;

/// How scratch directories of a process begin, with its number after it: whoever outlives it removes them.
const BEGIN: &str = "swissmatch-scratch-";

/// The scratch directories of a host; dropped, they go.
#[derive(Clone, Debug)]
pub(super) struct Scratches {
    base: Arc<Base>,
}

#[derive(Debug)]
struct Base(TempDir);

impl Scratches {
    /// A place for them, in the directory for temporary files.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn new() -> io::Result<Self> {
        remove_abandoned();
        let prefix = format!("{BEGIN}{}-", std::process::id());
        // Others may pass, and see nothing.
        let permissions = Permissions::from_mode(0o711);
        let base = tempfile::Builder::new()
            .prefix(&prefix)
            .permissions(permissions)
            .tempdir()?;
        Ok(Self {
            base: Arc::new(Base(base)),
        })
    }

    /// Where they are.
    pub(super) fn path(&self) -> &Path {
        self.base.0.path()
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
        let path = self.0.path();
        if let Err(error) = remove(path, &[]) {
            warn!(?path, %error, "scratch directories are left");
        }
    }
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
                // Nothing of it has to last: no file of ours is renamed here.
                rustix::fs::renameat(CWD, inner.path(), CWD, flat)?;
            }
            std::fs::remove_dir(&path)?;
        }
    }
    Ok(())
}

/// Removes the scratch directories of a process that has ended.
pub(in crate::shell) fn remove_of(process: u32) {
    remove_where(|number| number == process);
}

/// Removes those of processes that were killed, with whoever should have seen to it.
fn remove_abandoned() {
    remove_where(|number| !Path::new("/proc").join(number.to_string()).exists());
}

fn remove_where(is_over: impl Fn(u32) -> bool) {
    let entries = std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix(BEGIN)?.split('-').next()?.parse().ok());
        // Somebody else's cannot be removed, and is none of ours.
        if number.is_some_and(&is_over) && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = remove(&entry.path(), &[]);
            let _ = std::fs::remove_dir(entry.path());
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
