//! Which build of the program this is.
#![expect(clippy::disallowed_methods, reason = "the shell asks the machine")]

use std::os::unix::fs::MetadataExt as _;

/// Version, size and time of the program's file: another build has others. `None` where the file cannot be found.
pub fn identity() -> Option<(&'static str, u64, i64, i64)> {
    let file = std::env::current_exe().ok()?.metadata().ok()?;
    Some((env!("CARGO_PKG_VERSION"), file.len(), file.mtime(), file.mtime_nsec()))
}
