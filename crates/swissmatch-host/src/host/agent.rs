//! An agent as it crosses the port: in words, as in the event file, with the content of its files. Where its program
//! is, what its variables stand for and where it runs is up to the host: a host may be another machine, and no secret
//! leaves the one that has it.
//!
//! May not: hold a secret, or a path that the event file does not name.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use swiss_system::count;

use crate::directory::{self, DirectoryManifest, END, path_of};
use crate::paths::meanings;
use swissmatch_game::handshake::{Cause, StartError};
use swissmatch_game::isolation::{Isolation, Lack, Protection};
use swissmatch_game::resource::Allowance;
use swissmatch_game::wanted::WantedOptions;
use swissmatch_tournament::eligibility::FILES_OF_ITS_OWN;
use swissmatch_tournament::log::{Agent, AgentIntroduction, FileHash, RunCreated, WorksIn};
use swissmatch_tournament::setup::{Exec, LegalMoves, MoveSource, PlayerKeys, Restart, Setup};

/// An agent for a host to find, start or examine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSpec {
    /// Its entry: command, arguments, directory and variables (`$NAME`) as written, relative to the event file's
    /// directory. A model has its template as its command, and its own keys include those of the event; a web service
    /// has its address.
    pub player: PlayerKeys,
    /// The UCI options to set.
    pub options: WantedOptions,
    /// The limit for `uciok` and for `readyok`, each.
    pub start_limit: Duration,
    /// The time to live after `quit`.
    pub quit_grace: Duration,
    pub restart: Restart,
    pub ponder: bool,
    /// It is stopped while its opponent thinks.
    #[serde(default)]
    pub freezes: bool,
    pub isolation: Isolation,
    #[serde(default)]
    pub exec: Exec,
    /// How much of the host it may use.
    pub allowance: Allowance,
    /// The protections without which it is not started.
    pub requires: Vec<Protection>,
    /// What gives an alarm in its standard error, as in `engine.alarms`.
    #[serde(default)]
    pub alarms: Vec<String>,
    /// The expected content of its files; empty if not known yet.
    pub content: Vec<AgentFile>,
    /// Where it works; `None` in older runs.
    #[serde(default)]
    pub works_in: Option<WorksIn>,
    /// The directory that its words lead from, if that is neither `player.dir` nor the event file's.
    #[serde(default)]
    pub words_from: Option<String>,
    /// Paths in the directories given to it whole that are not part of it.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// What it is granted nothing of for what it is run by: paths.
    #[serde(default)]
    pub kept_from: Vec<String>,
}

/// A file of an agent: the word that names it, and its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentFile {
    /// The command, an argument, or the value of an option or variable.
    pub word: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

impl AgentSpec {
    /// The agent of a player, with nothing known about its files.
    pub fn of_player(player: &PlayerKeys, setup: &Setup) -> Self {
        Self {
            player: with_what_is_asked(player, setup),
            options: setup.options(player),
            start_limit: setup.engine.start_limit,
            quit_grace: setup.engine.quit_grace,
            restart: setup.restart(player),
            ponder: setup.ponders(player),
            freezes: setup.freezes([player]) && !setup.ponders(player),
            isolation: setup.isolation(player),
            exec: setup.exec(player),
            allowance: setup.engine.allowance(),
            requires: setup.required_protections(player),
            alarms: setup.engine.alarms.clone(),
            content: Vec::new(),
            works_in: Some(match (&player.dir, setup.isolation(player)) {
                (Some(_), _) => WorksIn::Dir,
                (None, Isolation::Off) => WorksIn::Event,
                (None, _) => WorksIn::Scratch,
            }),
            words_from: None,
            left_out: Vec::new(),
            kept_from: Vec::new(),
        }
    }

    /// The agent as it was when the run began, or when it entered late.
    #[must_use]
    pub fn as_in(self, agent: &Agent) -> Self {
        Self {
            works_in: agent.works_in,
            words_from: agent.words_from.clone(),
            left_out: match self.left_out.is_empty() {
                true => agent.left_out.clone(),
                false => self.left_out,
            },
            ..self
        }
    }

    /// The agent of a late entry to a run whose games have this much room, in threads and GPUs.
    ///
    /// # Errors
    /// It thinks with more threads than games of this run have room for, or needs a GPU that they do not have.
    pub fn of_late_entry(
        player: &PlayerKeys,
        agent: &Agent,
        created: &RunCreated,
        gpus: usize,
    ) -> Result<Self, String> {
        let spec = Self::of_player(player, &created.setup);
        let others = created.setup.players.iter().filter(|other| other.needs_gpu());
        let needed = usize::from(player.needs_gpu()) * (1 + others.count().min(1));
        if needed > gpus {
            let needs = count::of(needed, "GPU", "GPUs");
            return Err(format!(
                "{} needs a GPU, and with it a game {needs}, but run.gpus names {gpus}",
                player.name
            ));
        }
        let others = created.agents.iter();
        let others = others.filter_map(|other| Some(other.introduction.as_ref()?.threads));
        let room = others.max().unwrap_or(1) as usize;
        let needs = spec.threads(agent.introduction.as_ref());
        match needs <= room {
            true => Ok(spec.as_in(agent).with_files(&agent.files, &agent.program)),
            false => Err(format!(
                "{} thinks on {}, but games of this run have room for only {room} per side",
                player.name,
                count::of(needs, "thread", "threads")
            )),
        }
    }

    /// Adds the content of `files`, which were found with the program `program` running in `directory`.
    #[must_use]
    pub fn with_content(self, files: &[FileHash], program: &str, directory: &str) -> Self {
        let words: Vec<String> = self.words().map(str::to_owned).collect();
        let content = files.iter().map(|file| {
            let named = |word: &&String| Path::new(directory).join(word) == Path::new(&file.path);
            let word = match file.path == program {
                true => self.player.command.clone(),
                false => match words.iter().find(named) {
                    Some(word) if file.path.ends_with(END) && !word.ends_with(END) => format!("{word}{END}"),
                    Some(word) => word.clone(),
                    None => file.path.clone(),
                },
            };
            AgentFile {
                word,
                sha256: file.sha256.clone(),
            }
        });
        let content = content.collect();
        Self { content, ..self }
    }

    /// Like [`Self::with_content`], if the directory that its words lead from is unknown: takes one from which they
    /// lead to all the files.
    #[must_use]
    pub fn with_files(self, files: &[FileHash], program: &str) -> Self {
        let directory = self.directory_of(files, program).unwrap_or_default();
        self.with_content(files, program, &directory)
    }

    fn directory_of(&self, files: &[FileHash], program: &str) -> Option<String> {
        let others = files.iter().map(|file| file.path.as_str());
        let others: Vec<&str> = others.filter(|path| *path != program).collect();
        let leads_to = |directory: &str, file: &str| {
            let mut words = self.words();
            words.any(|word| Path::new(directory).join(word) == Path::new(file))
        };
        let before = |file: &str, word: &str| {
            Some(
                file.trim_end_matches(END)
                    .strip_suffix(word)?
                    .strip_suffix('/')?
                    .to_owned(),
            )
        };
        let whole = others
            .iter()
            .filter(|file| self.player.dir.is_some() && file.ends_with(END));
        let whole = whole.map(|file| file.trim_end_matches(END).to_owned());
        let mut directories = whole.chain(
            others
                .iter()
                .flat_map(|file| self.words().filter_map(|word| before(file, word))),
        );
        directories.find(|directory| others.iter().all(|file| leads_to(directory, file)))
    }

    /// The files that must be there, by path, if its program is `program` and it runs in `directory`.
    pub fn registered(&self, program: &str, directory: &Path) -> Vec<FileHash> {
        let path = |content: &AgentFile| match content.word == self.player.command {
            true => program.to_owned(),
            false if content.word == "./" => path_of(directory),
            false => directory.join(&content.word).display().to_string(),
        };
        let files = self.content.iter().map(|content| FileHash {
            path: path(content),
            sha256: content.sha256.clone(),
        });
        files.collect()
    }

    /// Every name that may lead to a file beside the program, and its own directory.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let dir = self.player.dir.as_ref().map(|_| ".");
        names(&self.player.args, &self.options, &self.player.env).chain(dir)
    }

    /// The number of threads that it thinks with: as it said about itself, or else by its options.
    pub fn threads(&self, said: Option<&AgentIntroduction>) -> usize {
        let said = said.map(|said| said.threads);
        said.unwrap_or_else(|| self.options.threads_asked_for()) as usize
    }
}

/// The entry of a player that is not a program here, with all that a host needs: no key, and a service only by name.
fn with_what_is_asked(player: &PlayerKeys, setup: &Setup) -> PlayerKeys {
    let mut player = player.clone();
    let command = match player.asks() {
        None | Some(MoveSource::Command(_)) => return player,
        Some(MoveSource::Url(url)) => url.to_owned(),
        // A late entry has a whole path.
        Some(MoveSource::Model(..)) if !player.command.is_empty() => player.command.clone(),
        Some(MoveSource::Model(..)) => setup.model(&player).prompt.unwrap_or_default(),
    };
    if player.model.is_some() {
        player.model_keys = setup.model.under(&player.model_keys);
    }
    PlayerKeys { command, ..player }
}

/// An agent as a host found it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentFound {
    /// The path at which its command was found.
    pub program: String,
    /// The directory that it runs in.
    pub directory: String,
    /// The program, every file that one of its words names, and the directories that it is given whole, by their
    /// manifests.
    pub files: Vec<FileHash>,
    /// Paths that it writes itself (`player.write`), which are not part of it.
    pub own: Vec<String>,
    /// Paths in directories given to it whole that are not part of it.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// For each directory given to it whole: every file below it that belongs to the agent.
    pub manifests: Vec<DirectoryManifest>,
    /// Links in such a directory that lead out of it.
    pub leading_out: Vec<String>,
    /// A sentence, if the shell would run it with another interpreter than it gets in isolation.
    #[serde(default)]
    pub interpreter: Option<String>,
    /// Entries of `player.write` that look like patterns and name nothing.
    pub patterns: Vec<String>,
    /// For a model, the legal moves that its prompt shows.
    #[serde(default)]
    pub legal_moves: Option<LegalMoves>,
}

impl AgentFound {
    /// The agent as the log keeps it.
    pub fn agent(&self, spec: &AgentSpec, introduction: Option<AgentIntroduction>) -> Agent {
        Agent {
            program: self.program.clone(),
            files: self.files.clone(),
            introduction,
            works_in: spec.works_in,
            words_from: spec.words_from.clone(),
            left_out: spec.left_out.clone(),
            legal_moves: self.legal_moves,
        }
    }

    /// How its files differ from those registered, one sentence each. A file that was absent then is not part of it,
    /// nor is what it writes itself.
    pub fn changes(&self, registered: &[FileHash]) -> Vec<String> {
        let counted = registered.iter().filter(|was| !self.own.contains(&was.path));
        let sentences = |was: &FileHash| -> Vec<String> {
            let now = self.files.iter().find(|file| file.path == was.path);
            let what = match now {
                Some(is) if is.sha256 == was.sha256 => return Vec::new(),
                Some(_) if was.path.ends_with(END) => {
                    let manifest = self.manifests.iter().find(|manifest| manifest.path == was.path);
                    let before = directory::remembered(&was.sha256);
                    match manifest.zip(before) {
                        Some((manifest, before)) => {
                            let mut changes = manifest.changes(&before, &[&self.own[..], &self.left_out].concat());
                            // What is registered by itself is reported by itself.
                            let is_told = |change: &str, of: &FileHash| {
                                change.strip_prefix(&of.path).is_some_and(|rest| rest.starts_with(' '))
                            };
                            changes.retain(|change| !registered.iter().any(|of| is_told(change, of)));
                            return named_at_most(changes, &was.path);
                        }
                        None => "is not what it was".to_owned(),
                    }
                }
                Some(is) => {
                    let [was, is] = [&was.sha256, &is.sha256].map(|hash| hash.get(..12).unwrap_or(hash));
                    format!("has changed (SHA-256 was {was}…, is {is}…)")
                }
                None => "is no longer there".to_owned(),
            };
            let remedy = match was.path == self.program {
                true => String::new(),
                false => format!("; {FILES_OF_ITS_OWN}"),
            };
            vec![format!("{} {what}{remedy}", was.path)]
        };
        counted.flat_map(sentences).collect()
    }

    /// The agent without these names, which turned out to name nothing.
    #[must_use]
    pub fn without(mut self, names: &[String]) -> Self {
        let is_named = |path: &str| {
            names
                .iter()
                .any(|name| Path::new(&self.directory).join(name) == Path::new(path))
        };
        self.files
            .retain(|file| file.path == self.program || !is_named(&file.path));
        self
    }

    /// How its files differ from those that a spec expects.
    pub fn changed(&self, spec: &AgentSpec) -> Vec<String> {
        let registered = spec.registered(&self.program, Path::new(&self.directory));
        self.changes(&registered)
    }
}

/// The most changes in one directory that are named.
const NAMED: usize = 10;

/// Changes in a directory, of which only the first are named.
fn named_at_most(mut changes: Vec<String>, path: &str) -> Vec<String> {
    let more = changes.len().saturating_sub(NAMED);
    changes.truncate(NAMED);
    for change in &mut changes {
        *change += &format!("; {FILES_OF_ITS_OWN}");
    }
    if more > 0 {
        changes.push(format!("{path} has {more} more that differ"));
    }
    changes
}

/// Every name in arguments and in values of options and variables, as written. A value from the runner's environment
/// names nothing, nor does an option that is a number or a switch.
pub fn names<'a>(
    args: &'a [String],
    options: &'a WantedOptions,
    variables: &'a BTreeMap<String, String>,
) -> impl Iterator<Item = &'a str> {
    let values = options.own.values().chain(options.for_all.values());
    let values = values.filter(|value| value.parse::<i64>().is_err() && !["true", "false"].contains(&value.as_str()));
    let variables = variables.values().filter(|value| !value.starts_with('$'));
    args.iter()
        .chain(values)
        .chain(variables)
        .flat_map(|word| meanings(word))
}

/// Why an agent was not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindAgentError {
    /// Its command is not a program.
    #[error("{0}")]
    Command(String),
    /// The template of a model, or what it includes, is not valid.
    #[error("{0}")]
    Template(String),
    /// It asks a service that the host does not have.
    #[error("{0}")]
    Service(String),
    /// One of its files exists but cannot be read.
    #[error("its files cannot be read: {0}")]
    Unreadable(String),
    /// Its directory does not exist.
    #[error("{0}")]
    Directory(String),
    /// The runner's environment lacks a variable that it should get.
    #[error("{0}")]
    Variable(String),
    /// It cannot be isolated as required.
    #[error("{0}")]
    Isolation(String),
    /// It cannot be isolated as required because of what it is to write.
    #[error("{0}")]
    Write(String),
    #[error("{0}")]
    Machine(String),
}

/// What an agent said about itself before the event, or why it did not start; and how its files changed by that, one
/// sentence each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntroductionReport {
    pub said: Result<AgentIntroduction, StartError>,
    pub changes: Vec<String>,
    /// Names in values of its options that turned out not to be texts: they name nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_names: Vec<String>,
    /// The last lines that it printed, harmless and short, if it did not start.
    pub printed: Vec<String>,
    /// What it then seems to lack because of its isolation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<Lack>,
    /// The cause that was found, if it lacks nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
}
