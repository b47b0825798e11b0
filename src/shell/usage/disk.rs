//! What lies in the directories that an agent may write.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Most entries that are looked at; directories beyond count as they were.
const MOST: usize = 50_000;

/// Directories, and what was in each when they were looked at first.
#[derive(Debug)]
pub(super) struct Places(Vec<(PathBuf, u64)>);

impl Places {
    /// These, as they are now.
    pub(super) fn new(paths: &[OsString]) -> Self {
        let paths = paths.iter().map(PathBuf::from);
        Self(paths.map(|path| (path.clone(), size(&path))).collect())
    }

    /// By how many bytes they have grown together.
    pub(super) fn grown(&self) -> u64 {
        let grown = self.0.iter().map(|(path, before)| size(path).saturating_sub(*before));
        grown.sum()
    }
}

/// What a file, or everything below a directory, takes of its disk; links are not followed, and a file with
/// several names counts once if all of them are there.
pub(in crate::shell) fn size(top: &Path) -> u64 {
    let (mut left, mut bytes, mut seen) = (vec![top.to_path_buf()], 0, 0);
    while let Some(path) = left.pop() {
        seen += 1;
        let Ok(found) = fs::symlink_metadata(&path) else {
            continue;
        };
        bytes += found.blocks() * 512 / found.nlink().max(1);
        if !found.is_dir() || seen + left.len() > MOST {
            continue;
        }
        let mut entries = fs::read_dir(&path);
        // What it closes it may open again, and so may whoever runs it.
        if entries
            .as_ref()
            .is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
            && fs::set_permissions(&path, Permissions::from_mode(0o700)).is_ok()
        {
            entries = fs::read_dir(&path);
        }
        left.extend(entries.into_iter().flatten().flatten().map(|entry| entry.path()));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_below_is_seen_and_what_was_there_is_not_counted() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path();
        fs::write(path.join("before"), vec![1; 300_000]).expect("a file");
        let places = Places::new(&[path.as_os_str().to_owned()]);
        assert_eq!(places.grown(), 0);
        let closed = path.join("closed/more");
        fs::create_dir_all(&closed).expect("directories");
        fs::write(closed.join("file"), vec![1; 500_000]).expect("a file");
        fs::set_permissions(path.join("closed"), Permissions::from_mode(0o0)).expect("its own");
        std::os::unix::fs::symlink("/usr", path.join("link")).expect("a link");
        let grown = places.grown();
        assert!((500_000..600_000).contains(&grown), "{grown}");
    }
}
