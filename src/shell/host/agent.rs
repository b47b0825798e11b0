//! An agent as it crosses the port: in words, as the event file has them, with what is in its files. Where its program is, what
//! its variables stand for and where it runs is the host's own.
//!
//! May not: hold a secret, or a path that the event file does not name.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use swiss_system::count;

use crate::game::handshake::StartFailure;
use crate::game::isolation::{Isolation, Lack, Protection};
use crate::game::resource::Allowance;
use crate::game::wanted::WantedOptions;
use crate::tournament::eligibility::FILES_OF_ITS_OWN;
use crate::tournament::log::{Agent, AgentIntroduction, Created, FileHash};
use crate::tournament::setup::{PlayerKeys, Restart, Setup};

/// An agent that a host is to find, to start, to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSpec {
    /// Its entry: command, arguments, directory, variables (`$NAME`) as they are written, relative to the event file's directory.
    pub player: PlayerKeys,
    /// The UCI options that are to be set.
    pub options: WantedOptions,
    /// For `uciok` and for `readyok` each.
    pub start_limit: Duration,
    /// After `quit`.
    pub quit_grace: Duration,
    /// When it is started anew.
    pub restart: Restart,
    /// Whether it is to ponder.
    pub ponder: bool,
    /// What it may reach.
    pub isolation: Isolation,
    /// What of the host it may use.
    pub allowance: Allowance,
    /// What it has to be kept from, or it is not started.
    pub requires: Vec<Protection>,
    /// What in its standard error sounds an alarm, as `engine.alarms` has it.
    #[serde(default)]
    pub alarms: Vec<String>,
    /// What is to be in its files; empty where that is not known yet.
    pub content: Vec<Content>,
}

/// A file of an agent: the word that names it, and what is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// The command, an argument, the value of an option or of a variable.
    pub word: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

impl AgentSpec {
    /// That of a player; nothing is known of its files.
    pub fn of_player(player: &PlayerKeys, setup: &Setup) -> Self {
        Self {
            player: player.clone(),
            options: setup.options(player),
            start_limit: setup.engine.start_limit,
            quit_grace: setup.engine.quit_grace,
            restart: setup.restart(player),
            ponder: setup.ponders(player),
            isolation: setup.isolation(player),
            allowance: setup.engine.allowance(),
            requires: setup.required_protections(player),
            alarms: setup.engine.alarms.clone(),
            content: Vec::new(),
        }
    }

    /// That of a late entry to a run whose games have room for it.
    ///
    /// # Errors
    /// When it thinks on more threads than games of this run have room for, or needs a GPU that they have not.
    pub fn of_late_entry(player: &PlayerKeys, agent: &Agent, created: &Created) -> Result<Self, String> {
        let spec = Self::of_player(player, &created.setup);
        let others = created.setup.players.iter().filter(|other| other.needs_gpu());
        let gpus = usize::from(player.needs_gpu()) * (1 + others.count().min(1));
        if gpus > created.setup.run.gpus.len() {
            let needs = count::of(gpus, "GPU", "GPUs");
            let named = created.setup.run.gpus.len();
            return Err(format!(
                "{} needs a GPU, and with it a game {needs}, but run.gpus names {named}",
                player.name
            ));
        }
        let others = created.agents.iter();
        let others = others.filter_map(|other| Some(other.introduction.as_ref()?.threads));
        let room = others.max().unwrap_or(1) as usize;
        let needs = spec.threads(agent.introduction.as_ref());
        match needs <= room {
            true => Ok(spec.with_files(&agent.files, &agent.program)),
            false => Err(format!(
                "{} thinks on {}, but games of this run have room for only {room} per side",
                player.name,
                count::of(needs, "thread", "threads")
            )),
        }
    }

    /// The same with the content of `files`, which were found where it runs in `directory` and its program is `program`.
    #[must_use]
    pub fn with_content(self, files: &[FileHash], program: &str, directory: &str) -> Self {
        let words: Vec<String> = self.words().map(str::to_owned).collect();
        let content = files.iter().map(|file| {
            let named = |word: &&String| Path::new(directory).join(word) == Path::new(&file.path);
            let word = match file.path == program {
                true => Some(&self.player.command),
                false => words.iter().find(named),
            };
            Content {
                word: word.unwrap_or(&file.path).clone(),
                sha256: file.sha256.clone(),
            }
        });
        let content = content.collect();
        Self { content, ..self }
    }

    /// The same where it is not known from which directory its words lead to its files: from one from which they lead to all of
    /// them.
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
        let before = |file: &str, word: &str| Some(file.strip_suffix(word)?.strip_suffix('/')?.to_owned());
        let mut directories = others
            .iter()
            .flat_map(|file| self.words().filter_map(|word| before(file, word)));
        directories.find(|directory| others.iter().all(|file| leads_to(directory, file)))
    }

    /// The files that are to be there, by their paths where its program is `program` and it runs in `directory`.
    pub fn registered(&self, program: &str, directory: &Path) -> Vec<FileHash> {
        let path = |content: &Content| match content.word == self.player.command {
            true => program.to_owned(),
            false => directory.join(&content.word).display().to_string(),
        };
        let files = self.content.iter().map(|content| FileHash {
            path: path(content),
            sha256: content.sha256.clone(),
        });
        files.collect()
    }

    /// Every word that may name a file beside the program: arguments (whole, or after their `=`), values of options, and of
    /// variables as they are written. What comes from the runner's environment names none.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let arguments = self.player.args.iter().map(String::as_str);
        let values = arguments.clone().filter_map(|argument| argument.split_once('='));
        let of_options = self.options.own.values().chain(self.options.for_all.values());
        let variables = self.player.env.values().filter(|value| !value.starts_with('$'));
        let words = arguments
            .chain(values.map(|(_, value)| value))
            .chain(of_options.map(String::as_str))
            .chain(variables.map(String::as_str));
        words.filter(|word| !word.is_empty())
    }

    /// Threads on which it thinks, by what it said of itself, else by its options.
    pub fn threads(&self, said: Option<&AgentIntroduction>) -> usize {
        let said = said.map(|said| said.threads);
        said.unwrap_or_else(|| self.options.threads_asked_for()) as usize
    }
}

/// An agent as a host found it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentFound {
    /// The program that its command was found to be.
    pub program: String,
    /// Where it runs.
    pub directory: String,
    /// The program, and every file that a word of it names.
    pub files: Vec<FileHash>,
    /// Files that it names and writes itself (`player.write`): no part of it.
    pub own: Vec<String>,
    /// Every other file below `player.dir`, where that was asked for.
    pub below: Vec<FileHash>,
    /// What of `player.write` looks like a pattern, and is the name of nothing.
    pub patterns: Vec<String>,
}

impl AgentFound {
    /// The agent as the log keeps it.
    pub fn agent(&self, introduction: Option<AgentIntroduction>) -> Agent {
        Agent {
            program: self.program.clone(),
            files: self.files.clone(),
            introduction,
        }
    }

    /// How its files differ from those that were registered, one sentence each. A file that was absent then is no part of it, nor
    /// is what it writes itself.
    pub fn changes(&self, registered: &[FileHash]) -> Vec<String> {
        let counted = registered.iter().filter(|was| !self.own.contains(&was.path));
        let sentence = |was: &FileHash| {
            let what = match self.files.iter().find(|file| file.path == was.path) {
                Some(is) if is.sha256 == was.sha256 => return None,
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
            Some(format!("{} {what}{remedy}", was.path))
        };
        counted.filter_map(sentence).collect()
    }

    /// The files that a spec says are to be there, by their paths here.
    pub fn registered(&self, spec: &AgentSpec) -> Vec<FileHash> {
        spec.registered(&self.program, Path::new(&self.directory))
    }
}

/// Why an agent was not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotFound {
    /// Its command is no program.
    #[error("{0}")]
    Command(String),
    /// A file of it is there and cannot be read.
    #[error("its files cannot be read: {0}")]
    Unreadable(String),
    /// Its directory is none.
    #[error("{0}")]
    Directory(String),
    /// A variable of the runner's that it is to have is not there.
    #[error("{0}")]
    Variable(String),
    /// It cannot be isolated as it has to be.
    #[error("{0}")]
    Isolation(String),
    /// The same, because of what it is to write.
    #[error("{0}")]
    Write(String),
    /// The machine lacks something.
    #[error("{0}")]
    Machine(String),
}

/// What an agent said of itself before the event, or why it did not start; and how it changed by that what it is made of, one
/// sentence each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Introduced {
    /// What it said.
    pub said: Result<AgentIntroduction, StartFailure>,
    /// What changed.
    pub changes: Vec<String>,
    /// The last lines that it printed, harmless and short, where it did not start.
    pub printed: Vec<String>,
    /// What it seems to lack then, where it is isolated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<Lack>,
}
