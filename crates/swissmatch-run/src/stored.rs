//! The log of a run that is to go on, folded while it is read: a match may have a million games, whose entries need not be in memory.
//!
//! May not: change anything.

use std::path::Path;

use swissmatch_game::record::GameId;
use swissmatch_host::directory::{self, END};
use swissmatch_host::run_dir;
use swissmatch_host::store::{LoggedEntry, Store, StoreError};
use swissmatch_tournament::log::{Entry, TakenFrom};
use swissmatch_tournament::state::State;
use swissmatch_tournament::waiting::Ends;

use super::error::RunError;

/// A log that has entries.
#[derive(Debug)]
pub(super) struct StoredLog {
    /// What follows from it.
    pub(super) state: State,
    /// When what is in it ended.
    pub(super) ends: Ends,
    /// Its entries, but for those of games that ended.
    pub(super) others: Vec<LoggedEntry>,
    /// Its last entry.
    pub(super) last: LoggedEntry,
    /// How many games ended in it, those too that were played again.
    pub(super) games: usize,
    /// Which of them were taken from earlier runs, and from where.
    pub(super) taken: Vec<(GameId, TakenFrom)>,
}

impl StoredLog {
    /// Reads a log; `None` where it has no entry.
    ///
    /// # Errors
    /// When it cannot be read, or its entries cannot have happened one after the other.
    pub(super) fn read(store: &Store) -> Result<Option<Self>, RunError> {
        let mut stored: Option<Self> = None;
        store.each_entry(|logged| match &mut stored {
            None => {
                stored = Some(Self {
                    state: State::fold([&logged.entry])?,
                    ends: Ends::default(),
                    others: vec![logged.clone()],
                    last: logged,
                    games: 0,
                    taken: Vec::new(),
                });
                Ok::<(), RunError>(())
            }
            Some(stored) => stored.add(logged),
        })?;
        if let Some(stored) = &stored {
            let files = stored.state.created().agents.iter().flat_map(|agent| &agent.files);
            for directory in files.filter(|file| file.path.ends_with(END)) {
                // Without it what differs is not named.
                let manifest = store.blob(&directory.sha256).map_err(RunError::Log)?;
                manifest.iter().for_each(|text| directory::remember(text));
            }
        }
        Ok(stored)
    }

    fn add(&mut self, logged: LoggedEntry) -> Result<(), RunError> {
        match logged.at.parse() {
            Ok(at) => self.ends.apply(&mut self.state, &logged.entry, at)?,
            Err(_) => self.state.apply(&logged.entry)?,
        }
        match logged.entry {
            Entry::GameFinished(ref finished) => {
                self.games += 1;
                let from = finished.taken_from.iter();
                self.taken.extend(from.map(|from| (finished.id, from.clone())));
            }
            _ => self.others.push(logged.clone()),
        }
        self.last = logged;
        Ok(())
    }

    /// Its first entry.
    pub(super) fn first(&self) -> &LoggedEntry {
        &self.others[0]
    }

    /// Whether there is nothing but that the run was created.
    pub(super) fn is_scant(&self) -> bool {
        self.last.seq == 1
    }

    /// Whether the log in `dir` still ends where it was read to.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn is_all_of(&self, dir: &Path) -> Result<bool, StoreError> {
        let store = Store::open_to_read(&run_dir::log(dir))?;
        Ok(store.end()? == self.last.head())
    }
}
