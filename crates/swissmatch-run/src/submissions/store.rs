//! The directory of an event's submissions, beside its run.
//!
//! Each line of the log carries the SHA-256 of the one before, so that nothing can be changed in it unseen. May not: judge.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::submission_error::SubmissionError;
use swissmatch_host::files;
use swissmatch_host::run_dir::{SUBMISSIONS, VERSIONS};
use swissmatch_host::store::sha256;
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::submission::{SubmissionEntry, Submissions};

const LOG: &str = "log.jsonl";
const LOCK: &str = "lock";
/// Where those who try a submission hold its turn, and archives come.
const TURNS: &str = "turns";
const INCOMING: &str = "incoming-";

/// The directory of an event's submissions.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
}

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct SubmissionLine {
    schema: u32,
    at: jiff::Timestamp,
    /// The SHA-256 of the line before, in hexadecimal; of the first one, nothing.
    previous: String,
    #[serde(flatten)]
    entry: SubmissionEntry,
}

impl Store {
    /// That of the event whose run, or the run of a round of whose ladder, is in `run`.
    pub(crate) fn of_setup(run: &Path, setup: &Setup) -> Self {
        match (&setup.ladder.round, run.ancestors().nth(2)) {
            (Some(_), Some(event)) => Self::of_run(event),
            _ => Self::of_run(run),
        }
    }

    /// That of the event whose run is in `run`.
    pub fn of_run(run: &Path) -> Self {
        Self {
            dir: run.join(SUBMISSIONS),
        }
    }

    /// Where it is.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where the archive with this hash is kept.
    pub(super) fn archive(&self, sha256: &str) -> PathBuf {
        self.dir.join("archives").join(format!("{sha256}.zip"))
    }

    /// Where the archive of this submission is unpacked: each has a directory of its own, as each is another player's.
    pub(super) fn version(&self, number: u64) -> PathBuf {
        self.dir.join(VERSIONS).join(number.to_string())
    }

    /// Makes the directory and those in it.
    pub(crate) fn make(&self) -> io::Result<()> {
        for part in ["", "archives", VERSIONS, TURNS] {
            let directory = self.dir.join(part);
            if !directory.is_dir() {
                files::make_directory(&directory)?;
            }
        }
        Ok(())
    }

    /// All submissions; none where nothing has come.
    ///
    /// # Errors
    /// When the log cannot be read, or was changed.
    pub fn read(&self) -> Result<Submissions, SubmissionError> {
        Ok(self.read_to_the_end()?.0)
    }

    /// What follows from its first `most` entries, or from all; and how many those are.
    ///
    /// # Errors
    /// When the log cannot be read, or was changed.
    pub(crate) fn read_counted(&self, most: Option<u64>) -> Result<(Submissions, u64), SubmissionError> {
        let (all, entries, _) = self.read_first(most)?;
        Ok((all, entries))
    }

    fn read_to_the_end(&self) -> Result<(Submissions, String), SubmissionError> {
        let (all, _, previous) = self.read_first(None)?;
        Ok((all, previous))
    }

    /// Of its first entries: what follows from them, how many they are, and the hash of the last one.
    fn read_first(&self, most: Option<u64>) -> Result<(Submissions, u64, String), SubmissionError> {
        let log = self.dir.join(LOG);
        let text = match files::read_plain(&log) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(files::about(&log, &error).into()),
        };
        let (mut all, mut entries, mut previous) = (Submissions::default(), 0, String::new());
        for (number, text) in (1..).zip(text.lines()) {
            // What a power cut left unfinished stays a line of its own, and nothing follows from it.
            let Ok(line) = serde_json::from_str::<SubmissionLine>(text) else {
                continue;
            };
            if most.is_some_and(|most| entries >= most) {
                break;
            }
            if line.previous != previous {
                return Err(SubmissionError::Chain { log, line: number });
            }
            all.apply(line.entry, line.at)
                .map_err(|source| SubmissionError::Broken {
                    log: log.clone(),
                    line: number,
                    source,
                })?;
            previous = sha256(text.as_bytes());
            entries += 1;
        }
        Ok((all, entries, previous))
    }

    /// Adds the entry that follows from what is there, then does what follows from that; nobody else adds one meanwhile. Returns all
    /// submissions with it.
    ///
    /// # Errors
    /// When there is none to be added, or the log cannot be written.
    pub(super) fn add<E: From<SubmissionError>>(
        &self,
        entry: impl FnOnce(&Submissions, jiff::Timestamp) -> Result<SubmissionEntry, E>,
        then: impl FnOnce(&Submissions) -> io::Result<()>,
    ) -> Result<Submissions, E> {
        let machine = |error: io::Error| E::from(SubmissionError::Machine(error));
        let _alone = self.hold(LOCK).map_err(machine)?;
        let (mut all, previous) = self.read_to_the_end()?;
        // A clock that was set back.
        let at = jiff::Timestamp::now().max(all.all().last().map_or(jiff::Timestamp::MIN, |last| last.at));
        let entry = entry(&all, at)?;
        let line = SubmissionLine {
            schema: 1,
            at,
            previous,
            entry,
        };
        let text = serde_json::to_string(&line).map_err(|error| machine(error.into()))?;
        let log = self.dir.join(LOG);
        let broken = |source| {
            E::from(SubmissionError::Broken {
                log: log.clone(),
                line: 0,
                source,
            })
        };
        all.apply(line.entry, at).map_err(broken)?;
        files::append_line(&log, &text).map_err(machine)?;
        then(&all).map_err(machine)?;
        Ok(all)
    }

    /// Holds the file of this name, which is made where it is not there.
    fn hold(&self, name: &str) -> io::Result<File> {
        let path = self.dir.join(name);
        drop(files::open_to_append(&path)?);
        files::hold(&path)
    }

    /// Makes a file for an archive that comes, and holds it; what somebody who was killed left of one goes.
    pub(super) fn make_incoming(&self) -> io::Result<(NamedTempFile, File)> {
        // Nobody sees one that is made and not held yet.
        let _alone = self.hold(LOCK)?;
        let turns = self.dir.join(TURNS);
        for entry in std::fs::read_dir(&turns).map_err(|error| files::about(&turns, &error))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(INCOMING) && files::try_hold(&path).is_ok_and(|held| held.is_some()) {
                files::remove(&path)?;
            }
        }
        let made = tempfile::Builder::new().prefix(INCOMING).tempfile_in(&turns);
        let file = made.map_err(|error| files::about(&turns, &error))?;
        match files::try_hold(file.path())? {
            Some(held) => Ok((file, held)),
            None => Err(io::Error::other(format!(
                "{} is held by another one",
                file.path().display()
            ))),
        }
    }

    /// A slot in which a submission is tried, from 1; `None`: another one is, or a round of the ladder is played on its core.
    pub(crate) fn try_hold_slot(&self, slot: u32) -> io::Result<Option<File>> {
        files::try_hold(&self.dir.join(TURNS).join(format!("slot-{slot}")))
    }

    /// The turn of a submission, which whoever judges it holds; `None`: another one does.
    pub(super) fn try_hold_turn(&self, number: u64) -> io::Result<Option<File>> {
        files::try_hold(&self.turn(number))
    }

    /// Ends the turn of a submission that is judged.
    pub(super) fn end_turn(&self, number: u64) -> io::Result<()> {
        files::remove(&self.turn(number))
    }

    fn turn(&self, number: u64) -> PathBuf {
        self.dir.join(TURNS).join(number.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_tournament::submission::{JudgedSubmission, ReceivedArchive};

    fn store() -> (tempfile::TempDir, Store) {
        let place = tempfile::tempdir().expect("a directory");
        let store = Store::of_run(&place.path().join("run"));
        std::fs::create_dir(place.path().join("run")).expect("a directory");
        store.make().expect("it is made");
        let received = |all: &Submissions, _| {
            Ok::<_, SubmissionError>(SubmissionEntry::Received(ReceivedArchive {
                number: all.next(),
                player: "A".to_owned(),
                archive: "hash".to_owned(),
                bytes: 1,
                file: "a.zip".to_owned(),
            }))
        };
        let judged = |_: &Submissions, _| {
            Ok::<_, SubmissionError>(SubmissionEntry::Judged(JudgedSubmission {
                number: 1,
                refused: Vec::new(),
                public: Vec::new(),
                content: Some("content".to_owned()),
                log: Vec::new(),
                times: None,
            }))
        };
        store.add(received, |_| Ok(())).expect("it is added");
        store.add(judged, |_| Ok(())).expect("it is added");
        store.add(received, |_| Ok(())).expect("it is added");
        (place, store)
    }

    #[test]
    fn what_is_added_is_read_again_and_no_line_can_be_changed_or_taken_away() {
        let (_place, store) = store();
        assert_eq!(store.read().expect("it is read").all().len(), 2);
        let log = store.dir().join(LOG);
        let text = std::fs::read_to_string(&log).expect("it is there");
        let lines: Vec<&str> = text.lines().collect();
        let without_one = [lines[0], lines[2]].join("\n");
        for changed in [text.replacen("a.zip", "b.zip", 1), without_one] {
            std::fs::write(&log, changed).expect("it is written");
            let refused = store.read().expect_err("it was changed");
            assert!(matches!(refused, SubmissionError::Chain { line: 2, .. }), "{refused}");
        }
        // Half a line, as a power cut leaves it.
        std::fs::write(&log, text.clone() + "{\"schema\":1,\"at\"").expect("it is written");
        assert_eq!(store.read().expect("it is read").all().len(), 2);
    }
}
