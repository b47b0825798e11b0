//! The files of a run: written while it is played, by a thread of their own, from committed entries alone.
//!
//! Games are added as they end, tables are written after each round and at the end. Each file is a pure function of the log, so that
//! `verify` can compare them byte by byte. While an embargo lasts they are those of the event as it may be published
//! (`tournament::embargo`).

mod contents;
mod cursor;
mod files;
mod games;
mod left;
mod signed;
mod source;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::json;
use tracing::{debug, warn};

use swissmatch_config as config;
use swissmatch_host::files::{remove, sweep, sweep_all, write_whole};
use swissmatch_host::run_dir::MANIFEST;
use swissmatch_host::store::{self, Head};
use swissmatch_host::{machine, threads};
use swissmatch_tournament::embargo::is_held_back;
use swissmatch_tournament::log::{Act, Entry};
use swissmatch_tournament::state::{MiniMatchGames, State};

pub use contents::{GAMES, JUNIT, ROUNDS, TOURNAMENT, all, render_games, tournament};
pub(crate) use contents::{GAMES_TABLE, TABLES, rules};
pub(crate) use cursor::Cursor;
use files::RunFiles;
pub use left::LEFT;
pub use signed::SIGNATURE;
pub(crate) use signed::{SIGNED, Signing, list_of};

/// Transcripts and standard error of games, one file each.
pub(crate) const EVIDENCE: &str = "evidence";

/// How long after a failure the files are tried again, where nothing happens before.
const AGAIN: Duration = Duration::from_secs(20);

/// How many games of a mini-match end before those so far are kept in memory once, for whoever plays and whoever publishes.
const SHARED: u32 = 4096;

/// How many entries the files may be behind the log: play waits for them then, so that memory does not grow.
const BEHIND: usize = 1024;

/// Writing that takes longer is worth a line.
const SLOW: Duration = Duration::from_secs(1);

/// What was committed: an entry, where the log ended with it, and the evidence that came with it.
struct EntryToPublish {
    entry: Entry,
    head: Head,
    evidence: Option<String>,
    /// Now and then the games of its mini-match, which are then in memory once.
    games: Option<MiniMatchGames>,
}

/// What an entry asks to be written, the most of several counting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FilesToWrite {
    Nothing,
    /// The games so far.
    Games,
    /// The tables, too.
    Tables,
    /// All of it again: what was written may be otherwise now.
    Anew,
}

/// What the publisher has to say.
#[derive(Debug)]
pub(crate) enum Remark {
    /// Something has gone wrong.
    Warning(String),
    /// It came right again.
    Right(&'static str),
}

/// The thread that writes a run's files.
#[derive(Debug)]
pub(crate) struct Publisher {
    /// Whether evidence is published.
    with_evidence: bool,
    committed: SyncSender<EntryToPublish>,
    remarks: Receiver<Remark>,
    thread: JoinHandle<RunFilesWriter>,
}

impl Publisher {
    /// Starts it for the run in `dir`, whose games are played as `places` says, if any are to come, and whose files are signed as
    /// `signing` says. Files of rounds that are over already are written at once.
    ///
    /// # Errors
    /// When the files cannot be written.
    pub(crate) fn start(
        dir: &Path,
        state: &State,
        created_at: &str,
        places: Option<&serde_json::Value>,
        signing: Option<Signing>,
    ) -> io::Result<Self> {
        sweep(dir);
        // Whoever publishes holds the run's directory.
        sweep_all(&dir.join(EVIDENCE));
        // Who plays without a key leaves no list that somebody before signed.
        if places.is_some() && signing.is_none() {
            [SIGNED, SIGNATURE]
                .iter()
                .try_for_each(|name| remove(&dir.join(name)))?;
        }
        let mut files = RunFiles::new(dir, created_at, signing)?;
        // The one that plays says on what; who comes after it leaves that as it is.
        if places.is_some() || !dir.join(MANIFEST).exists() {
            write_whole(&dir.join(MANIFEST), &manifest(state, created_at, places)?)?;
        }
        let of_manifest = (dir.join(MANIFEST), created_at.to_owned(), places.cloned());
        files.catch_up(state)?;
        let (committed, queue) = mpsc::sync_channel(BEHIND);
        let (remark, remarks) = mpsc::channel();
        let desk = RunFilesWriter {
            files,
            state: state.clone(),
            trouble: None,
            lacks_evidence: false,
            remark,
            of_manifest,
            is_manifest_old: false,
        };
        let thread = threads::start("publisher", move || desk.work(&queue))?;
        Ok(Self {
            with_evidence: state.setup().publish.evidence,
            committed,
            remarks,
            thread,
        })
    }

    /// What has gone wrong since this was asked last, and whether it came right.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = Remark> {
        self.remarks.try_iter()
    }

    /// An entry has been committed and is part of `state`.
    pub(crate) fn committed(&self, state: &State, committed: &store::CommittedEntry) {
        let bundle = &committed.bundle;
        let games = match &bundle.entry {
            Entry::GameFinished(finished) if finished.id.game.is_multiple_of(SHARED) => {
                state.mini_match(finished.id).map(|board| board.games.clone())
            }
            _ => None,
        };
        let evidence = bundle.evidence.as_ref().filter(|_| self.with_evidence);
        // A publisher that has gone says why at the end.
        let _ = self.committed.send(EntryToPublish {
            entry: bundle.entry.clone(),
            head: committed.head.clone(),
            evidence: evidence.map(|evidence| evidence.text.clone()),
            games,
        });
    }

    /// Writes what is left, and ends.
    ///
    /// # Errors
    /// When a file could not be written.
    pub(crate) fn finish(self, state: &State) -> io::Result<()> {
        drop(self.committed);
        let ended = self.thread.join();
        let mut desk = ended.map_err(|_| io::Error::other("the thread that writes the run's files failed"))?;
        desk.write_manifest()?;
        if desk.trouble.is_some() || desk.lacks_evidence {
            desk.files.catch_up(state)?;
        }
        desk.files.rest(state)
    }
}

/// The work of the thread.
#[derive(Debug)]
struct RunFilesWriter {
    files: RunFiles,
    /// The state that the files are to show: it follows the log.
    state: State,
    /// Why they do not.
    trouble: Option<String>,
    /// Whether evidence was not written.
    lacks_evidence: bool,
    remark: Sender<Remark>,
    /// Where the manifest is, when the run was made, and what its slots are.
    of_manifest: (PathBuf, String, Option<serde_json::Value>),
    /// Whether it lacks a worker.
    is_manifest_old: bool,
}

impl RunFilesWriter {
    fn work(mut self, queue: &Receiver<EntryToPublish>) -> Self {
        let mut again = Instant::now();
        loop {
            let first = match self.trouble {
                None => queue.recv().map_err(RecvTimeoutError::from),
                Some(_) => queue.recv_timeout(again.saturating_duration_since(Instant::now())),
            };
            let begun = Instant::now();
            let (asked, taken) = match first {
                // What has come meanwhile is written with it.
                Ok(first) => self.take(std::iter::once(first).chain(queue.try_iter())),
                Err(RecvTimeoutError::Timeout) => (FilesToWrite::Nothing, Ok(())),
                Err(RecvTimeoutError::Disconnected) => return self,
            };
            // After a failure games alone are no reason to try again before it is time.
            if self.trouble.is_some() && asked <= FilesToWrite::Games && Instant::now() < again {
                continue;
            }
            let written = taken.and(self.write(asked));
            again = Instant::now() + AGAIN;
            let took = begun.elapsed();
            match took > SLOW {
                true => warn!(?took, "slow writing of the run's files"),
                false => debug!(?took, "the run's files are written"),
            }
            self.note(written);
        }
    }

    /// Takes in what was committed, with its evidence.
    fn take(&mut self, committed: impl Iterator<Item = EntryToPublish>) -> (FilesToWrite, io::Result<()>) {
        let (mut asked, mut taken) = (FilesToWrite::Nothing, Ok(()));
        for EntryToPublish {
            entry,
            head,
            evidence,
            games,
        } in committed
        {
            if let Err(broken) = self.state.apply(&entry) {
                return (asked, Err(io::Error::other(broken)));
            }
            self.files.grown_to(&head);
            asked = asked.max(asked_by(&self.state, &entry));
            self.is_manifest_old |= matches!(entry, Entry::WorkerAdmitted(_));
            let Entry::GameFinished(finished) = &entry else {
                continue;
            };
            if let Some(games) = games {
                self.state.share_games(finished.id, &games);
            }
            let Some(text) = evidence.filter(|_| !is_held_back(&self.state, finished.id)) else {
                continue;
            };
            if self.trouble.is_none() && taken.is_ok() {
                taken = self.files.evidence(finished.id, &text);
            }
            self.lacks_evidence |= self.trouble.is_some() || taken.is_err();
        }
        if asked == FilesToWrite::Anew {
            self.files.forget();
        }
        (asked, taken)
    }

    fn write(&mut self, asked: FilesToWrite) -> io::Result<()> {
        self.write_manifest()?;
        // After a failure it is not known what is there and what is not.
        if self.trouble.is_some() || asked == FilesToWrite::Anew {
            self.files.catch_up(&self.state)?;
            self.lacks_evidence = false;
            return Ok(());
        }
        match asked {
            FilesToWrite::Nothing => Ok(()),
            FilesToWrite::Games => self.files.grow(&self.state),
            FilesToWrite::Tables | FilesToWrite::Anew => self.files.write(&self.state),
        }
    }

    /// Writes the manifest again, where it lacks a worker.
    fn write_manifest(&mut self) -> io::Result<()> {
        if self.is_manifest_old {
            let (path, created_at, places) = &self.of_manifest;
            write_whole(path, &manifest(&self.state, created_at, places.as_ref())?)?;
            self.is_manifest_old = false;
        }
        Ok(())
    }

    /// Tells of a failure when it comes, changes, and goes.
    fn note(&mut self, written: io::Result<()>) {
        let trouble = written.err().map(|error| error.to_string());
        if trouble != self.trouble {
            // Whoever asked for the files may not read remarks.
            let _ = self.remark.send(match &trouble {
                Some(error) => Remark::Warning(format!(
                    "a file of the run cannot be written: {error}; play goes on, the log is complete, and the file is tried again"
                )),
                None => Remark::Right("the files of the run can be written again"),
            });
        }
        self.trouble = trouble;
    }
}

/// What an entry asks to be written, after which the event stands so.
fn asked_by(state: &State, entry: &Entry) -> FilesToWrite {
    match entry {
        Entry::GameFinished(_) => match state.sittings().last().is_some_and(|sitting| sitting.is_over()) {
            true => FilesToWrite::Tables,
            false => FilesToWrite::Games,
        },
        Entry::Acted(acted) => asked_by_act(&acted.act),
        _ => FilesToWrite::Nothing,
    }
}

const fn asked_by_act(act: &Act) -> FilesToWrite {
    match act {
        // Games say of themselves that they are annulled.
        Act::Disqualify { .. }
        | Act::Reinstate { .. }
        | Act::Replay { .. }
        | Act::Void { .. }
        | Act::SetResult { .. }
        // Whoever enters or withdraws is in the standings of earlier rounds.
        | Act::Enter { .. }
        | Act::Withdraw { .. }
        | Act::Release => FilesToWrite::Anew,
        Act::AwardBye { .. } | Act::End => FilesToWrite::Tables,
        // The game's end follows as an entry of its own.
        Act::Adjudicate { .. }
        | Act::Pause
        | Act::Resume
        | Act::StopAfterRound
        | Act::Absent { .. }
        | Act::Present { .. }
        | Act::RequestBye { .. }
        | Act::Forbid { .. }
        | Act::Force { .. }
        | Act::Confirm { .. }
        | Act::Announce { .. } => FilesToWrite::Nothing,
    }
}

/// What a run was made of, for whoever wants to repeat it.
fn manifest(state: &State, created_at: &str, places: Option<&serde_json::Value>) -> io::Result<String> {
    let created = state.created();
    let players: Vec<_> = state
        .setup()
        .players
        .iter()
        .zip(&created.agents)
        .map(|(player, agent)| json!({ "name": player.name, "agent": agent }))
        .collect();
    let config: serde_json::Map<String, serde_json::Value> = config::key_values(state.setup())
        .into_iter()
        .map(|(key, value)| (key, value.into()))
        .collect();
    let mut manifest = json!({
        "schema": 1,
        "software": { "name": "swissmatch", "version": created.software },
        "created_at": created_at,
        "format": created.format,
        "rounds": created.rounds,
        "config": config,
        "players": players,
        "openings": created.openings,
        "machine": machine::describe()?,
        "seating": places,
    });
    let hosts: Vec<_> = state.workers().values().collect();
    if !hosts.is_empty() {
        manifest["hosts"] = json!(hosts);
    }
    Ok(format!("{manifest:#}\n"))
}
