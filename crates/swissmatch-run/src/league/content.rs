//! What a night is made of: its event with everything that the event names.
//!
//! May not: start anything.

use std::path::Path;

use crate::error::RunError;
use crate::event_file::EventFile;
use crate::materials::Materials;

/// What a night is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NightContent {
    /// The beginning of a hash of the event's text and of all files that it names, in hexadecimal.
    pub hash: String,
    /// The SHA-256 of each player's program, in the order of the event.
    pub programs: Vec<String>,
}

impl NightContent {
    /// Of an event in `directory`, whose text this is.
    ///
    /// # Errors
    /// When something that it names is not there.
    pub fn of(directory: &Path, text: &str) -> Result<Self, RunError> {
        let event = EventFile::parse(&directory.join("night.toml"), text)?;
        let materials = Materials::here(&event)?;
        let programs = materials.found.iter().map(|found| {
            let program = found.files.iter().find(|file| file.path == found.program);
            program.map_or_else(String::new, |file| file.sha256.clone())
        });
        Ok(Self {
            hash: materials.hash_with(text),
            programs: programs.collect(),
        })
    }
}
