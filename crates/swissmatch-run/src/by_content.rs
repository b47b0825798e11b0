//! The name of a match: by what it is asked for, and by what its agents and openings are.
//!
//! May not: start anything.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::error::RunError;
use super::event_file::EventFile;
use super::hosted;
use super::league::builds::Settings;
use super::materials::Materials;
use swissmatch_config as config;
use swissmatch_config::match_words::MatchEvent;
use swissmatch_game::isolation::Isolation;
use swissmatch_host::host::AgentFound;
use swissmatch_host::{files, paths};
use swissmatch_tournament::setup::{PlayerKeys, Setup};

/// An event whose file has its name by its content.
#[derive(Clone, Debug)]
pub struct NamedEvent {
    /// `NAME-HASH`.
    pub name: String,
    /// The event file, in the directory of the event.
    pub file: PathBuf,
    /// Whether it is a match of a build against itself.
    pub is_same_build: bool,
    text: String,
}

impl NamedEvent {
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
        hosted::try_ahead(&event.loaded.setup);
        let materials = Materials::here(&event)?;
        let name = format!("{name}-{}", materials.hash_with(text));
        Ok(Self {
            file: directory.join(format!("{name}.toml")),
            name,
            is_same_build: is_same_build(&event.loaded.setup, &materials),
            text: text.clone(),
        })
    }

    /// The names of events that were asked for by the same words, whose agents or openings were other ones.
    pub fn of_same_words(&self) -> Vec<String> {
        let Some((base, _)) = self.name.rsplit_once('-') else {
            return Vec::new();
        };
        let beside = self.file.parent().map(std::fs::read_dir).and_then(Result::ok);
        let names = beside.into_iter().flatten().flatten();
        let names = names.filter_map(|entry| {
            entry
                .file_name()
                .into_string()
                .ok()?
                .strip_suffix(".toml")
                .map(str::to_owned)
        });
        let is_of_base = |name: &String| name.rsplit_once('-').is_some_and(|(other, _)| other == base);
        let has_same_text = |name: &String| {
            let file = self.file.with_file_name(format!("{name}.toml"));
            std::fs::read(file).is_ok_and(|text| text == self.text.as_bytes())
        };
        let mut names: Vec<String> = names
            .filter(|name| *name != self.name && is_of_base(name) && has_same_text(name))
            .collect();
        names.sort();
        names
    }

    /// Writes the event file, unless it is there already. One with the same name and another content is left alone.
    ///
    /// # Errors
    /// When it cannot be written, or is another one.
    pub fn write(&self) -> Result<(), EventFileError> {
        let failed = |why| EventFileError::Write {
            path: self.file.clone(),
            why,
        };
        match std::fs::read(&self.file) {
            Ok(there) if there == self.text.as_bytes() => Ok(()),
            Ok(_) => Err(EventFileError::Another(self.file.clone())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                files::write_new(&self.file, &self.text).map_err(failed)
            }
            Err(error) => Err(failed(error)),
        }
    }
}

/// Whether the two agents of an event are one build: the same files with the same settings, whatever they are called. Such a build plays
/// differently elsewhere only by what lies beside its program, which it cannot read if it is isolated; what has the same place has the
/// same beside it, but for a script, which may look for files by its name.
fn is_same_build(setup: &Setup, materials: &Materials) -> bool {
    let ([one, other], [first, second]) = (setup.players.as_slice(), materials.found.as_slice()) else {
        return false;
    };
    let identity = |player: &PlayerKeys, found: &AgentFound| Settings::of(player, setup).identity(&found.files);
    let is_isolated = [one, other]
        .iter()
        .all(|player| setup.isolation(player) != Isolation::Off);
    let [program, other_program] = [first, second].map(|found| paths::resolved(Path::new(&found.program)));
    let has_same_beside = program.parent() == other_program.parent() && !is_script(&program);
    identity(one, first) == identity(other, second) && (is_isolated || program == other_program || has_same_beside)
}

/// Whether a program is a text that another one reads, or cannot be read.
fn is_script(program: &Path) -> bool {
    let mut head = [0; 2];
    let read = files::open_plain(program).and_then(|mut file| file.read_exact(&mut head));
    read.is_err() || head == *b"#!"
}

/// Why an event file was not written.
#[derive(Debug, thiserror::Error)]
pub enum EventFileError {
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
