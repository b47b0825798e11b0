//! A run that is followed: its log, read as it grows, while it is played by whoever plays it or long after.
//!
//! The log is opened for each look and closed again, as a runner that ends puts it together only where nobody has it open. May not:
//! change anything; know who looks on.

mod now;

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use swissmatch_host::run_dir::{self, LogStamp};
use swissmatch_host::store::{Head, LoggedEntry, Store, StoreError};
use swissmatch_report::page::EventCourse;
use swissmatch_tournament::director::{self, Coming};
use swissmatch_tournament::log::Entry;
use swissmatch_tournament::state::State;
use swissmatch_tournament::waiting::Ends;

use super::known::OfGames;
use super::open_run::OpenError;

pub use now::{Doing, Now};

/// A run as far as it is to be seen: what happened longer ago than `publish.delay`.
#[derive(Debug)]
pub struct Follow {
    dir: PathBuf,
    state: State,
    ends: Ends,
    /// What comes next, since it was asked for.
    coming: OnceCell<Coming>,
    course: EventCourse,
    of_games: OfGames,
    /// The first entry, by which a run is known.
    first: Head,
    /// Where the log ended with the last entry that is seen.
    seen: Head,
    /// Where it ended when it was read last.
    read: Head,
    /// Entries that are not to be seen yet.
    waiting: VecDeque<LoggedEntry>,
    /// The log's files before they were read last.
    stamp: LogStamp,
}

/// What a look has brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// Nothing.
    Same,
    /// These entries, in their order.
    Grown(Vec<Entry>),
    /// Another run is there, which was begun anew: everything may be otherwise.
    Anew,
}

impl Follow {
    /// The run in this directory, as it is to be seen at `now`. Its first entry is always seen.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open(dir: &Path, now: Timestamp) -> Result<Self, OpenError> {
        let log = run_dir::log(dir);
        if !log.is_file() {
            return Err(OpenError::NoRun(dir.to_path_buf()));
        }
        let stamp = LogStamp::of(dir);
        let mut waiting = read_after(dir, &Head::default())?;
        let Some(created) = waiting.pop_front() else {
            return Err(OpenError::Empty(dir.to_path_buf()));
        };
        let (first, read) = (created.head(), waiting.back().unwrap_or(&created).head());
        let mut follow = Self {
            dir: dir.to_path_buf(),
            state: State::fold([&created.entry])?,
            ends: Ends::default(),
            coming: OnceCell::new(),
            course: EventCourse::default(),
            of_games: OfGames::default(),
            seen: first.clone(),
            first,
            read,
            waiting,
            stamp,
        };
        follow.come_to(now)?;
        Ok(follow)
    }

    /// Reads on, and comes to what is to be seen at `now`.
    ///
    /// # Errors
    /// When the log has gone or cannot be read; the run stays as it was, and the next look tries again.
    pub fn look(&mut self, now: Timestamp) -> Result<Look, OpenError> {
        let stamp = LogStamp::of(&self.dir);
        if stamp != self.stamp || stamp.is_fresh(now.as_second()) {
            match read_after(&self.dir, &self.read) {
                Ok(more) => {
                    // A log that was replaced by a shorter one has nothing after the place.
                    if more.is_empty() && !self.is_still_there()? {
                        return self.anew(now);
                    }
                    self.read = more.back().map_or_else(|| self.read.clone(), LoggedEntry::head);
                    self.waiting.extend(more);
                }
                Err(OpenError::Store(StoreError::Chain { .. })) if !self.is_still_there()? => return self.anew(now),
                Err(error) => return Err(error),
            }
            self.stamp = stamp;
        }
        let entries = self.come_to(now)?;
        Ok(match entries.is_empty() {
            true => Look::Same,
            false => Look::Grown(entries),
        })
    }

    /// The event as far as it is to be seen; an embargo is not looked at.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// What comes next, which may take a while to find.
    fn coming(&self) -> &Coming {
        self.coming.get_or_init(|| director::coming(&self.state))
    }

    /// How much later than it happens it is to be seen: as whoever took the run up last has it, though that itself is not to be seen
    /// yet.
    pub fn delay(&self) -> Duration {
        let resumed = self.waiting.iter().rev().find_map(|logged| match &logged.entry {
            Entry::Resumed(resumed) => Some(&resumed.setup),
            _ => None,
        });
        resumed.unwrap_or_else(|| self.state.setup()).publish.delay
    }

    /// What the log alone knows of what is seen.
    pub const fn course(&self) -> &EventCourse {
        &self.course
    }

    /// What it says of games.
    pub(super) const fn of_games(&self) -> &OfGames {
        &self.of_games
    }

    /// Where the log ended with the last entry that is seen.
    pub const fn seen(&self) -> &Head {
        &self.seen
    }

    /// Its directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether a runner is at work on it.
    pub fn is_played(&self) -> bool {
        run_dir::is_taken(&self.dir)
    }

    /// Whether there is more than is to be seen yet.
    pub fn is_behind(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// All entries that are seen, read again: for what is told of the whole log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn entries(&self) -> Result<Vec<LoggedEntry>, OpenError> {
        let mut entries = read_after(&self.dir, &Head::default())?;
        entries.truncate(usize::try_from(self.seen.entry).unwrap_or(usize::MAX));
        Ok(entries.into())
    }

    fn come_to(&mut self, now: Timestamp) -> Result<Vec<Entry>, OpenError> {
        let delay = self.delay();
        let mut seen = Vec::new();
        while let Some(next) = self.waiting.front() {
            let at = next.at.parse::<Timestamp>().ok();
            if !delay.is_zero() && at.is_some_and(|at| at.checked_add(delay).is_ok_and(|due| due > now)) {
                break;
            }
            self.course.take(&self.state, &next.at, &next.entry);
            self.of_games.take(&self.state, next);
            self.ends.apply(&mut self.state, &next.entry, at.unwrap_or(now))?;
            self.coming.take();
            self.seen = next.head();
            seen.extend(self.waiting.pop_front().map(|logged| logged.entry));
        }
        Ok(seen)
    }

    /// Whether the log is the one that was read, and not shorter.
    fn is_still_there(&self) -> Result<bool, OpenError> {
        let store = Store::open_to_read(&run_dir::log(&self.dir))?;
        Ok(store.first()?.as_ref() == Some(&self.first) && store.end()?.entry >= self.read.entry)
    }

    fn anew(&mut self, now: Timestamp) -> Result<Look, OpenError> {
        *self = Self::open(&self.dir, now)?;
        Ok(Look::Anew)
    }
}

fn read_after(dir: &Path, last: &Head) -> Result<VecDeque<LoggedEntry>, OpenError> {
    let mut entries = VecDeque::new();
    Store::open_to_read(&run_dir::log(dir))?.each_entry_after(last, |logged| {
        entries.push_back(logged);
        Ok::<(), StoreError>(())
    })?;
    Ok(entries)
}

#[cfg(test)]
mod tests;
