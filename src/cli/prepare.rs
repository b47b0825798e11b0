//! From an event file to everything that a run needs, checked before anything starts.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use crate::config::{self, ConfigError, Loaded};
use crate::game::opening::gz::{self, NotUnpacked};
use crate::game::opening::{self, OpeningSuite, SuiteFormat};
use crate::run::roster_lock;
use crate::shell::agents;
use crate::shell::engine::EngineCommand;
use crate::shell::files;
use crate::shell::machine;
use crate::shell::store;
use crate::shell::tablebase::{Tablebases, TablesError};
use crate::tournament::event::{FileHash, Suite};
use crate::tournament::opening_plan;
use crate::tournament::setup::{Openings, Setup};

use super::exit::Failure;

/// Values that go over those of the event file.
#[derive(Debug, Default, Args)]
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
        self.load_with(path, Vec::new())
    }

    /// The same with values of further flags.
    pub(super) fn load_with(&self, path: &Path, flags: Vec<(String, String)>) -> Result<Loaded, Failure> {
        self.load_text(path, &read_event(path)?, flags)
    }

    /// The same of a text, which `path` names in messages.
    pub(super) fn load_text(
        &self,
        path: &Path,
        text: &str,
        mut flags: Vec<(String, String)>,
    ) -> Result<Loaded, Failure> {
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
        config::load(path, text, &flags).map_err(Failure::usage)
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

/// More bytes than an event file or a list of entrants has.
const MOST_BYTES: u64 = 16 << 20;

/// The text of an event file, which may be a pipe.
pub(super) fn read_event(path: &Path) -> Result<String, Failure> {
    let bytes = File::open(path).and_then(read_bounded);
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
    text.map_err(|error| Failure::usage(anyhow!("{}: the event file cannot be read: {error}", path.display())))
}

/// What somebody wrote. It may come from a pipe; what has no end is refused.
pub(super) fn read_bounded(source: impl io::Read) -> io::Result<Vec<u8>> {
    files::read_at_most(source, MOST_BYTES)
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
    pub(super) openings: OpeningSuite,
    /// Where they come from.
    pub(super) suite: Suite,
    /// Endgame tablebases, where games are adjudicated by them.
    pub(super) tablebases: Option<Tablebases>,
    /// What is probably not meant.
    pub(super) warnings: Vec<String>,
}

impl Materials {
    /// Finds the agents' programs and reads the openings.
    pub(super) fn gather(loaded: &Loaded, directory: &Path) -> Result<Self, Failure> {
        let mut commands = Vec::new();
        let mut files = Vec::new();
        let mut patterns = Vec::new();
        for (index, player) in loaded.setup.players.iter().enumerate() {
            let (command, files_of_agent) = agent_of(loaded, index, directory)?;
            patterns.extend(agents::patterns(&command, player).map(|name| {
                format!(
                    "player.write of {}: `{name}` is the name of nothing; the key takes files and directories, no patterns",
                    player.name
                )
            }));
            commands.push(command);
            files.push(files_of_agent);
        }
        let (openings, suite, warnings) = openings(loaded, directory)?;
        Ok(Self {
            commands,
            files,
            openings,
            suite,
            tablebases: tablebases(loaded, directory)?,
            warnings: patterns.into_iter().chain(warnings).collect(),
        })
    }

    /// The event file, its lock, and everything that it names or may name.
    pub(super) fn named(&self, loaded: &Loaded, directory: &Path) -> Vec<PathBuf> {
        let setup = &loaded.setup;
        let file = Path::new(loaded.file());
        let mut named = vec![file.to_path_buf(), roster_lock::path_of(file)];
        for (command, player) in self.commands.iter().zip(&setup.players) {
            named.extend(agents::named_paths(command, &player.env));
            named.push(command.directory.clone());
        }
        let openings = match &setup.mini_match.openings {
            Openings::File(name) => Some(name),
            Openings::None | Openings::Bundled | Openings::Chess960 => None,
        };
        let baseline = setup.eligibility.baseline.as_ref().map(|baseline| &baseline.command);
        let texts = openings.into_iter().chain(baseline).chain([&setup.eligibility.record]);
        let texts = texts.chain(&setup.adjudication.tablebases).chain(&setup.tour.runs);
        named.extend(texts.map(|text| directory.join(text)));
        named
    }

    /// Files that stay open while games are played, at most.
    pub(super) fn open_files(&self) -> usize {
        self.tablebases.as_ref().map_or(0, Tablebases::count)
    }
}

/// How to start the agent of a player, and its files; the player stands at `index` in the event file, which is in `directory`.
pub(super) fn agent_of(
    loaded: &Loaded,
    index: usize,
    directory: &Path,
) -> Result<(EngineCommand, Vec<FileHash>), Failure> {
    let player = &loaded.setup.players[index];
    let at = |error: String| Failure::usage(loaded.error_at_player(index, "player.command", error));
    let at_key = |key, error: String| Failure::usage(loaded.error_at_player(index, key, error));
    let program = agents::find_program(&player.command, directory).map_err(|error| at(error.to_string()))?;
    let works_in = agents::working_directory(player, directory);
    let works_in = works_in.map_err(|error| at_key("player.dir", error))?;
    let command = agents::command(player, &loaded.setup, program, works_in);
    let command = command.map_err(|error| at_key("player.env", error.to_string()))?;
    let files = agents::hash_files(&command, player).map_err(|error| match machine::is_short(&error) {
        true => Failure::machine(error),
        false => at(format!("cannot be read: {error}")),
    })?;
    Ok((command, files))
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

/// Reads the openings; returns warnings too.
pub(super) fn openings(loaded: &Loaded, directory: &Path) -> Result<(OpeningSuite, Suite, Vec<String>), Failure> {
    let keys = &loaded.setup.mini_match;
    let at = |error: String| Failure::usage(loaded.error_at("mini_match.openings", error));
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
            let (bytes, sha256) = read_suite(&directory.join(name), packed).map_err(at)?;
            (name.as_str(), bytes, Some(sha256), format)
        }
    };
    let openings = opening::parse_suite(&bytes, format, loaded.setup.game.variant, keys.opening_plies)
        .map_err(|error| at(format!("{source}: {error}")))?;
    let suite = Suite {
        source: source.to_owned(),
        sha256: Some(sha256.unwrap_or_else(|| store::sha256(&bytes))),
        count: openings.len(),
    };
    if keys.opening_start as usize > openings.len() {
        let message = format!("{source} has {} openings, so none to begin with", openings.len());
        return Err(Failure::usage(loaded.error_at("mini_match.opening_start", message)));
    }
    let warnings = doubts(&loaded.setup, source, &openings);
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
