//! Whether the files of a log are where they were when it was opened, and no shorter than before. Writing to a removed
//! file is lost, and writing on in a file that was cut off leaves a hole in it.
//!
//! May not: open them, except as mere paths: closing a file releases the locks that SQLite has on it.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::with_end;
use crate::files;

/// The files of a log while it is written to.
#[derive(Debug)]
pub(super) struct WatchedFiles(Vec<WatchedFile>);

#[derive(Debug)]
struct WatchedFile {
    path: PathBuf,
    file: OwnedFd,
    /// The greatest length at a commit: nothing makes the file shorter while it is written to.
    length: i64,
}

/// What happened to the first file that is not where it was.
pub(super) enum FileLoss {
    /// The log's file was removed, and nothing else has its name.
    Removed,
    /// It was removed, and another file has its name.
    Replaced,
    Moved,
    /// A file beside it was removed or moved.
    Beside(PathBuf),
    /// The log's file or one beside it was cut off or emptied.
    Cut(PathBuf),
}

impl WatchedFiles {
    /// Watches a log and the files beside it.
    ///
    /// # Errors
    /// One of them cannot be looked at.
    pub(super) fn begin(log: &Path) -> io::Result<Self> {
        let open = |path: PathBuf| match rustix::fs::open(&path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
            Ok(file) => Some(Ok(WatchedFile { path, file, length: 0 })),
            // A file system without shared memory has none.
            Err(rustix::io::Errno::NOENT) if path != log => None,
            Err(error) => Some(Err(error.into())),
        };
        [log.to_path_buf()]
            .into_iter()
            .chain(["-wal", "-shm"].map(|end| with_end(log, end)))
            .filter_map(open)
            .collect::<io::Result<_>>()
            .map(Self)
            .and_then(|mut watch: Self| watch.note().map(|()| watch))
    }

    /// Notes the lengths after a commit.
    ///
    /// # Errors
    /// One of them cannot be looked at.
    pub(super) fn note(&mut self) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|watched| {
            // A file cut off during the commit is noticed at the next look.
            watched.length = watched.length.max(watched.length_now()?);
            Ok(())
        })
    }

    /// The loss of a file, if there is one.
    ///
    /// # Errors
    /// The files cannot be looked at.
    pub(super) fn look(&self) -> io::Result<Option<FileLoss>> {
        for (number, watched) in self.0.iter().enumerate() {
            let WatchedFile { path, file, length } = watched;
            if files::is_at(file, path)? {
                if watched.length_now()? < *length {
                    return Ok(Some(FileLoss::Cut(path.clone())));
                }
                continue;
            }
            if number > 0 {
                return Ok(Some(FileLoss::Beside(path.clone())));
            }
            let is_removed = rustix::fs::fstat(file)?.st_nlink == 0;
            return Ok(Some(match (is_removed, path.symlink_metadata().is_ok()) {
                (true, false) => FileLoss::Removed,
                (true, true) => FileLoss::Replaced,
                (false, _) => FileLoss::Moved,
            }));
        }
        Ok(None)
    }

    /// Removes the files beside the log, so that they are not taken for another log's.
    pub(super) fn remove_beside(&self) {
        for WatchedFile { path, file, .. } in self.0.iter().skip(1) {
            if files::is_at(file, path).unwrap_or(false) {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

impl WatchedFile {
    fn length_now(&self) -> io::Result<i64> {
        Ok(rustix::fs::fstat(&self.file)?.st_size)
    }
}
