//! Hashes of files, taken anew only if a file may have been written to.
//!
//! May not: know what a file is for.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::files;
use super::store::sha256_of;
use swissmatch_tournament::log::FileHash;

/// A file changed this shortly before it was read may have changed again with the same time: file clocks are coarse.
const COARSE: Duration = Duration::from_secs(2);

/// Files as they were last read, with their hashes, so that a program shared by several agents is read once.
static SEEN: Mutex<BTreeMap<PathBuf, (FileStamp, String)>> = Mutex::new(BTreeMap::new());

/// The hash of a file.
///
/// # Errors
/// It cannot be read.
pub fn hash_file(path: &Path) -> io::Result<FileHash> {
    Ok(FileHash {
        path: path.display().to_string(),
        sha256: sha256_of(&mut files::open_plain(path)?)?,
    })
}

/// Copies a source to a new file and syncs it; returns its SHA-256 in hexadecimal and its length. `None` if it has more
/// than `most` bytes; then there is no file.
///
/// # Errors
/// The name is taken, the source cannot be read, or the disk is full.
pub fn copy_hashed(source: &mut dyn io::Read, path: &Path, most: u64) -> io::Result<Option<(String, u64)>> {
    match files::write_read_only(path, source, most, false) {
        Ok(bytes) => {
            let mut written = files::open_plain(path)?;
            written.sync_all()?;
            Ok(Some((sha256_of(&mut written)?, bytes)))
        }
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            files::remove(path)?;
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The SHA-256 of a text, in hexadecimal.
pub fn hash_text(text: &str) -> String {
    sha256_of(&mut text.as_bytes()).expect("a text can be read")
}

/// The SHA-256 of a file, which is read only if it may have been written to since it was last read.
///
/// # Errors
/// It cannot be read.
pub(super) fn hash_again(path: &Path) -> io::Result<String> {
    let stamp = FileStamp::of(&std::fs::metadata(path)?);
    let seen = || SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((then, sha256)) = seen().get(path)
        && *then == stamp
    {
        return Ok(sha256.clone());
    }
    let begun = SystemTime::now();
    let sha256 = hash_file(path)?.sha256;
    match stamp.is_settled(begun) {
        true => drop(seen().insert(path.to_path_buf(), (stamp, sha256.clone()))),
        false => drop(seen().remove(path)),
    }
    Ok(sha256)
}

/// What shows that a file was written to: a writer cannot set the time of its last change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileStamp {
    device: u64,
    inode: u64,
    size: u64,
    /// Seconds and nanoseconds.
    changed: (i64, i64),
}

impl FileStamp {
    fn of(data: &Metadata) -> Self {
        Self {
            device: data.dev(),
            inode: data.ino(),
            size: data.size(),
            changed: (data.ctime(), data.ctime_nsec()),
        }
    }

    /// True if anything written from `now` on changes its time.
    fn is_settled(self, now: SystemTime) -> bool {
        let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let changed = Duration::from_secs(self.changed.0.try_into().unwrap_or(0));
        changed + COARSE < since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_settled_when_its_time_is_past() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(100);
        let stamp = |seconds| FileStamp {
            device: 0,
            inode: 0,
            size: 0,
            changed: (seconds, 0),
        };
        assert!(stamp(97).is_settled(now));
        assert!(!stamp(98).is_settled(now) && !stamp(101).is_settled(now));
    }
}
