//! Why a run cannot be begun, taken up, played or changed.
//!
//! May not: know of exit codes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use swiss_system::text::escaped;

use swissmatch_config::ConfigError;
use swissmatch_host::desk::DeskError;
use swissmatch_host::run_dir::{DirError, LOG, SAVED, WAL};
use swissmatch_host::store::StoreError;
use swissmatch_tournament::state::BrokenLogError;

use super::analyse::AnalyseError;
use super::conduct::ConductError;
use super::open_run::OpenError;
use super::roster_lock::LockError;
use super::submission_error::SubmissionError;

/// Most names of files that a message shows.
const NAMED: usize = 8;
/// Most lines of what an agent printed.
const SHOWN: usize = 6;

/// An agent that does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotStarted {
    /// Which, where it stands in the event file, and why.
    pub what: String,
    /// The last lines that it printed, harmless; `None`: there is no such program.
    pub printed: Option<Vec<String>>,
    /// What to do.
    pub remedy: String,
}

impl fmt::Display for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.printed.as_deref() {
            None => {}
            Some([]) => write!(f, "\n  It printed nothing.")?,
            Some(_) => write!(f, "\n  It printed:")?,
        }
        let printed = self.printed.as_deref().unwrap_or_default();
        for line in &printed[printed.len().saturating_sub(SHOWN)..] {
            write!(f, "\n    {line}")?;
        }
        write!(f, "\n  What to do: {}.", self.remedy)
    }
}

/// Why a run cannot be begun, taken up, played or changed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Something is wrong in the event file, or in what it names.
    #[error(transparent)]
    Event(#[from] ConfigError),
    /// A key asks for what this machine cannot give.
    #[error(transparent)]
    Unfit(Box<ConfigError>),
    /// The event file, or the directory that it is in, cannot be read.
    #[error("{}: {what}{source}", path.display())]
    Unreadable {
        /// The file or directory.
        path: PathBuf,
        /// What it is, where its name does not tell.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// What a run is to be written to is no directory.
    #[error(
        "{} is not a directory, and a run is written to a directory: name another with --out", .0.display()
    )]
    NoDirectory(PathBuf),
    /// Nothing can be written where the run is to be.
    #[error("{} cannot be written: {source}; name another directory with --out DIR", path.display())]
    NotWritable {
        /// Where it is to be.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A directory where an event file is wanted.
    #[error("{}", no_event_file(dir, *is_run))]
    NoEventFile {
        /// Which directory.
        dir: PathBuf,
        /// Whether it is a run's.
        is_run: bool,
    },
    /// A run that is to begin is there already.
    #[error("{} holds a run: resume it, or begin in another directory", .0.display())]
    Exists(PathBuf),
    /// What lies in the place of the log is none.
    #[error(
        "{} is not a plain file, and so not a log: move it away, or play into another directory with --out", .0.display()
    )]
    NoLog(PathBuf),
    /// The directory has files, and no log to go on with.
    #[error("{}", strangers(dir, names, aside))]
    Strangers {
        /// Which directory.
        dir: PathBuf,
        /// The files.
        names: Vec<String>,
        /// Where `--fresh` would keep a run in it.
        aside: PathBuf,
    },
    /// The log is older than what was published from it.
    #[error(
        "{0}/games.pgn has {published} games and the log has {ended}: the log is an older one, such as a copy without its \
        {WAL}. Nothing was written. Put the whole log there; or move games.pgn away, and the same command continues \
        from this log and plays the other games again", dir.display()
    )]
    OlderLog {
        /// The run's directory.
        dir: PathBuf,
        /// Games in `games.pgn`.
        published: usize,
        /// Games in the log.
        ended: usize,
    },
    /// Somebody put another log in the place of this one.
    #[error(
        "{dir}/{LOG} replaced the log while a runner was writing to that log; {dir}/{SAVED} has every finished game. Nothing \
        was written. Put {SAVED} in the place of {LOG}, without a {WAL} beside it, and the same command continues; or move \
        {SAVED} away, and the same command continues from {LOG} as it is", dir = .0.display()
    )]
    ReplacedLog(PathBuf),
    /// Only the beginning of a log is there.
    #[error(
        "{}/{LOG} is only the beginning of a log; the rest is in {WAL}, which is missing. Nothing was written. {}",
        dir.display(), remedy(aside)
    )]
    CutOff {
        /// Which directory.
        dir: PathBuf,
        /// Where `--fresh` would keep the run aside.
        aside: PathBuf,
    },
    /// Going on would mix two events.
    #[error(
        "{} holds a run of this event as it was before; going on would mix two events. What differs:{}\n\
         Undo the change to go on, or start anew with --fresh (the old run is kept aside), or play into another \
         directory with --out.", dir.display(), listed(differences)
    )]
    Changed {
        /// The run's directory.
        dir: PathBuf,
        /// What differs, a sentence each.
        differences: Vec<String>,
    },
    /// Players who may not play.
    #[error(
        "{file}: only agents with a current, passed qualification may play (eligibility.required), but {} of {entrants} have \
        none in {}:{}\nCheck them: swissmatch check --all {file} --only-stale", refused.len(), record.display(), listed(refused)
    )]
    Unqualified {
        /// The event file.
        file: String,
        /// The file of qualifications.
        record: PathBuf,
        /// Who, and why not.
        refused: Vec<String>,
        /// Of how many.
        entrants: usize,
    },
    /// Agents that do not start.
    #[error("{}", not_started(_0))]
    NotStarted(Vec<NotStarted>),
    /// The agent of a late entry does not start.
    #[error("{0}\nNothing was entered.")]
    EntryNotStarted(Box<NotStarted>),
    /// An agent of a game that was to be measured does not start.
    #[error("a game of {} and {} could not be played: an agent does not start; `swissmatch check --all` says why", _0[0], _0[1])]
    NotMeasured([String; 2]),
    /// The lock of the roster cannot be used.
    #[error(transparent)]
    Roster(#[from] LockError),
    /// Submissions cannot be taken, or read, or are not what is played yet.
    #[error(transparent)]
    Submissions(#[from] SubmissionError),
    /// The roster is not as it was locked.
    #[error("{0}")]
    NotAsLocked(String),
    /// A path cannot be kept in the log.
    #[error("{} is not text, and cannot be kept in the log", .0.display())]
    NoText(PathBuf),
    /// There is nothing to analyse.
    #[error("{} has no finished game that could be analysed", .0.display())]
    NothingToAnalyse(PathBuf),
    /// The reference engine cannot be used.
    #[error("{0}")]
    Reference(String),
    /// An analysis did not come to its end.
    #[error(
        "{}\nGames that had all their evaluations are kept in the log, and the same command continues; an engine that cannot go on \
         is replaced with --engine, --nodes or --depth.", escaped(_0.to_string())
    )]
    Analyse(#[from] AnalyseError),
    /// What was asked of the arbiter's desk may not be done.
    #[error("{}", escaped(_0))]
    Refused(String),
    /// The arbiter's desk has not answered.
    #[error(transparent)]
    Desk(DeskError),
    /// What answered for the runner is not this run's runner.
    #[error(
        "the answer did not come from this run's runner: the log has no such act. Another program has put its own arbiter.sock \
        into {}; end that program and the runner, and call `swissmatch run` again, which makes the socket anew", .0.display()
    )]
    NotLogged(PathBuf),
    /// Others keep taking the run.
    #[error("nothing was done: other commands keep using the run; try again")]
    Contended,
    /// The run's directory cannot be used.
    #[error(transparent)]
    Directory(#[from] DirError),
    /// There is no run there, or it cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The log that was there has gone.
    #[error("{}: the log has disappeared", .0.display())]
    LogGone(PathBuf),
    /// The log cannot be read or written.
    #[error(transparent)]
    Log(#[from] StoreError),
    /// The log is no event's history.
    #[error(transparent)]
    Broken(#[from] BrokenLogError),
    /// It could not be played on.
    #[error(transparent)]
    Conduct(#[from] ConductError),
    /// What has been played is in the log, and the files do not show it.
    #[error(
        "{source}; {}the log has every finished game: the same command writes the files again",
        if *is_over { "the event has been played to its end, and " } else { "" }
    )]
    Unpublished {
        /// Whether the event is over.
        is_over: bool,
        /// What the system said.
        source: io::Error,
    },
    /// What has been played is in the log, and an anchor does not know how it ends.
    #[error(
        "{}; {}the log has every finished game: the same command tells the anchors how it stands", anchors.join("; "),
        if *is_over { "the event has been played to its end, and " } else { "" }
    )]
    NotAnchored {
        /// Whether the event is over.
        is_over: bool,
        /// What was not delivered, a sentence for each.
        anchors: Vec<String>,
    },
    /// What has been played is in the log, and viewers do not see all of it.
    #[error(
        "{why}; {}the log has every finished game: the same command shows them again",
        if *is_over { "the event has been played to its end, and " } else { "" }
    )]
    NotShown {
        /// Whether the event is over.
        is_over: bool,
        /// What is not shown.
        why: String,
    },
    /// An act is in the log, and the files do not show it.
    #[error("the act is in the log, but the run's files could not be written: {0}")]
    ActUnpublished(io::Error),
    /// The machine lacks something, or says no.
    #[error("{0}")]
    Machine(String),
}

impl RunError {
    /// Whether what was asked for is at fault, and not the machine or what is stored: nothing was begun.
    pub const fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Event(_)
                | Self::Unreadable { .. }
                | Self::NoDirectory(_)
                | Self::NotWritable { .. }
                | Self::NoEventFile { .. }
                | Self::Exists(_)
                | Self::NoLog(_)
                | Self::Strangers { .. }
                | Self::ReplacedLog(_)
                | Self::OlderLog { .. }
                | Self::CutOff { .. }
                | Self::Changed { .. }
                | Self::Unqualified { .. }
                | Self::Roster(_)
                | Self::NotAsLocked(_)
                | Self::Refused(_)
                | Self::NoText(_)
                | Self::NothingToAnalyse(_)
                | Self::Reference(_)
                | Self::Desk(DeskError::NotTaken(_) | DeskError::Refused(_))
                | Self::Contended
                | Self::Directory(DirError::Locked(_))
        ) || matches!(self, Self::Submissions(error) if error.is_usage())
    }

    /// What the machine said.
    pub(super) fn machine(error: impl std::fmt::Display) -> Self {
        Self::Machine(error.to_string())
    }
}

fn listed(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  {line}")).collect()
}

fn no_event_file(dir: &Path, is_run: bool) -> String {
    let dir = dir.display();
    match is_run {
        true => format!(
            "{dir} is the directory of a run, but an event file is needed here, such as event.toml. To look at the run: swissmatch \
             standings {dir}. To go on with it: swissmatch run EVENT.toml --out {dir}"
        ),
        false => format!("{dir} is a directory, but an event file is needed here, such as {dir}/event.toml"),
    }
}

fn not_started(agents: &[NotStarted]) -> String {
    let agents: Vec<String> = agents.iter().map(ToString::to_string).collect();
    format!(
        "{}\nNothing was begun. With engine.must_start = false (--go-on of `run` and `match`) the event is played all the same, and \
         the games of an agent that does not start are forfeited.",
        agents.join("\n")
    )
}

fn strangers(dir: &Path, names: &[String], aside: &Path) -> String {
    let named = names.iter().take(NAMED).map(escaped);
    let more = if names.len() > NAMED { " …" } else { "" };
    format!(
        "{} holds {}{more}, but no log of a run: {LOG} is missing or has no entry. Nothing was written. {}",
        dir.display(),
        named.collect::<Vec<_>>().join(", "),
        remedy(aside)
    )
}

/// What may be done where a run may not begin or go on.
fn remedy(aside: &Path) -> String {
    format!(
        "If this is a copy of a run, copy all of it, with {WAL} if there is one; otherwise play into another directory with \
        --out, or begin here with --fresh, which keeps the files of a run aside in {} and leaves every other file",
        aside.display()
    )
}
