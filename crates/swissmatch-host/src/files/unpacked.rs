//! Files that are written once and only read afterwards, below a directory that nobody else sees yet.
//!
//! May not: replace what is there.

use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

use super::about;

/// Writes a file that everyone may read and nobody may write; it is executable if it `runs`. Makes the directories
/// above it. Returns its size, which is at most `most` bytes.
///
/// # Errors
/// The name is taken, the source cannot be read or has more, or the disk is full.
pub fn write_read_only(path: &Path, source: &mut dyn Read, most: u64, runs: bool) -> io::Result<u64> {
    let mut write = || {
        if let Some(above) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o755).create(above)?;
        }
        let new = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::open(path, new, Mode::RUSR | Mode::WUSR)?);
        let bytes = io::copy(&mut source.take(most.saturating_add(1)), &mut file)?;
        if bytes > most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        file.flush()?;
        let mode = if runs { 0o555 } else { 0o444 };
        file.set_permissions(Permissions::from_mode(mode))?;
        Ok(bytes)
    };
    write().map_err(|error| about(path, &error))
}

/// Syncs everything below a directory.
///
/// # Errors
/// Something cannot be opened, or the disk fails.
pub fn settle_below(directory: &Path) -> io::Result<()> {
    let settle = || {
        rustix::fs::syncfs(File::open(directory)?)?;
        Ok(())
    };
    settle().map_err(|error: io::Error| about(directory, &error))
}

/// Removes a directory with everything below it; it need not exist.
///
/// # Errors
/// Part of it cannot be removed.
pub fn remove_below(directory: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(|error| about(directory, &error)),
    }
}
