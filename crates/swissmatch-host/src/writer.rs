//! The writer: a thread that commits what has happened in groups, so that play never waits for the disk.
//!
//! While one group is being committed the next one gathers. What it reports as committed is on the disk.

mod share;
mod stored;

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tracing::{debug, error, warn};

use super::host::Played;
use super::machine;
use super::store::{Bundle, Committed, Store, StoreError};
use super::threads;
pub use share::Shares;
pub use stored::entry;

/// From one commit to the next, at least: what ends meanwhile is committed together.
const PACE: Duration = Duration::from_millis(10);
/// How often it is looked whether the log is where it was, where nothing ends meanwhile.
const WATCH: Duration = Duration::from_secs(1);
/// Most hand-overs of one transaction.
const LARGEST_GROUP: usize = 4096;

/// A commit that takes longer is worth a line.
const SLOW: Duration = Duration::from_secs(1);

/// What is to be committed.
#[derive(Debug)]
pub enum Item {
    /// As it will be in the log.
    Entry(Box<Bundle>),
    /// A game that was played; its entry is made by the writer.
    Game(Box<Played>),
}

impl Item {
    fn into_entry(self, shares: &mut Shares) -> Bundle {
        match self {
            Self::Entry(entry) => *entry,
            Self::Game(played) => {
                let players = [played.record.white, played.record.black];
                let evidence = played.evidence.map(|text| shares.fit(players, text));
                entry(&played.record, evidence, played.taken_from)
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

/// What became of a group.
#[derive(Debug)]
pub enum Outcome {
    /// These are on the disk, in this order.
    Committed(Vec<Committed>),
    /// These are not, and nothing that comes later will be.
    Failed(StoreError),
}

fn tell(appended: Result<(), &StoreError>, entries: usize, took: Duration) {
    match appended {
        Err(why) => error!(entries, %why, "the log cannot be written"),
        Ok(()) if took > SLOW => warn!(entries, ?took, "slow commit: the disk is busy"),
        Ok(()) => debug!(entries, ?took, "committed"),
    }
}

impl Writer {
    /// Starts the writer on `store`, where evidence has the room of `shares`; every group's outcome goes to `report`.
    ///
    /// # Errors
    /// When the machine gives no thread.
    pub fn start<T: Send + 'static>(
        mut store: Store,
        mut shares: Shares,
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
                        next = Instant::now() + PACE;
                        let more = entries.try_iter().take(LARGEST_GROUP).flatten();
                        let group: Vec<Bundle> = first
                            .into_iter()
                            .chain(more)
                            .map(|item| item.into_entry(&mut shares))
                            .collect();
                        let begun = Instant::now();
                        let appended = store.append(&group, &machine::now());
                        tell(appended.as_ref().map(drop), group.len(), begun.elapsed());
                        let committed = |(bundle, head)| Committed { bundle, head };
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

    /// Hands over an event; it is committed soon.
    pub fn append(&self, item: Item) {
        self.append_all(vec![item]);
    }

    /// Hands over events that are committed together or not at all.
    pub fn append_all(&self, items: Vec<Item>) {
        // A writer that has gone has reported why.
        let _ = self.queue.send(items);
    }

    /// Waits until everything handed over has been committed, and gives the store back.
    ///
    /// # Panics
    /// When the writer panicked.
    pub fn finish(self) -> Store {
        drop(self.queue);
        self.thread.join().expect("the writer does not panic")
    }
}
