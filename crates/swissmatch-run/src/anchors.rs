//! The anchors of a run: found before anything starts, and told the log's head as it grows.
//!
//! May not: make the event wait.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rustix::fs::Access;

use swissmatch_config::ConfigError;
use swissmatch_host::agents::find_own_program;
use swissmatch_host::anchor::{AnchorTarget, Anchoring, DeliveryStatus};
use swissmatch_host::paths::is_within;
use swissmatch_host::store::{CommittedEntry, Head};
use swissmatch_host::{files, machine};
use swissmatch_report::anchor::{AnchorFile, AnchorLine};
use swissmatch_tournament::log::Entry;
use swissmatch_tournament::setup::Anchor;
use swissmatch_tournament::state::State;

use super::error::RunError;
use super::event_file::EventFile;

/// The key.
pub(super) const KEY: &str = "run.anchor";

/// How much of a file is looked at, to see whether it is one of anchors.
const BEGINNING: u64 = 4096;

/// The anchors of an event, found; its run is to be in `dir`.
///
/// # Errors
/// When one cannot take a line, or would be of no use; the key is named.
pub(super) fn find(event: &EventFile, dir: &Path) -> Result<Vec<AnchorTarget>, RunError> {
    let anchors = event.loaded.setup.run.anchor.iter();
    let found = anchors.map(|anchor| {
        target(anchor, &event.directory, dir).map_err(|(message, help)| {
            RunError::Event(ConfigError {
                help: Some(help.to_owned()),
                ..event.loaded.error_at(KEY, format!("{anchor}: {message}"))
            })
        })
    });
    found.collect()
}

/// What is wrong, and what helps.
type AnchorProblem = (String, &'static str);

fn target(anchor: &Anchor, directory: &Path, dir: &Path) -> Result<AnchorTarget, AnchorProblem> {
    match anchor {
        Anchor::File(path) => {
            let path = directory.join(path);
            require_outside(&path, dir)?;
            require_file(&path)?;
            Ok(AnchorTarget::File(path))
        }
        Anchor::Web(_) => Err((
            "nothing is sent to a web server any more".to_owned(),
            "write exec: and a program that has the line `exec curl --fail --data-binary @- ADDRESS`; see docs/anchor.md",
        )),
        Anchor::Program(program) => {
            let program = find_own_program(&command(program, directory)).map_err(|error| {
                let help = "write exec: and a program that may be executed, without arguments";
                (error.to_string(), help)
            })?;
            Ok(AnchorTarget::Program {
                program,
                directory: directory.to_path_buf(),
            })
        }
    }
}

/// What is in the run's directory is no anchor: who can write anew the one can the other.
fn require_outside(path: &Path, dir: &Path) -> Result<(), AnchorProblem> {
    match is_in_run(path, dir) {
        false => Ok(()),
        true => {
            let message = format!("it is in the directory of the run, {}", dir.display());
            Err((message, "name a file elsewhere, best on another machine's disk"))
        }
    }
}

/// Whether a path is in the directory of a run, which need not be there yet.
pub(super) fn is_in_run(path: &Path, dir: &Path) -> bool {
    let whole = std::path::absolute(dir);
    is_within(path, whole.as_deref().unwrap_or(dir))
}

/// That lines can be added to a file, which may be made, and that it is none of another kind.
fn require_file(path: &Path) -> Result<(), AnchorProblem> {
    let help = "name a file that may be written, in a directory that is there";
    let beginning = match beginning_of(path) {
        Ok(beginning) => beginning,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = path.parent().filter(|above| !above.as_os_str().is_empty());
            let above = above.unwrap_or(Path::new("."));
            return rustix::fs::access(above, Access::WRITE_OK | Access::EXEC_OK)
                .map_err(|error| (format!("{}: {}", above.display(), io::Error::from(error)), help));
        }
        Err(error) => return Err((format!("it cannot be read: {error}"), help)),
    };
    rustix::fs::access(path, Access::WRITE_OK)
        .map_err(|error| (format!("it cannot be written: {}", io::Error::from(error)), help))?;
    // The last line may be cut off by the bound.
    match AnchorFile::read(&beginning) {
        Ok(_) => Ok(()),
        Err(wrong) => Err((
            format!(
                "it is there and no file of anchor lines (line {}: {})",
                wrong.line, wrong.why
            ),
            "name another file, to which nothing else is written",
        )),
    }
}

fn beginning_of(path: &Path) -> io::Result<String> {
    let mut beginning = Vec::new();
    let file = files::open_plain(path)?;
    file.take(BEGINNING).read_to_end(&mut beginning)?;
    Ok(String::from_utf8_lossy(&beginning).into_owned())
}

/// What of the anchors of an event lies on this machine's disk, and what it is.
pub(super) fn on_disk(event: &EventFile) -> impl Iterator<Item = (PathBuf, &'static str)> {
    event.loaded.setup.run.anchor.iter().filter_map(|anchor| match anchor {
        Anchor::File(path) => Some((event.directory.join(path), "the file of an anchor")),
        Anchor::Program(program) => {
            let program = find_own_program(&command(program, &event.directory)).ok()?;
            Some((program, "the program of an anchor"))
        }
        Anchor::Web(_) => None,
    })
}

/// A program as it is looked for: a path is relative to the event file.
fn command(program: &str, directory: &Path) -> String {
    match program.contains('/') {
        true => directory.join(program).display().to_string(),
        false => program.to_owned(),
    }
}

/// The anchors of a run that is played.
#[derive(Debug)]
pub(super) struct Anchors {
    anchoring: Anchoring,
    /// Which run: the hash of its first entry.
    run: String,
    /// Where the log ends, and where it did with the last line.
    head: Head,
    published: Option<Head>,
}

impl Anchors {
    /// Tells the anchors how the log of a run stands as its runner begins.
    ///
    /// # Errors
    /// When the machine gives no thread.
    pub(super) fn start(targets: Vec<AnchorTarget>, run: &str, head: Head) -> io::Result<Self> {
        let mut anchors = Self {
            anchoring: Anchoring::start(targets)?,
            run: run.to_owned(),
            head,
            published: None,
        };
        anchors.publish();
        Ok(anchors)
    }

    /// An entry is part of `state`.
    pub(super) fn committed(&mut self, state: &State, committed: &CommittedEntry) {
        self.head = committed.head.clone();
        if is_worth_a_line(state, &committed.bundle.entry) {
            self.publish();
        }
    }

    fn publish(&mut self) {
        if self.published.as_ref() == Some(&self.head) {
            return;
        }
        let line = AnchorLine {
            run: self.run.clone(),
            entry: self.head.entry,
            hash: self.head.hash.clone(),
            time: machine::now(),
        };
        self.anchoring.publish(&line.json());
        self.published = Some(self.head.clone());
    }

    /// What there is to say of them since this was asked last.
    pub(super) fn told(&self) -> impl Iterator<Item = DeliveryStatus> {
        self.anchoring.told()
    }

    /// Tells them where the log ends, and waits some seconds for what is left.
    ///
    /// # Errors
    /// What was not delivered, a sentence for each anchor.
    pub(super) fn finish(mut self) -> Result<(), Vec<String>> {
        self.publish();
        self.anchoring.finish()
    }
}

/// Whether a round or a play-off round was paired, or is over.
fn is_worth_a_line(state: &State, entry: &Entry) -> bool {
    match entry {
        Entry::RoundPaired(_) | Entry::PlayoffPaired(_) => true,
        Entry::GameFinished(_) => state.sittings().last().is_some_and(|sitting| sitting.is_over()),
        _ => false,
    }
}
