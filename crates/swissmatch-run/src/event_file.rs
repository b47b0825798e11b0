//! An event file that has been read, and the directory that it is in.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use swissmatch_config::{self as config, LoadedEvent};
use swissmatch_host::{environment, files, run_dir};

use super::error::RunError;

/// An event file understood, and where it is.
#[derive(Clone, Debug)]
pub struct EventFile {
    /// What it says.
    pub loaded: LoadedEvent,
    /// The directory that it is in: agents and openings are relative to it, and agents run in it unless they have a directory of
    /// their own.
    pub directory: PathBuf,
}

impl EventFile {
    /// Reads and checks the event file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, or says what cannot be; the line and the key are named.
    pub fn read(path: &Path) -> Result<Self, RunError> {
        Self::parse(path, &read_text(path)?)
    }

    /// Checks the text of an event file, which is, or would be, at `path`: agents and openings are relative to that one's directory.
    ///
    /// # Errors
    /// When it says what cannot be, or there is no such directory.
    pub fn parse(path: &Path, text: &str) -> Result<Self, RunError> {
        Self::new(config::load(path, text, &[])?, path)
    }

    /// One that has been understood, of the file at `path`.
    ///
    /// # Errors
    /// When its directory cannot be found.
    pub fn new(loaded: LoadedEvent, path: &Path) -> Result<Self, RunError> {
        let directory = directory_of(path)?;
        environment::keep_back_secrets(&loaded.setup);
        Ok(Self { loaded, directory })
    }

    /// The same by the rules that are in force then.
    #[must_use]
    pub(crate) fn in_force(&self, at: Timestamp) -> Self {
        Self {
            loaded: self.loaded.in_force(at),
            directory: self.directory.clone(),
        }
    }

    /// The file, as it was named.
    pub fn path(&self) -> &Path {
        Path::new(self.loaded.file())
    }
}

/// More bytes than an event file or a list of entrants has.
const MOST_BYTES: u64 = 16 << 20;

/// The text of an event file, which may be a pipe.
///
/// # Errors
/// When it cannot be read.
pub fn read_text(path: &Path) -> Result<String, RunError> {
    if path.is_dir() {
        return Err(RunError::NoEventFile {
            dir: path.to_path_buf(),
            is_run: run_dir::log(path).exists(),
        });
    }
    let bytes = File::open(path).and_then(read_bounded);
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
    text.map_err(|source| RunError::Unreadable {
        path: path.to_path_buf(),
        what: "the event file cannot be read: ",
        source,
    })
}

/// What somebody wrote. It may come from a pipe; what has no end is refused.
///
/// # Errors
/// When it cannot be read.
pub fn read_bounded(source: impl io::Read) -> io::Result<Vec<u8>> {
    files::read_at_most(source, MOST_BYTES)
}

/// The directory that a file is in, as a whole path.
///
/// # Errors
/// When it cannot be found.
pub(crate) fn directory_of(file: &Path) -> Result<PathBuf, RunError> {
    let parent = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    whole(parent)
}

/// The path of a directory that is there, with its links followed.
///
/// # Errors
/// When it cannot be found.
pub(crate) fn whole(directory: &Path) -> Result<PathBuf, RunError> {
    std::fs::canonicalize(directory).map_err(|source| RunError::Unreadable {
        path: directory.to_path_buf(),
        what: "",
        source,
    })
}
