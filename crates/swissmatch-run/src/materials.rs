//! From an event file to everything that a run needs, checked before anything starts.
//!
//! May not: start anything.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use swiss_system::count;
use swissmatch_config::{ConfigError, LoadedEvent};
use swissmatch_game::gz::{self, GzipError};
use swissmatch_game::isolation::Isolation;
use swissmatch_game::opening::{self, Opening, OpeningSuite, SuiteFormat};
use swissmatch_game::rules::{Board, Ends};
use swissmatch_host::directory::END;
use swissmatch_host::host::{AgentFound, AgentSpec};
use swissmatch_host::{files, paths, store};
use swissmatch_tournament::log::{Agent, FileHash, Suite};
use swissmatch_tournament::setup::{OpeningFormat, Openings, PliesFrom, Setup};
use swissmatch_tournament::{limits, opening_plan};

use super::error::RunError;
use super::event_file::EventFile;
use super::hosted::{HostConnection, not_found};
use super::{own_directory, reach, roster_lock};

/// Digits of the hash in the name of a match.
const DIGITS: usize = 8;

/// Everything outside the event file that its results rest on.
#[derive(Debug)]
pub struct Materials {
    /// The agents, in the order of the file, with what is in their files.
    pub agents: Vec<AgentSpec>,
    /// Each as it was found.
    pub found: Vec<AgentFound>,
    /// The openings.
    pub openings: OpeningSuite,
    /// Where they come from.
    pub suite: Suite,
    /// What is probably not meant.
    pub warnings: Vec<String>,
}

impl Materials {
    /// Has the host of the event find the agents, and reads the openings. In a run that is there already, `registered`, agents are as
    /// they were when it began.
    ///
    /// # Errors
    /// When something that the event file names is not there, or is not what it should be; the key is named.
    pub(super) fn gather(
        event: &EventFile,
        hosted: &mut HostConnection,
        registered: Option<&[Agent]>,
    ) -> Result<Self, RunError> {
        let setup = &event.loaded.setup;
        let mut specs = own_directory::agents(event);
        for (spec, agent) in specs.iter_mut().zip(registered.into_iter().flatten()) {
            *spec = spec.clone().as_in(agent);
        }
        let looked_for = hosted.find(specs.clone())?.into_iter().enumerate();
        let found = looked_for.map(|(index, found)| found.map_err(|why| not_found(&event.loaded, index, why)));
        let found: Vec<AgentFound> = found.collect::<Result<_, _>>()?;
        let made = specs.iter().zip(&found);
        let made = made.map(|(spec, found)| (spec.player.name.as_str(), found.files.as_slice()));
        for (index, (spec, own)) in specs.iter().zip(&found).enumerate() {
            writes_no_agent(&event.loaded, (index, spec, &own.directory), made.clone())?;
            reach::require_none(event, (index, spec, &own.directory))?;
        }
        let patterns = setup.players.iter().zip(&found).flat_map(|(player, found)| {
            found.patterns.iter().map(|name| {
                format!(
                    "player.write of {}: there is no file or directory `{name}`; the key takes files and directories, not patterns",
                    player.name
                )
            })
        });
        let patterns: Vec<String> = patterns.collect();
        let doubt = reach::doubt(event, &specs);
        let of_directories = match registered {
            None => own_directory::look(event, &specs, &found)?,
            Some(_) => Vec::new(),
        };
        let (openings, suite, warnings) = openings(event)?;
        let agents = specs.into_iter().zip(&found);
        Ok(Self {
            agents: agents
                .map(|(spec, found)| spec.with_content(&found.files, &found.program, &found.directory))
                .collect(),
            found,
            openings,
            suite,
            warnings: patterns
                .into_iter()
                .chain(doubt)
                .chain(of_directories)
                .chain(warnings)
                .collect(),
        })
    }

    /// The same of an event whose agents are here.
    ///
    /// # Errors
    /// As when a run begins.
    pub fn here(event: &EventFile) -> Result<Self, RunError> {
        Self::gather(event, &mut HostConnection::at(&event.directory), None)
    }

    /// The event file, its lock, and everything that it names or may name.
    pub fn named(&self, event: &EventFile) -> Vec<PathBuf> {
        let setup = &event.loaded.setup;
        let file = event.path();
        let mut named = vec![file.to_path_buf(), roster_lock::path_of(file)];
        for (agent, found) in self.agents.iter().zip(&self.found) {
            let directory = Path::new(&found.directory);
            named.push(PathBuf::from(&found.program));
            named.extend(agent.words().map(|word| directory.join(word)));
            named.push(directory.to_path_buf());
        }
        let openings = match &setup.mini_match.openings {
            Openings::File(name) => Some(name),
            Openings::None | Openings::Bundled | Openings::Unbalanced | Openings::Chess960 => None,
        };
        let baseline = setup.eligibility.baseline.as_ref().map(|baseline| &baseline.command);
        let texts = openings.into_iter().chain(baseline).chain([&setup.eligibility.record]);
        let texts = texts.chain(&setup.adjudication.tablebases).chain(&setup.tour.runs);
        named.extend(texts.map(|text| event.directory.join(text)));
        named
    }

    /// The beginning of a hash, in hexadecimal, of an event's text and of all files of its agents and openings.
    pub(super) fn hash_with(&self, text: &str) -> String {
        let mut all = format!("swissmatch match\n{text}");
        for (spec, found) in self.agents.iter().zip(&self.found) {
            // Where a file is does not matter: a copy of the directory goes on. An agent that is not isolated may write in its directory.
            let is_free = spec.isolation == Isolation::Off;
            for file in found.files.iter().filter(|file| !(is_free && file.path.ends_with(END))) {
                all += &format!("{}\n", file.sha256);
            }
        }
        all += self.suite.sha256.as_deref().unwrap_or("-");
        store::sha256(all.as_bytes())[..DIGITS].to_owned()
    }
}

/// What is started is what was registered: the isolated agent of the player at `index`, which has its words from `directory`, may
/// not write what agents are made of. `made` is whose files those are.
///
/// # Errors
/// When it may; the key is named.
pub(super) fn writes_no_agent<'a>(
    loaded: &LoadedEvent,
    (index, spec, directory): (usize, &AgentSpec, &str),
    made: impl Iterator<Item = (&'a str, &'a [FileHash])> + Clone,
) -> Result<(), RunError> {
    for name in spec.player.write.iter().filter(|_| spec.isolation != Isolation::Off) {
        let place = paths::resolved(&Path::new(directory).join(name));
        let mut files = made
            .clone()
            .flat_map(|(of, files)| files.iter().map(move |file| (of, &file.path)));
        let Some((of, file)) = files.find(|(_, file)| paths::resolved(Path::new(file)).starts_with(&place)) else {
            continue;
        };
        let whose = match *of == spec.player.name {
            true => "its own program".to_owned(),
            false => format!("a file that {of} is made of"),
        };
        let why = format!("`{name}` would let it write {whose}, {file}");
        return Err(RunError::Event(ConfigError {
            help: Some("name the files that it writes, or a directory with nothing else in it".to_owned()),
            ..loaded.error_at_player(index, "player.write", why)
        }));
    }
    Ok(())
}

/// Reads the openings; returns warnings too.
///
/// # Errors
/// When they cannot be read, or the event would begin beyond them; the key is named.
pub fn openings(event: &EventFile) -> Result<(OpeningSuite, Suite, Vec<String>), RunError> {
    let (openings, suite) = all_openings(event)?;
    if openings.is_empty() {
        return Ok((openings, suite, Vec::new()));
    }
    let source = &suite.source;
    if event.loaded.setup.mini_match.opening_start as usize > openings.len() {
        let message = format!(
            "{source} has {}, so none to begin with",
            count::of(openings.len(), "opening", "openings")
        );
        return Err(RunError::Event(
            event.loaded.error_at("mini_match.opening_start", message),
        ));
    }
    if let Some((key, why)) = over_at_once(&event.loaded.setup, source, &openings) {
        return Err(RunError::Event(event.loaded.error_at(key, why)));
    }
    let warnings = doubts(&event.loaded.setup, source, &openings);
    Ok((openings, suite, warnings))
}

/// How many openings the event has, whichever it begins with.
///
/// # Errors
/// When they cannot be read; the key is named.
pub fn count_openings(event: &EventFile) -> Result<usize, RunError> {
    all_openings(event).map(|(openings, _)| openings.len())
}

fn all_openings(event: &EventFile) -> Result<(OpeningSuite, Suite), RunError> {
    let keys = &event.loaded.setup.mini_match;
    let at = |error: String| RunError::Event(event.loaded.error_at("mini_match.openings", error));
    let (source, bytes, sha256, format) = match &keys.openings {
        Openings::None => {
            let suite = Suite {
                source: "none".to_owned(),
                sha256: None,
                count: 0,
            };
            return Ok((OpeningSuite::default(), suite));
        }
        Openings::Bundled => {
            let bytes = opening::BUNDLED.as_bytes().to_vec();
            ("bundled", bytes, None, opening::BUNDLED_FORMAT)
        }
        Openings::Unbalanced => {
            let bytes = opening::UNBALANCED.as_bytes().to_vec();
            ("unbalanced", bytes, None, opening::BUNDLED_FORMAT)
        }
        Openings::Chess960 => {
            let bytes = opening::chess960::starts().into_bytes();
            ("chess960", bytes, None, SuiteFormat::Epd)
        }
        Openings::File(name) => {
            let format = format_of(name, keys.opening_format).ok_or_else(|| {
                at(format!(
                    "{name}: the extension must be .epd, .fen, .pgn or .bin, with or without .gz, so that the format is known; or write \
                     mini_match.opening_format = \"epd\" or the like"
                ))
            })?;
            let packed = SuiteFormat::is_packed(name);
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
    Ok((openings, suite))
}

/// The format of a file of openings: what the event says, else what its name does.
fn format_of(name: &str, said: OpeningFormat) -> Option<SuiteFormat> {
    match said {
        OpeningFormat::ByName => SuiteFormat::from_file_name(name),
        OpeningFormat::Epd => Some(SuiteFormat::Epd),
        OpeningFormat::Fen => Some(SuiteFormat::Fen),
        OpeningFormat::Pgn => Some(SuiteFormat::Pgn),
        OpeningFormat::Polyglot => Some(SuiteFormat::Polyglot),
    }
}

/// The most bytes that a suite may have, unpacked: 512 MiB, some seven million positions.
const LARGEST_SUITE: usize = 512 << 20;

/// The bytes of a suite, unpacked, and the hash of the file.
fn read_suite(path: &Path, packed: bool) -> Result<(Vec<u8>, String), String> {
    let of_file = |error: &dyn std::fmt::Display| format!("{} cannot be read: {error}", path.display());
    let file = files::open_plain(path).map_err(|error| of_file(&error))?;
    let mut bytes = Vec::new();
    let bound = LARGEST_SUITE as u64 + 1;
    file.take(bound)
        .read_to_end(&mut bytes)
        .map_err(|error| of_file(&error))?;
    if bytes.len() > LARGEST_SUITE {
        return Err(format!("{}: {}", path.display(), GzipError::TooLarge(LARGEST_SUITE)));
    }
    let sha256 = store::sha256(&bytes);
    if packed {
        bytes = gz::unpack(&bytes, LARGEST_SUITE).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok((bytes, sha256))
}

/// The key by which a game would end before it begins, and why.
fn over_at_once(setup: &Setup, source: &str, openings: &OpeningSuite) -> Option<(&'static str, String)> {
    let cap = limits::most_plies(setup).filter(|_| setup.game.plies_from == PliesFrom::Start);
    let too_long = openings
        .iter()
        .find(|opening| cap.is_some_and(|cap| opening.plies() >= cap));
    if let Some(opening) = too_long {
        let why = format!(
            "the plies of openings count, and the opening `{}` of {source} has {}, as many as a game may have, or more; give a higher \
             game.max_moves or game.max_plies, or take it out of the suite",
            opening.name,
            opening.plies()
        );
        return Some(("game.plies_from", why));
    }
    let ends = Ends {
        claims: setup.game.claims,
        ..Ends::default()
    };
    // What is over by the usual rule has been refused as the suite was read.
    let is_drawn = |opening: &Opening| Board::new(opening).is_ok_and(|board| board.ending(ends).is_some());
    let drawn = openings
        .iter()
        .find(|opening| !ends.claims.is_automatic() && is_drawn(opening))?;
    let why = format!(
        "after the opening `{}` of {source} the side to move could claim a draw at once; take it out of the suite",
        drawn.name
    );
    Some(("game.claims", why))
}

/// What is probably not meant.
fn doubts(setup: &Setup, source: &str, openings: &OpeningSuite) -> Vec<String> {
    let needed = opening_plan::needed(setup);
    let few = (needed > openings.len()).then(|| {
        let count = openings.len();
        format!(
            "mini_match.openings: the event may need {needed} openings, but {source} has {count}: after that they are used again, \
            and deterministic agents repeat their games"
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
            "mini_match.openings: {} of the {} openings of {source} lead to the same position as an earlier one: {}{more}",
            repeats.count,
            openings.len(),
            named.join(", ")
        )
    });
    few.into_iter().chain(same).collect()
}
