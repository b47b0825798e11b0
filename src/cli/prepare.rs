//! From an event file to everything that a run needs, checked before anything starts.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use crate::config::{self, ConfigError, Loaded};
use crate::game::opening::{self, Opening, SuiteFormat};
use crate::game::rules::Board;
use crate::shell::agents;
use crate::shell::engine::EngineCommand;
use crate::shell::store::sha256;
use crate::shell::tablebase::{Tablebases, TablesError};
use crate::tournament::event::{FileHash, Suite};
use crate::tournament::setup::Openings;

use super::exit::Failure;

/// Values that go over those of the event file.
#[derive(Debug, Args)]
pub(super) struct Overrides {
    /// Games at once: a number, or "cores" (default: run.concurrency of the event file)
    #[arg(long, value_name = "N")]
    concurrency: Option<String>,
    /// Set any key for this call, as KEY=VALUE: --set game.nodes=1000
    #[arg(long = "set", value_name = "KEY=VALUE")]
    keys: Vec<String>,
}

impl Overrides {
    /// Reads and checks an event file.
    pub(super) fn load(&self, path: &Path) -> Result<Loaded, Failure> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::usage(anyhow!("{}: the event file cannot be read: {error}", path.display())))?;
        let mut flags = Vec::new();
        for key in &self.keys {
            let (key, value) = key
                .split_once('=')
                .ok_or_else(|| Failure::usage(anyhow!("--set {key}: write KEY=VALUE, such as game.nodes=1000")))?;
            flags.push((key.trim().to_owned(), value.trim().to_owned()));
        }
        flags.extend(
            self.concurrency
                .iter()
                .map(|n| ("run.concurrency".to_owned(), n.clone())),
        );
        config::load(path, &text, &flags).map_err(Failure::usage)
    }

    /// The same of an event that has rounds; a tour has none.
    pub(super) fn load_event(&self, path: &Path) -> Result<Loaded, Failure> {
        let loaded = self.load(path)?;
        if loaded.setup.tour.runs.is_empty() {
            return Ok(loaded);
        }
        let message = format!(
            "a tour has no rounds; `swissmatch tour {}` shows its standings",
            path.display()
        );
        Err(Failure::usage(loaded.error_at("tour.runs", message)))
    }
}

/// The directory that an event file is in: agents and openings are relative to it, and agents run in it unless they have a
/// directory of their own.
pub(super) fn directory_of(file: &Path) -> Result<PathBuf, Failure> {
    let parent = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    std::fs::canonicalize(parent).map_err(|error| Failure::usage(anyhow!("{}: {error}", parent.display())))
}

/// Everything outside the event file that its results rest on.
pub(super) struct Materials {
    /// How to start each agent, in the order of the file.
    pub(super) commands: Vec<EngineCommand>,
    /// Each agent's files.
    pub(super) files: Vec<Vec<FileHash>>,
    /// The openings.
    pub(super) openings: Vec<Opening>,
    /// Where they come from.
    pub(super) suite: Suite,
    /// Endgame tablebases, where games are adjudicated by them.
    pub(super) tablebases: Option<Tablebases>,
}

impl Materials {
    /// Finds the agents' programs and reads the openings.
    pub(super) fn gather(loaded: &Loaded, directory: &Path) -> Result<Self, Failure> {
        let setup = &loaded.setup;
        let mut commands = Vec::new();
        let mut files = Vec::new();
        for (index, player) in setup.players.iter().enumerate() {
            let at = |error: String| Failure::usage(loaded.error_at_player(index, "player.command", error));
            let at_key = |key, error: String| Failure::usage(loaded.error_at_player(index, key, error));
            let program = agents::find_program(&player.command, directory).map_err(|error| at(error.to_string()))?;
            let works_in = agents::working_directory(player, directory);
            let works_in = works_in.map_err(|error| at_key("player.dir", error))?;
            let command = agents::command(player, setup, program, works_in);
            let command = command.map_err(|error| at_key("player.env", error.to_string()))?;
            files.push(
                agents::hash_files(&command, &player.env).map_err(|error| at(format!("cannot be read: {error}")))?,
            );
            commands.push(command);
        }
        let (openings, suite) = openings(loaded, directory)?;
        Ok(Self {
            commands,
            files,
            openings,
            suite,
            tablebases: tablebases(loaded, directory)?,
        })
    }

    /// Files that stay open while games are played, at most.
    pub(super) fn open_files(&self) -> usize {
        self.tablebases.as_ref().map_or(0, Tablebases::count)
    }
}

/// Opens the tablebases that the event asks for; all tables that it may need must be there.
fn tablebases(loaded: &Loaded, directory: &Path) -> Result<Option<Tablebases>, Failure> {
    let keys = &loaded.setup.adjudication;
    if keys.tablebases.is_empty() {
        return Ok(None);
    }
    let directories: Vec<PathBuf> = keys.tablebases.iter().map(|path| directory.join(path)).collect();
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
            Failure::usage(ConfigError {
                help,
                ..loaded.error_at("adjudication.tablebases", error.to_string())
            })
        })
}

fn openings(loaded: &Loaded, directory: &Path) -> Result<(Vec<Opening>, Suite), Failure> {
    let keys = &loaded.setup.mini_match;
    let at = |error: String| Failure::usage(loaded.error_at("mini_match.openings", error));
    let (source, text, format) = match &keys.openings {
        Openings::None => {
            return Ok((
                Vec::new(),
                Suite {
                    source: "none".to_owned(),
                    sha256: None,
                    count: 0,
                },
            ));
        }
        Openings::Bundled => (
            "bundled".to_owned(),
            opening::BUNDLED.to_owned(),
            opening::BUNDLED_FORMAT,
        ),
        Openings::File(name) => {
            let path = directory.join(name);
            let text = std::fs::read_to_string(&path)
                .map_err(|error| at(format!("{} cannot be read: {error}", path.display())))?;
            let extension = path
                .extension()
                .map(|extension| extension.to_string_lossy().into_owned());
            let format = extension
                .as_deref()
                .and_then(SuiteFormat::from_extension)
                .ok_or_else(|| {
                    at(format!(
                        "{name}: the ending must be .epd, .fen or .pgn, so that the format is known"
                    ))
                })?;
            (name.clone(), text, format)
        }
    };
    let openings =
        opening::parse_suite(&text, format, keys.opening_plies).map_err(|error| at(format!("{source}: {error}")))?;
    for opening in &openings {
        Board::new(opening).map_err(|error| at(format!("{source}: {}: {error}", opening.name)))?;
    }
    let suite = Suite {
        source,
        sha256: Some(sha256(text.as_bytes())),
        count: openings.len(),
    };
    Ok((openings, suite))
}
