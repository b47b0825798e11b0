//! Whether the files of a log are where they were when it was opened, and no shorter than they have been. Who writes to a file that
//! was removed writes for nobody, and who writes on where a file was cut off leaves a hole in it.
//!
//! May not: open them, but as mere places: closing a file lets go the locks that SQLite has on it.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::with_end;
use crate::files;

/// The files that a log has while it is written to.
#[derive(Debug)]
pub(super) struct WatchedFiles(Vec<WatchedFile>);

#[derive(Debug)]
struct WatchedFile {
    path: PathBuf,
    file: OwnedFd,
    /// What it was long at a commit, at most: nothing that is done while it is written to makes it shorter.
    length: i64,
}

/// What became of the first of them that is not where it was.
pub(super) enum FileLoss {
    /// The log's file was removed, and nothing else has its name.
    Removed,
    /// It was removed, and another has its name.
    Replaced,
    /// It was moved.
    Moved,
    /// A file beside it was removed or moved.
    Beside(PathBuf),
    /// It, or a file beside it, lost its end or everything.
    Cut(PathBuf),
}

impl WatchedFiles {
    /// Watches a log and what there is beside it.
    ///
    /// # Errors
    /// When one of them cannot be looked at.
    pub(super) fn begin(log: &Path) -> io::Result<Self> {
        let open = |path: PathBuf| match rustix::fs::open(&path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
            Ok(file) => Some(Ok(WatchedFile { path, file, length: 0 })),
            // Where the file system shares no memory there are none.
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

    /// Something has been committed.
    ///
    /// # Errors
    /// When one of them cannot be looked at.
    pub(super) fn note(&mut self) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|watched| {
            // One that was cut off while this was being committed is missed at the next look.
            watched.length = watched.length.max(watched.length_now()?);
            Ok(())
        })
    }

    /// What is not where it was.
    ///
    /// # Errors
    /// When that cannot be looked at.
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

    /// Removes what is beside the log, so that it is not taken for another's.
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
