//! The build of this program.
#![expect(clippy::disallowed_methods, reason = "the shell asks the machine")]

use std::os::unix::fs::MetadataExt as _;

/// This program, wherever it is seen.
pub(crate) const OWN: &str = "/proc/self/exe";

/// The version, size and time of the program's file, which differ between builds; `None` if the file cannot be found.
pub fn identity() -> Option<(&'static str, u64, i64, i64)> {
    let file = std::env::current_exe().ok()?.metadata().ok()?;
    Some((env!("CARGO_PKG_VERSION"), file.len(), file.mtime(), file.mtime_nsec()))
}
