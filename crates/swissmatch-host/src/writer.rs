//! The writer: a thread that commits what has happened in groups, so that play never waits for the disk.
//!
//! While one group is being committed the next one gathers. What it reports as committed is on the disk.
//!
//! The contract on log order, which is kept here, in `store` and in `files`: what is appended when, what a crash can lose.
//!
//! - The log is the table `entries` of `run.sqlite`. It is append-only (triggers refuse updates and deletes), and each row has the SHA-256
//!   of its predecessor's hash and its own content. Only entries decide; everything else is a fold over them.
//! - What is appended when:
//!   - `Created` is first and carries the whole setup. The log's file is made under another name and gets its own name together with this
//!     entry, so a killed program leaves no log without an entry.
//!   - `Interrupted` is appended by the next runner, in one transaction with its `Resumed` and before it, or by an act on a stopped run,
//!     before the act. The list is removed after that. It names the entry with which its runner began, so one that stays behind is not
//!     noted twice, and stands for no later end. If there is none, but a `-wal` or the socket of a runner is there and games are due, the
//!     entry says that the games are not known.
//!   - `PresenceChecked` comes before the `RoundPaired` that it is for. `RoundPaired` is appended before any game of the round starts.
//!   - `GameFinished` is appended when a game ends, in the order in which games end, in one transaction with the record of its moves.
//!   - The next round is paired only when every game of the round is committed, and its play-offs are settled.
//!   - `LotDrawn` is appended before the `PlayoffPaired` that depends on it, and that before any of its games.
//!   - `Acted` and `Decided` are appended when everything that has happened is committed, and answered when they are committed. If no
//!     runner is at work, the command itself appends them; it then has the directory's lock.
//! - A separate writer commits in groups with `synchronous=FULL`; play does not wait for it. A game counts once committed: until then it is
//!   in flight, and after a crash it is due again. A crash loses only the games in flight. A committed game is never played again, because
//!   `due` is computed from the log.
//! - A log is continued only from the entry that was read last: whoever appends names that entry, and the transaction checks it. Only
//!   "there is no such file" means that there is no log.
//! - The writer makes sure that the log's files are still in place, and no shorter. If one was taken away or cut off, it saves what was
//!   committed, and the event stops; `run` does not go on while there is a `run.sqlite.saved`.
//! - Every published file is written only from committed entries, to another name, and takes its place when it is whole: first the file is
//!   synced, then it is renamed, then its directory is synced (only `files.rs` renames). After a crash files may lag behind the log
//!   until `run` resumes the event.
//! - `games.pgn` and `games.csv` grow game by game, in schedule order, at their ends while they are as the runner left them. The next
//!   runner goes on with them where a note (`.games.json`, `run/publish/left.rs`) agrees with the log, with this program and with what the
//!   files hold; else it writes them anew, and always where the files are signed or the event is over.
//! - The files are at most 1,024 entries behind the log, and at most 1,024 games wait to be in it; then play waits, so that memory does not
//!   grow.
//! - A file that cannot be written while games are played, or that has no plain file in its place (a pipe, a device, a directory: left
//!   alone and never opened), is reported at once and tried again. Play goes on, and the run ends with exit code 5 if the file still cannot
//!   be written at the end.
//! - Anchors (`run.anchor`) are told the log's head only of committed entries, each by a thread of its own with a bounded queue
//!   (`run/anchors.rs`, `anchor.rs`). One that does not take a line is told at once and tried again. Play goes on, and the run ends
//!   with exit code 5 if lines are left at the end.
//! - A run begins only in a directory that has nothing but what its event names and a `run.log`, to which lines are only added; a log
//!   without an entry is not allowed either. It does not go on from a log of which only the beginning is there, without the `-wal` that a
//!   killed runner leaves. `--fresh` sets aside what a run writes, by name, after merging the log.
//! - Tests: `tests/whole/storage.rs`, `tests/whole/directories.rs`, `tests/whole/kill.rs`, `tests/whole/resume.rs`,
//!   `tests/whole/damage.rs`, `tests/whole/anchor.rs`, `tests/whole/signed.rs`, `tests/whole/interrupted.rs`.

mod share;
mod stored;

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tracing::{debug, error, warn};

use super::host::{Fence, GameReport, MayWrite};
use super::machine;
use super::store::{Bundle, CommittedEntry, Store, StoreError};
use super::threads;
pub use share::Shares;
pub use stored::entry;

/// The time from one commit to the next on average: games that end meanwhile are committed together.
const PACE: Duration = Duration::from_millis(10);
/// After a quiet time this many commits come at once, so that a short match waits for none.
const AT_ONCE: u32 = 8;
/// How often to check that the log is where it was, while nothing ends.
const WATCH: Duration = Duration::from_secs(1);
/// The most hand-overs in one transaction.
const LARGEST_GROUP: usize = 4096;

/// A commit that takes longer is reported.
const SLOW: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub enum Item {
    /// An entry as it will be in the log.
    Entry(Box<Bundle>),
    /// A game that was played; the writer makes its entry.
    Game(Box<GameReport>),
}

impl Item {
    fn into_entry(self, shares: &mut Shares) -> Bundle {
        match self {
            Self::Entry(entry) => *entry,
            Self::Game(played) => {
                let players = [played.record.white, played.record.black];
                let evidence = played.evidence.map(|text| shares.fit(players, text));
                entry(&played.record, evidence, (played.taken_from, played.played_on))
            }
        }
    }
}

/// A handle to the writer. Dropping it lets the writer finish what it was given.
#[derive(Debug)]
pub struct Writer {
    queue: Sender<Vec<Item>>,
    thread: JoinHandle<Store>,
}

/// The outcome of a group.
#[derive(Debug)]
pub enum Outcome {
    /// These are on the disk, in this order.
    Committed(Vec<CommittedEntry>),
    /// These are not on the disk, and nothing that comes later will be.
    Failed(StoreError),
}

fn tell(appended: Result<(), &StoreError>, entries: usize, took: Duration) {
    match appended {
        Err(why) => error!(entries, %why, "the log cannot be written"),
        Ok(()) if took > SLOW => warn!(entries, ?took, "slow commit: the disk is busy"),
        Ok(()) => debug!(entries, ?took, "committed"),
    }
}

/// Waits until the runner may write; `false` means that it never may again.
fn is_let(fence: &Fence) -> bool {
    loop {
        match fence.may_write() {
            MayWrite::Now => return true,
            MayWrite::NeverMore => return false,
            MayWrite::NotYet => std::thread::sleep(PACE),
        }
    }
}

impl Writer {
    /// Starts the writer on `store`. Evidence has the room of `shares`, and `fence` can hold writing back. `report`
    /// gets every group's outcome.
    ///
    /// # Errors
    /// The machine has no thread for it.
    pub fn start<T: Send + 'static>(
        mut store: Store,
        (mut shares, fence): (Shares, Fence),
        report: Sender<T>,
        wrap: impl Fn(Outcome) -> T + Send + 'static,
    ) -> io::Result<Self> {
        let (queue, entries) = mpsc::channel::<Vec<Item>>();
        let thread = threads::start("writer", move || {
            let mut next = Instant::now();
            loop {
                let first = entries.recv_timeout(WATCH);
                let is_over = matches!(first, Err(RecvTimeoutError::Disconnected));
                let outcome = match first {
                    Ok(first) => {
                        std::thread::sleep(next.saturating_duration_since(Instant::now()));
                        let ahead = Instant::now().checked_sub(PACE * AT_ONCE);
                        next = ahead.map_or(next, |ahead| next.max(ahead)) + PACE;
                        let more = entries.try_iter().take(LARGEST_GROUP).flatten();
                        let group: Vec<Bundle> = first
                            .into_iter()
                            .chain(more)
                            .map(|item| item.into_entry(&mut shares))
                            .collect();
                        if !is_let(&fence) {
                            break;
                        }
                        let begun = Instant::now();
                        let appended = store.append(&group, &machine::now());
                        tell(appended.as_ref().map(drop), group.len(), begun.elapsed());
                        let committed = |(bundle, head)| CommittedEntry { bundle, head };
                        appended.map(|heads| Some(group.into_iter().zip(heads).map(committed).collect()))
                    }
                    Err(_) => store.check_place().map(|()| None),
                };
                let failed = outcome.is_err();
                let outcome = match outcome {
                    Ok(group) => group.map(Outcome::Committed),
                    Err(error) => Some(Outcome::Failed(error)),
                };
                let unread = outcome.is_some_and(|outcome| report.send(wrap(outcome)).is_err());
                if failed || unread || is_over {
                    break;
                }
            }
            store
        })?;
        Ok(Self { queue, thread })
    }

    /// Hands over an entry, which is committed soon.
    pub fn append(&self, item: Item) {
        self.append_all(vec![item]);
    }

    /// Hands over entries that are committed together or not at all.
    pub fn append_all(&self, items: Vec<Item>) {
        // A writer that has gone has reported why.
        let _ = self.queue.send(items);
    }

    /// Waits until everything handed over has been committed, and returns the store.
    ///
    /// # Panics
    /// If the writer panicked.
    pub fn finish(self) -> Store {
        drop(self.queue);
        self.thread.join().expect("the writer does not panic")
    }
}
