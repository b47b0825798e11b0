//! What the kinds of harm are done with.

use std::path::PathBuf;

/// What several kinds are told.
#[derive(Clone, Debug)]
pub(super) struct Means {
    /// The directory of the run; looked for in /proc otherwise.
    pub(super) run: Option<PathBuf>,
    /// A file that names the processes of the run; looked for in /proc otherwise.
    pub(super) others: Option<PathBuf>,
    /// In the names of all that is left behind.
    pub(super) mark: String,
    /// A file to which what standard error is told is added.
    pub(super) tell: Option<PathBuf>,
}

/// Bytes of a MiB.
pub(super) const MIB: usize = 1 << 20;
