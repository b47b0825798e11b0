//! Agents before the event: where their programs are, what is in their files, and what they say about themselves.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use swiss_system::text::escaped;
use tracing::{info, warn};

use swissmatch_game::alarm::Patterns;
use swissmatch_game::excerpt::PrintedLines;
use swissmatch_game::handshake::{Cause, Introduction, StartError};
use swissmatch_game::isolation::{IsolatedAgent, Lack, UnopenedFile};
use swissmatch_game::resource::Allowance;
use swissmatch_game::transcript::Direction;
use swissmatch_tournament::log::{AgentIntroduction, FileHash};
use swissmatch_tournament::setup::{MoveSource, PlayerKeys};

use super::adapter::AdapterKind;
use super::cause;
use super::confine::denied::Clues;
use super::confine::grants::is_its_own;
use super::engine::{Engine, EngineCommand};
use super::environment::{self, MissingVariableError};
use super::file_hash::hash_file;
use super::files::open_plain;
use super::gpus::{NO_GPU, Pool};
use super::host::AgentSpec;
use super::host::agent::names;
use super::launch::{Launch, ProcessLimits};
use super::services::manner;
use super::{machine, threads};

/// Where Debian puts chess engines; looked at last.
const GAMES: &str = "/usr/games";
/// How many bytes of a file are enough to tell what it is.
const HEAD: u64 = 4096;
/// The byte order mark of UTF-8, which Windows editors put at the start of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// The first bytes of a script, a program and a Windows program: if these are broken, that shows when they are started.
const PROGRAMS: [&[u8]; 3] = [b"#!", b"\x7fELF", b"MZ"];
/// The first bytes of a zip archive.
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// Why a command is not a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindProgramError {
    /// The path leads to no file.
    #[error("there is no file {0}")]
    NoFile(String),
    #[error("{0} is a directory, not a program")]
    Directory(String),
    #[error("{0} is not a plain file, so it is not a program")]
    NoPlainFile(String),
    /// Nothing is there, and arguments may have been meant.
    #[error("{error}; if it has arguments, give them apart from it, args = {args}")]
    PerhapsWithArguments {
        /// The error without them.
        error: Box<Self>,
        /// The arguments, as a list in TOML.
        args: String,
    },
    /// Nothing is there, and the command has a blank that is easily overlooked.
    #[error("{error}; `{name}` has a blank at its {end}")]
    Blank {
        /// The error for the whole command.
        error: Box<Self>,
        /// As it was written.
        name: String,
        /// Where the blank is: `beginning` or `end`.
        end: &'static str,
    },
    /// The command has arguments in it.
    #[error("there is no program `{whole}`, but there is {program}: give its arguments apart from it, args = {args}")]
    WithArguments {
        /// As it was written.
        whole: String,
        /// The program alone.
        program: String,
        /// The arguments, as a list in TOML.
        args: String,
    },
    /// The file is not executable.
    #[error("{0} is not executable (chmod +x makes it so)")]
    NotExecutable(String),
    /// A text or an archive, which does not run by itself.
    #[error("{path} is {what}")]
    NoProgram {
        path: String,
        /// What it is, and what to write instead.
        what: String,
    },
    /// The name is nowhere.
    #[error("`{name}` was found neither beside swissmatch, nor beside the event file, nor in PATH, nor in {GAMES}")]
    Nowhere { name: String },
}

/// Finds the program of a command. A path is relative to the event file's directory. A bare name is looked up beside
/// swissmatch, beside the event file, in PATH, and in /usr/games.
///
/// # Errors
/// There is no such program.
pub(crate) fn find_program(command: &str, directory: &Path) -> Result<PathBuf, FindProgramError> {
    look_for(command, Some(directory)).map_err(|error| {
        if let Some(end) = blank_end(command) {
            let (error, name) = (Box::new(error), command.to_owned());
            return FindProgramError::Blank { error, name, end };
        }
        // As in fastchess and in shells.
        let mut words = shlex::split(command).unwrap_or_default().into_iter();
        let program = words.next().unwrap_or_default();
        let is_option = words.as_slice().first().is_some_and(|word| word.starts_with('-'));
        let args = toml::Value::from(words.collect::<Vec<_>>()).to_string();
        match look_for(&program, Some(directory)).is_ok() {
            true if program != command => FindProgramError::WithArguments {
                whole: command.to_owned(),
                program,
                args,
            },
            _ if is_option => FindProgramError::PerhapsWithArguments {
                error: Box::new(error),
                args,
            },
            _ => error,
        }
    })
}

/// The end at which a command has a blank that is easily overlooked.
fn blank_end(command: &str) -> Option<&'static str> {
    match (
        command.starts_with(char::is_whitespace),
        command.ends_with(char::is_whitespace),
    ) {
        (true, _) => Some("beginning"),
        (false, true) => Some("end"),
        (false, false) => None,
    }
}

/// Finds a program of the organizer: a path as it is, a bare name beside swissmatch, in PATH, and in /usr/games.
/// Nothing is looked up where agents are, not even by a relative entry of PATH.
///
/// # Errors
/// There is no such program.
pub fn find_own_program(command: &str) -> Result<PathBuf, FindProgramError> {
    look_for(command, None)
}

/// Looks beside the event file, in `directory`, only if that is given.
fn look_for(command: &str, directory: Option<&Path>) -> Result<PathBuf, FindProgramError> {
    if command.contains('/') {
        let path = directory.map_or_else(|| PathBuf::from(command), |directory| directory.join(command));
        return match (path.is_file(), is_program(&path)) {
            (_, true) => runnable(path),
            (true, false) => {
                Err(no_program(&path, false)
                    .unwrap_or_else(|| FindProgramError::NotExecutable(path.display().to_string())))
            }
            (false, false) if path.is_dir() => Err(FindProgramError::Directory(path.display().to_string())),
            (false, false) if path.exists() => Err(FindProgramError::NoPlainFile(path.display().to_string())),
            (false, false) => Err(FindProgramError::NoFile(path.display().to_string())),
        };
    }
    let beside = std::env::current_exe()
        .ok()
        .and_then(|exe| exe.parent().map(Path::to_path_buf));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).filter(|place| directory.is_some() || place.is_absolute());
    let places = beside
        .into_iter()
        .chain(directory.map(Path::to_path_buf))
        .chain(in_path);
    places
        .chain([PathBuf::from(GAMES)])
        .map(|place| place.join(command))
        .find(|candidate| is_program(candidate))
        // A relative entry of PATH is relative to this directory, not to where the agent will run.
        .map(|found| std::path::absolute(&found).unwrap_or(found))
        .ok_or_else(|| {
            let meant = directory.and_then(|directory| no_program(&directory.join(command), false));
            meant.unwrap_or_else(|| FindProgramError::Nowhere {
                name: command.to_owned(),
            })
        })
        .and_then(runnable)
}

/// A program that the system can run; a text without a `#!` line would be handed to a shell.
fn runnable(path: PathBuf) -> Result<PathBuf, FindProgramError> {
    match no_program(&path, true) {
        Some(error) => Err(error),
        None => Ok(path),
    }
}

/// Why a file does not run by itself. A file that is not executable is looked at only if its name says that it is meant
/// to be run.
fn no_program(path: &Path, may_run: bool) -> Option<FindProgramError> {
    let name = path.file_name()?.to_string_lossy();
    let ends_with = |ending: &str| name.to_ascii_lowercase().ends_with(ending);
    if !may_run && ![".py", ".zip"].into_iter().any(ends_with) {
        return None;
    }
    let mut head = Vec::new();
    open_plain(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    let what = if head.starts_with(ARCHIVE) && ends_with(".zip") {
        "an archive, and no program: a [submissions] table with contract = \"get-move\", \"kaggle\" or \"uci\" has it handed in by \
         `swissmatch submit` and tried by `swissmatch try`; or unpack it, and name the program in it"
            .to_owned()
    } else if head
        .strip_prefix(BYTE_ORDER_MARK)
        .is_some_and(|text| text.starts_with(b"#!"))
    {
        let file = escaped(name.as_bytes());
        let file = shlex::try_quote(&file).ok()?;
        format!(
            "a script with a byte order mark before its `#!` line, so the system cannot run it: save it without one, or take it away: \
             sed -i '1s/^\\xef\\xbb\\xbf//' {file}"
        )
    } else if PROGRAMS.into_iter().any(|begins| head.starts_with(begins)) || head.contains(&0) && has_more_formats() {
        return None;
    } else if head.is_empty() {
        "an empty file, and no program".to_owned()
    } else if head.contains(&0) {
        "neither a program for this system (ELF) nor a script: take one that was built for it".to_owned()
    } else if ends_with(".py") {
        let file = toml::Value::from(name.as_ref());
        format!(
            "a script without a `#!` line. If it speaks UCI, write command = \"python3\" and args = [{file}]; if it answers each line \
             that it reads with a move, move_command = [\"python3\", {file}]; if it has a function such as get_move, a [submissions] \
             table with contract = \"get-move\" has its archive handed in by `swissmatch submit` and tried by `swissmatch try`"
        )
    } else {
        "a script without a `#!` line, so nothing says what runs it: write one as its first line, such as `#!/bin/sh`"
            .to_owned()
    };
    let path = path.display().to_string();
    Some(FindProgramError::NoProgram { path, what })
}

/// True if the kernel has been told of programs in other formats (`binfmt_misc`).
fn has_more_formats() -> bool {
    let mut formats = std::fs::read_dir("/proc/sys/fs/binfmt_misc")
        .into_iter()
        .flatten()
        .flatten();
    formats.any(|format| {
        !["register", "status"]
            .map(AsRef::as_ref)
            .contains(&&*format.file_name())
    })
}

fn is_program(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// The directory that a player's engine runs in: `player.dir`, relative to the event file's directory, or that
/// directory itself.
///
/// # Errors
/// There is no such directory, or it may not be entered.
pub(crate) fn working_directory(player: &PlayerKeys, directory: &Path) -> Result<PathBuf, String> {
    let Some(dir) = &player.dir else {
        return Ok(directory.to_path_buf());
    };
    let path = directory.join(dir);
    let shown = path.display();
    match (
        path.is_dir(),
        rustix::fs::access(&path, rustix::fs::Access::EXEC_OK).is_ok(),
    ) {
        (true, true) => std::fs::canonicalize(&path).map_err(|error| format!("{shown}: {error}")),
        (true, false) => Err(format!("{shown} may not be entered (chmod +x allows it)")),
        (false, _) if path.exists() => Err(format!("{shown} is not a directory")),
        (false, _) => Err(format!("there is no directory {shown}")),
    }
}

/// The command that starts an agent's engine.
///
/// # Errors
/// The runner's environment lacks a variable that the engine should get.
pub fn command(spec: &AgentSpec, program: PathBuf, directory: PathBuf) -> Result<EngineCommand, MissingVariableError> {
    let adapter = spec.player.asks().map(|asks| match asks {
        MoveSource::Command(_) => AdapterKind::Command {
            keep_alive: spec.player.keep_alive,
            says_ready: spec.player.says_ready,
        },
        MoveSource::Model(_, model) => AdapterKind::Model {
            name: model.to_owned(),
            prompt: program.display().to_string(),
            manner: manner(&spec.player),
        },
        MoveSource::Url(_) => AdapterKind::Url {
            name: spec.player.name.clone(),
        },
    });
    Ok(EngineCommand {
        name: spec.player.name.clone(),
        base: directory.clone(),
        launch: Launch {
            program,
            args: spec.player.args.clone(),
            directory,
            environment: environment::resolve(&spec.player.env, |name| std::env::var_os(name))?,
            limits: ProcessLimits::of_this_program(),
            allowance: Allowance {
                memory: spec.allowance.memory.or(machine::memory().map(|bytes| bytes / 2)),
                ..spec.allowance
            },
            connect: spec.player.connect.clone(),
            confinement: None,
            adapter,
        },
        options: spec.options.clone(),
        start_limit: spec.start_limit,
        quit_grace: spec.quit_grace,
        restart: spec.restart,
        ponder: spec.ponder,
        isolated: IsolatedAgent::default(),
        registered: None,
        scratch: None,
        doors: Arc::default(),
        caller: None,
        alarms: Patterns::new(&spec.alarms),
        needs_gpu: spec.player.needs_gpu(),
    })
}

/// The files of an agent with their hashes: the program, or the template of a model, then all files that its words name
/// ([`names`]), relative to where the engine runs, or that the template includes. Files that the agent writes itself
/// (`player.write`) are left out.
///
/// # Errors
/// A file cannot be read.
pub fn hash_files(command: &EngineCommand, player: &PlayerKeys) -> std::io::Result<Vec<FileHash>> {
    let paths = named_paths(command, &player.env).into_iter().enumerate();
    let has_program = !matches!(command.launch.adapter, Some(AdapterKind::Url { .. }));
    let is_program = |place| place == 0 && has_program;
    let files =
        paths.filter(|(place, path)| is_program(*place) || (path.is_file() && !is_its_own(command, player, path)));
    // Each is read in full: writing through a mapping may leave the time of the change as it was.
    files.map(|(_, path)| hash_file(&path)).collect()
}

/// The program, and every path that an argument, an option or a variable may mean, whether or not it exists; for a
/// model its template and what that includes.
pub(crate) fn named_paths(command: &EngineCommand, variables: &BTreeMap<String, String>) -> Vec<PathBuf> {
    let mut paths = command.launch.made_of();
    let named = names(&command.launch.args, &command.options, variables);
    for path in named.map(|name| command.launch.directory.join(name)) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// Entries of `player.write` that look like patterns and name nothing.
pub fn patterns<'a>(command: &'a EngineCommand, player: &'a PlayerKeys) -> impl Iterator<Item = &'a str> {
    let names = player.write.iter().filter(|name| name.contains(['*', '?', '[']));
    names
        .filter(|name| command.launch.directory.join(name).symlink_metadata().is_err())
        .map(String::as_str)
}

/// The result of starting an agent once.
#[derive(Debug)]
pub struct AgentStart {
    /// What it said about itself, or why it did not start.
    pub said: Result<Introduction, StartError>,
    /// The last lines that it printed, if it did not start.
    pub printed: Vec<String>,
    /// What it then seems to lack because of its isolation.
    pub lacks: Vec<Lack>,
    /// Files that it said it could not open, although it went on.
    pub unopened: Vec<UnopenedFile>,
    /// The cause that was found, if it lacks nothing.
    pub cause: Option<Cause>,
}

impl From<Result<Introduction, StartError>> for AgentStart {
    fn from(said: Result<Introduction, StartError>) -> Self {
        Self {
            said,
            printed: Vec::new(),
            lacks: Vec::new(),
            unopened: Vec::new(),
            cause: None,
        }
    }
}

/// Starts every agent once, `at_once` at a time, and ends it again. Agents that must have a GPU are given one.
/// The machine has no thread for it.
/// When the machine gives no thread to do it.
pub fn introduce(commands: &[EngineCommand], at_once: usize, gpus: &Arc<Pool>) -> std::io::Result<Vec<AgentStart>> {
    let next = AtomicUsize::new(0);
    let next = &next;
    let mut found: Vec<_> = std::thread::scope(|scope| {
        let threads: std::io::Result<Vec<_>> = (0..at_once.clamp(1, commands.len().max(1)))
            .map(|_| {
                threads::start_in(scope, move || {
                    let mut found = Vec::new();
                    while let Some((index, command)) = take_next(next, commands) {
                        found.push((index, introduce_one(command, gpus)));
                    }
                    found
                })
            })
            .collect();
        if threads.is_err() {
            // Threads that did start begin no further agents.
            next.store(commands.len(), Ordering::Relaxed);
        }
        let found = threads?.into_iter();
        std::io::Result::Ok(
            found
                .flat_map(|thread| thread.join().expect("introductions do not panic"))
                .collect(),
        )
    })?;
    found.sort_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, result)| result).collect())
}

fn take_next<'a>(next: &AtomicUsize, commands: &'a [EngineCommand]) -> Option<(usize, &'a EngineCommand)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    commands.get(index).map(|command| (index, command))
}

fn introduce_one(command: &EngineCommand, gpus: &Arc<Pool>) -> AgentStart {
    let player = command.name.as_str();
    let Some(taken) = gpus.take(usize::from(command.needs_gpu), &|| false) else {
        return Err(StartError::Host(NO_GPU.to_owned())).into();
    };
    let command = &command.clone().on(taken.gpus().first());
    let mut printed = PrintedLines::default();
    let mut clues = Clues::default();
    let started = Engine::start_heard(command, &mut |_, direction, line| {
        printed.add(direction, line);
        clues.hear(direction, line);
    });
    match started {
        Ok((mut engine, introduction)) => {
            for (_, line) in engine.take_stderr().lines {
                clues.hear(Direction::Remark, &line);
            }
            Engine::dismiss(vec![engine]);
            let (took, says) = (introduction.took, introduction.name.as_str());
            info!(player, ?took, says, "agent introduced");
            AgentStart {
                unopened: clues.unopened(command),
                ..Ok(introduction).into()
            }
        }
        Err(failure) => {
            let why = escaped(failure.to_string());
            warn!(player, why, "agent does not start");
            let (lacks, cause) = cause::of_failure(command, &failure, &clues);
            AgentStart {
                lacks,
                cause,
                said: Err(failure),
                printed: printed.lines(),
                unopened: Vec::new(),
            }
        }
    }
}

/// What an engine said about itself, as the log keeps it.
pub fn introduction(command: &EngineCommand, said: &Introduction, unopened: Vec<UnopenedFile>) -> AgentIntroduction {
    AgentIntroduction {
        unopened,
        name: said.name.clone(),
        author: said.author.clone(),
        threads: command.options.threads(&said.options),
        start_us: Some(u64::try_from(said.took.as_micros()).unwrap_or(u64::MAX)),
        options_left_out: command.options.left_out(&said.declared()),
        options_unread: command.options.unread(&said.declared()),
    }
}
