//! The name of a match: by what it is asked for, and by what its agents and openings are.
//!
//! May not: start anything.

use std::path::{Path, PathBuf};

use super::error::RunError;
use super::event_file::EventFile;
use super::materials::Materials;
use crate::config;
use crate::config::match_words::MatchEvent;
use crate::game::isolation::Isolation;
use crate::shell::directory::END;
use crate::shell::files;
use crate::shell::store::sha256;

/// Digits of the hash in a name.
const DIGITS: usize = 8;

/// An event whose file has its name by its content.
#[derive(Clone, Debug)]
pub struct Named {
    /// `NAME-HASH`.
    pub name: String,
    /// The event file, in the directory of the event.
    pub file: PathBuf,
    text: String,
}

impl Named {
    /// `name` and the beginning of a hash, in hexadecimal: of the event's text, and of all files of its agents and openings.
    ///
    /// # Errors
    /// When the event cannot be read, or something that it names is not there; told in the words that asked for it, since its file is
    /// not written yet.
    pub fn new(directory: &Path, name: &str, asked: &MatchEvent) -> Result<Self, RunError> {
        let text = &asked.event;
        let at = directory.join(format!("{name}.toml"));
        let loaded = config::load(&at, text, &[]).map_err(|error| asked.error(error))?;
        let event = EventFile::new(loaded.by_words(asked.dialect), &at)?;
        let materials = Materials::here(&event)?;
        let name = format!("{name}-{}", hash_of(text, &materials));
        Ok(Self {
            file: directory.join(format!("{name}.toml")),
            name,
            text: text.clone(),
        })
    }

    /// Writes the event file, unless it is there already. One with the same name and another content is left alone.
    ///
    /// # Errors
    /// When it cannot be written, or is another one.
    pub fn write(&self) -> Result<(), NotWritten> {
        let failed = |why| NotWritten::Write {
            path: self.file.clone(),
            why,
        };
        match std::fs::read(&self.file) {
            Ok(there) if there == self.text.as_bytes() => Ok(()),
            Ok(_) => Err(NotWritten::Another(self.file.clone())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                files::write_new(&self.file, &self.text).map_err(failed)
            }
            Err(error) => Err(failed(error)),
        }
    }
}

/// The beginning of a hash, in hexadecimal, of an event's text and of all files of its agents and openings.
pub(super) fn hash_of(text: &str, materials: &Materials) -> String {
    let mut all = format!("swissmatch match\n{text}");
    for (spec, found) in materials.agents.iter().zip(&materials.found) {
        // Where a file is does not matter: a copy of the directory goes on. An agent that is not isolated may write in its directory.
        let is_free = spec.isolation == Isolation::Off;
        for file in found.files.iter().filter(|file| !(is_free && file.path.ends_with(END))) {
            all += &format!("{}\n", file.sha256);
        }
    }
    all += materials.suite.sha256.as_deref().unwrap_or("-");
    sha256(all.as_bytes())[..DIGITS].to_owned()
}

/// Why an event file was not written.
#[derive(Debug, thiserror::Error)]
pub enum NotWritten {
    /// There is another one.
    #[error("{} is there and is not the file of this match; move it away, or give the match another --name", .0.display())]
    Another(PathBuf),
    /// It cannot be written.
    #[error("{}: the event file of the match cannot be written: {why}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
}
