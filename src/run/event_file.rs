//! An event file that has been read, and the directory that it is in.

use std::path::{Path, PathBuf};

use crate::config::{self, Loaded};

use super::error::RunError;

/// An event file understood, and where it is.
#[derive(Clone, Debug)]
pub struct EventFile {
    /// What it says.
    pub loaded: Loaded,
    /// The directory that it is in: agents and openings are relative to it, and agents run in it unless they have a directory of
    /// their own.
    pub directory: PathBuf,
}

impl EventFile {
    /// Reads the event file at `path`; `flags` are pairs of a key and its value that go over those of the file.
    ///
    /// # Errors
    /// When it cannot be read, or is no event file.
    pub fn read(path: &Path, flags: &[(String, String)]) -> Result<Self, RunError> {
        let text = read_text(path)?;
        Self::of(config::load(path, &text, flags)?, path)
    }

    /// One that has been understood, of the file at `path`.
    ///
    /// # Errors
    /// When its directory cannot be found.
    pub fn of(loaded: Loaded, path: &Path) -> Result<Self, RunError> {
        let directory = directory_of(path)?;
        Ok(Self { loaded, directory })
    }

    /// The file, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(self.loaded.file())
    }
}

/// The text of an event file.
///
/// # Errors
/// When it cannot be read.
pub fn read_text(path: &Path) -> Result<String, RunError> {
    std::fs::read_to_string(path).map_err(|source| RunError::Unreadable {
        path: path.to_path_buf(),
        what: "the event file cannot be read: ",
        source,
    })
}

/// The directory that a file is in, as a whole path.
///
/// # Errors
/// When it cannot be found.
pub fn directory_of(file: &Path) -> Result<PathBuf, RunError> {
    let parent = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    std::fs::canonicalize(parent).map_err(|source| RunError::Unreadable {
        path: parent.to_path_buf(),
        what: "",
        source,
    })
}
