//! An archive that comes: copied to where nobody else writes, and put in its place by its content.
//!
//! May not: look into it.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::NamedTempFile;

use super::store::Store;
use super::unpack::MEGABYTE;
use crate::submission_error::SubmissionError;
use swissmatch_host::file_hash::{copy_hashed, hash_file, hash_open};
use swissmatch_host::files;

/// What an archive may have beside its files.
const BESIDE: u64 = MEGABYTE;

/// An archive that has come, and is not in its place yet.
pub(super) struct Incoming {
    file: NamedTempFile,
    /// As long as it is held nobody takes it for one that was left behind.
    _held: File,
    pub(super) sha256: String,
    pub(super) bytes: u64,
}

impl Incoming {
    /// Puts it in its place, by its content.
    ///
    /// # Errors
    /// When it is not what was received any more, or cannot be moved.
    pub(super) fn place(&self, store: &Store) -> io::Result<()> {
        let kept = store.archive(&self.sha256);
        if kept.is_file() && hash_file(&kept)?.sha256 == self.sha256 {
            return Ok(());
        }
        let (file, path) = (self.file.as_file(), self.file.path());
        if !files::is_at(file, path)? || hash_open(file)? != self.sha256 {
            let changed = io::Error::other("it was changed while it was received");
            return Err(files::about(path, &changed));
        }
        files::rename(path, &kept)?;
        file.set_permissions(Permissions::from_mode(0o444))
    }
}

/// Copies an archive that may have so many MB unpacked.
///
/// # Errors
/// When it cannot be read, is larger, or the disk is full.
pub(super) fn receive(store: &Store, archive: &Path, most: u64) -> Result<Incoming, SubmissionError> {
    let unreadable = |source| SubmissionError::Unreadable {
        file: archive.to_path_buf(),
        source,
    };
    let source = files::open_plain(archive).map_err(unreadable)?;
    let (file, held) = store.make_incoming()?;
    match copy_hashed(source, file.as_file(), most * MEGABYTE + BESIDE)? {
        Some((sha256, bytes)) => Ok(Incoming {
            file,
            _held: held,
            sha256,
            bytes,
        }),
        None => Err(SubmissionError::TooLarge {
            file: archive.to_path_buf(),
            most,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_changed_while_it_comes_is_not_kept() {
        let place = tempfile::tempdir().expect("a directory");
        let store = Store::of_run(place.path());
        store.make().expect("it is made");
        let archive = place.path().join("a.zip");
        std::fs::write(&archive, "one").expect("it is written");
        let of = |file: &Incoming| file.file.path().to_path_buf();
        let incoming = receive(&store, &archive, 1).expect("it is received");
        std::fs::write(of(&incoming), "two").expect("it is written");
        incoming.place(&store).expect_err("it was changed");
        let incoming = receive(&store, &archive, 1).expect("it is received");
        std::fs::remove_file(of(&incoming)).expect("it is removed");
        std::fs::write(of(&incoming), "one").expect("it is written");
        incoming.place(&store).expect_err("it is another one");
        let incoming = receive(&store, &archive, 1).expect("it is received");
        incoming.place(&store).expect("it is placed");
        let kept = store.archive(&incoming.sha256);
        assert_eq!(std::fs::read_to_string(&kept).expect("it is there"), "one");
        // What was put there instead gives way to what is handed in again.
        std::fs::remove_file(&kept).expect("it is removed");
        std::fs::write(&kept, "two").expect("it is written");
        let again = receive(&store, &archive, 1).expect("it is received");
        again.place(&store).expect("it is placed");
        assert_eq!(std::fs::read_to_string(&kept).expect("it is there"), "one");
    }

    #[test]
    fn what_a_killed_one_left_is_removed_and_what_comes_at_the_moment_is_not() {
        let place = tempfile::tempdir().expect("a directory");
        let store = Store::of_run(place.path());
        store.make().expect("it is made");
        let left = store.dir().join("turns/incoming-4711");
        std::fs::write(&left, "half of it").expect("it is written");
        let (one, _one_held) = store.make_incoming().expect("it is made");
        let (other, _other_held) = store.make_incoming().expect("it is made");
        assert!(!left.exists());
        assert!(one.path() != other.path() && one.path().exists() && other.path().exists());
    }
}
