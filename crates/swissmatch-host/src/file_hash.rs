//! Hashes of files, taken anew only if a file may have been written to.
//!
//! May not: know what a file is for.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, Seek as _, Write as _};
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

/// Copies a source to a file that is open and empty, for good; the SHA-256 in hexadecimal of what was written, and its length. `None`: the
/// source has more than `most` bytes.
///
/// # Errors
/// When the source cannot be read, or the disk is full.
pub fn copy_hashed(source: impl io::Read, file: &File, most: u64) -> io::Result<Option<(String, u64)>> {
    let mut written = WrittenAsRead {
        source: source.take(most.saturating_add(1)),
        file,
        bytes: 0,
    };
    let sha256 = sha256_of(&mut written)?;
    if written.bytes > most {
        return Ok(None);
    }
    file.sync_all()?;
    Ok(Some((sha256, written.bytes)))
}

/// The SHA-256 of all that an open file has, in hexadecimal.
///
/// # Errors
/// When it cannot be read.
pub fn hash_open(mut file: &File) -> io::Result<String> {
    file.rewind()?;
    sha256_of(&mut file)
}

/// A source of which all that is read is written to a file.
struct WrittenAsRead<'a, R> {
    source: io::Take<R>,
    file: &'a File,
    bytes: u64,
}

impl<R: io::Read> io::Read for WrittenAsRead<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(bytes)?;
        let mut file = self.file;
        file.write_all(&bytes[..read])?;
        self.bytes += read as u64;
        Ok(read)
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
    fn what_is_copied_is_hashed_as_it_is_written() {
        let copy = |most| {
            let file = tempfile::tempfile().expect("a file");
            let copied = copy_hashed(&b"archive"[..], &file, most).expect("it is copied");
            (copied, hash_open(&file).expect("it is read"))
        };
        let sha256 = hash_text("archive");
        assert_eq!(copy(7), (Some((sha256.clone(), 7)), sha256));
        assert_eq!(copy(6).0, None);
    }

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
