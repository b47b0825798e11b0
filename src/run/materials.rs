//! From an event file to everything that a run needs, checked before anything starts.
//!
//! May not: start anything.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::config::ConfigError;
use crate::game::opening::gz::{self, NotUnpacked};
use crate::game::opening::{self, OpeningSuite, SuiteFormat};
use crate::shell::agents;
use crate::shell::engine::EngineCommand;
use crate::shell::files;
use crate::shell::machine;
use crate::shell::store;
use crate::shell::tablebase::{Tablebases, TablesError};
use crate::tournament::event::{FileHash, Suite};
use crate::tournament::opening_plan;
use crate::tournament::setup::{Openings, Setup};

use super::error::RunError;
use super::event_file::EventFile;
use super::roster_lock;

/// Everything outside the event file that its results rest on.
#[derive(Debug)]
pub struct Materials {
    /// How to start each agent, in the order of the file.
    pub commands: Vec<EngineCommand>,
    /// Each agent's files.
    pub files: Vec<Vec<FileHash>>,
    /// The openings.
    pub openings: OpeningSuite,
    /// Where they come from.
    pub suite: Suite,
    /// Endgame tablebases, where games are adjudicated by them.
    pub tablebases: Option<Tablebases>,
    /// What is probably not meant.
    pub warnings: Vec<String>,
}

impl Materials {
    /// Finds the agents' programs and reads the openings.
    ///
    /// # Errors
    /// When something that the event file names is not there, or is not what it should be; the key is named.
    pub fn gather(event: &EventFile) -> Result<Self, RunError> {
        let mut commands = Vec::new();
        let mut files = Vec::new();
        let mut patterns = Vec::new();
        for (index, player) in event.loaded.setup.players.iter().enumerate() {
            let (command, files_of_agent) = agent_of(event, index)?;
            patterns.extend(agents::patterns(&command, player).map(|name| {
                format!(
                    "player.write of {}: `{name}` is the name of nothing; the key takes files and directories, no patterns",
                    player.name
                )
            }));
            commands.push(command);
            files.push(files_of_agent);
        }
        let (openings, suite, warnings) = openings(event)?;
        Ok(Self {
            commands,
            files,
            openings,
            suite,
            tablebases: tablebases(event)?,
            warnings: patterns.into_iter().chain(warnings).collect(),
        })
    }

    /// The event file, its lock, and everything that it names or may name.
    #[must_use]
    pub fn named(&self, event: &EventFile) -> Vec<PathBuf> {
        let setup = &event.loaded.setup;
        let file = event.path();
        let mut named = vec![file.to_path_buf(), roster_lock::path_of(file)];
        for (command, player) in self.commands.iter().zip(&setup.players) {
            named.extend(agents::named_paths(command, &player.env));
            named.push(command.launch.directory.clone());
        }
        let openings = match &setup.mini_match.openings {
            Openings::File(name) => Some(name),
            Openings::None | Openings::Bundled | Openings::Chess960 => None,
        };
        let baseline = setup.eligibility.baseline.as_ref().map(|baseline| &baseline.command);
        let texts = openings.into_iter().chain(baseline).chain([&setup.eligibility.record]);
        let texts = texts.chain(&setup.adjudication.tablebases).chain(&setup.tour.runs);
        named.extend(texts.map(|text| event.directory.join(text)));
        named
    }

    /// Files that stay open while games are played, at most.
    #[must_use]
    pub fn open_files(&self) -> usize {
        self.tablebases.as_ref().map_or(0, Tablebases::count)
    }
}

/// How to start the agent of a player, and its files; the player stands at `index` in the event file.
///
/// # Errors
/// When its program, its directory or one of its files is not there; the key is named.
pub fn agent_of(event: &EventFile, index: usize) -> Result<(EngineCommand, Vec<FileHash>), RunError> {
    let player = &event.loaded.setup.players[index];
    let at = |error: String| RunError::Event(event.loaded.error_at_player(index, "player.command", error));
    let at_key = |key, error: String| RunError::Event(event.loaded.error_at_player(index, key, error));
    let program = agents::find_program(&player.command, &event.directory).map_err(|error| at(error.to_string()))?;
    let works_in = agents::working_directory(player, &event.directory);
    let works_in = works_in.map_err(|error| at_key("player.dir", error))?;
    let command = agents::command(player, &event.loaded.setup, program, works_in);
    let command = command.map_err(|error| at_key("player.env", error.to_string()))?;
    let files = agents::hash_files(&command, player).map_err(|error| match machine::is_short(&error) {
        true => RunError::machine(error),
        false => at(format!("cannot be read: {error}")),
    })?;
    Ok((command, files))
}

/// Opens the tablebases that the event asks for; all tables that it may need must be there.
fn tablebases(event: &EventFile) -> Result<Option<Tablebases>, RunError> {
    let keys = &event.loaded.setup.adjudication;
    if keys.tablebases.is_empty() {
        return Ok(None);
    }
    let directories: Vec<PathBuf> = keys.tablebases.iter().map(|path| event.directory.join(path)).collect();
    Tablebases::open(&directories, keys.tablebase_men)
        .map(Some)
        .map_err(|error| {
            let help = match &error {
                TablesError::Missing {
                    complete: Some(men), ..
                } => Some(format!(
                    "write tablebase_men = {men}, or add the directory that holds the rest"
                )),
                TablesError::Missing { .. } => Some("add the directory that holds them".to_owned()),
                TablesError::Unreadable { .. } => Some("directories are relative to the event file".to_owned()),
            };
            RunError::Event(ConfigError {
                help,
                ..event.loaded.error_at("adjudication.tablebases", error.to_string())
            })
        })
}

/// Reads the openings; returns warnings too.
///
/// # Errors
/// When they cannot be read; the key is named.
pub fn openings(event: &EventFile) -> Result<(OpeningSuite, Suite, Vec<String>), RunError> {
    let keys = &event.loaded.setup.mini_match;
    let at = |error: String| RunError::Event(event.loaded.error_at("mini_match.openings", error));
    let (source, bytes, sha256, format) = match &keys.openings {
        Openings::None => {
            let suite = Suite {
                source: "none".to_owned(),
                sha256: None,
                count: 0,
            };
            return Ok((OpeningSuite::default(), suite, Vec::new()));
        }
        Openings::Bundled => {
            let bytes = opening::BUNDLED.as_bytes().to_vec();
            ("bundled", bytes, None, opening::BUNDLED_FORMAT)
        }
        Openings::Chess960 => {
            let bytes = opening::chess960::starts().into_bytes();
            ("chess960", bytes, None, SuiteFormat::Epd)
        }
        Openings::File(name) => {
            let (format, packed) = SuiteFormat::from_file_name(name).ok_or_else(|| {
                at(format!(
                    "{name}: the ending must be .epd, .fen, .pgn or .bin, with or without .gz, so that the format is known"
                ))
            })?;
            let (bytes, sha256) = read_suite(&event.directory.join(name), packed).map_err(at)?;
            (name.as_str(), bytes, Some(sha256), format)
        }
    };
    let openings = opening::parse_suite(&bytes, format, event.loaded.setup.game.variant, keys.opening_plies)
        .map_err(|error| at(format!("{source}: {error}")))?;
    let suite = Suite {
        source: source.to_owned(),
        sha256: Some(sha256.unwrap_or_else(|| store::sha256(&bytes))),
        count: openings.len(),
    };
    if keys.opening_start as usize > openings.len() {
        let message = format!("{source} has {} openings, so none to begin with", openings.len());
        return Err(RunError::Event(
            event.loaded.error_at("mini_match.opening_start", message),
        ));
    }
    let warnings = doubts(&event.loaded.setup, source, &openings);
    Ok((openings, suite, warnings))
}

/// The bytes of a suite, unpacked, and the hash of the file.
fn read_suite(path: &Path, packed: bool) -> Result<(Vec<u8>, String), String> {
    let of_file = |error: &dyn std::fmt::Display| format!("{} cannot be read: {error}", path.display());
    let file = files::open_plain(path).map_err(|error| of_file(&error))?;
    let mut bytes = Vec::new();
    let bound = gz::LARGEST as u64 + 1;
    file.take(bound)
        .read_to_end(&mut bytes)
        .map_err(|error| of_file(&error))?;
    if bytes.len() > gz::LARGEST {
        return Err(format!("{}: {}", path.display(), NotUnpacked::TooLarge));
    }
    let sha256 = store::sha256(&bytes);
    if packed {
        bytes = gz::unpack(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok((bytes, sha256))
}

/// What is probably not meant.
fn doubts(setup: &Setup, source: &str, openings: &OpeningSuite) -> Vec<String> {
    let needed = opening_plan::needed(setup);
    let few = (needed > openings.len()).then(|| {
        let count = openings.len();
        format!(
            "mini_match.openings: the event may take {needed} openings, and {source} has {count}: they come again after \
             that, and deterministic agents repeat their games"
        )
    });
    let repeats = openings.repeats();
    let same = (repeats.count > 0).then(|| {
        let named = repeats.first.iter();
        let named: Vec<String> = named
            .map(|(line, first)| format!("line {line} as line {first}"))
            .collect();
        let more = if repeats.count > named.len() { " …" } else { "" };
        format!(
            "mini_match.openings: {} of the {} openings of {source} lead to a position to which an earlier one leads: {}{more}",
            repeats.count,
            openings.len(),
            named.join(", ")
        )
    });
    few.into_iter().chain(same).collect()
}
