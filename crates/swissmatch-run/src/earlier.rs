//! Games of earlier runs, found by their keys, so that a run need not play them again.
//!
//! Whoever keeps many runs keeps the rows of each ([`rows`]) and hands them on as an [`Index`]; a few runs are read as they lie there.
//! May not: open the log of the run that is being played.

mod keys;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};

use tracing::warn;

use super::open_run::{OpenError, parse_text};
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_host::host::earlier::{Earlier, EarlierGame};
use swissmatch_host::run_dir;
use swissmatch_host::store::Store;
use swissmatch_tournament::log::{Entry, GameFinished, TakenFrom};

use keys::RecordForKey;
pub(super) use keys::{Keys, may_be_taken};

/// Logs that stay open at once.
const MOST_OPEN: usize = 8;

/// A game that later runs may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReusableGame {
    /// Its key: whatever may change how it is played.
    pub key: String,
    /// Which game it is in its run.
    pub game: GameId,
    /// Where it was played: there, or in the run from which that took it.
    pub from: TakenFrom,
    /// SHA-256 of its record there.
    pub record: String,
}

/// Where a game is kept that may be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReuseSource {
    /// The directory of the run.
    pub dir: PathBuf,
    /// SHA-256 of its record.
    pub record: String,
    /// Where it was played.
    pub from: TakenFrom,
}

/// Who finds games by their keys.
pub trait Index: Send {
    /// All games of this key, those first that are to be taken first.
    fn find(&mut self, key: &str) -> Vec<ReuseSource>;
}

/// The games of the run in `dir` that later runs may take, in the order of the schedule.
///
/// Those are left out that nobody played, that a fault or the arbiter ended or ruled on, that had an answer in time by doubt or an
/// engine that had to be killed, that began by the schedule's clock, and those of agents that may depend on what nobody looked at.
///
/// # Errors
/// When there is no run, or it cannot be read.
pub fn rows(dir: &Path) -> Result<Vec<ReusableGame>, OpenError> {
    let log = run_dir::log(dir);
    if !log.is_file() {
        return Err(OpenError::NoRun(dir.to_path_buf()));
    }
    let store = Store::open_to_read(&log)?;
    let (mut keys, mut run) = (None::<Keys>, String::new());
    let mut rows = BTreeMap::new();
    store.each_entry(|logged| {
        let keys = match &mut keys {
            None => {
                run.clone_from(&logged.hash);
                keys = Some(Keys::begin(&logged.entry)?);
                return Ok::<(), OpenError>(());
            }
            Some(keys) => keys,
        };
        keys.apply(&logged.entry)?;
        if let Entry::GameFinished(finished) = &logged.entry {
            match row(&store, keys, &run, finished) {
                Some(row) => rows.insert(finished.id, (logged.seq, row)),
                None => rows.remove(&finished.id),
            };
        }
        Ok(())
    })?;
    let Some(keys) = keys else {
        return Err(OpenError::Empty(dir.to_path_buf()));
    };
    // What was annulled or ruled on later is nothing to rely on.
    let counts = |(seq, _): &(i64, ReusableGame), id: GameId| {
        let game = keys.state().finished_game(id);
        game.is_some_and(|game| game.ruled.is_none() && i64::from(game.finished.entry) == *seq)
    };
    let rows = rows.into_iter().filter(|(id, row)| counts(row, *id));
    Ok(rows.map(|(_, (_, row))| row).collect())
}

/// A game as a row, where it may be taken.
fn row(store: &Store, keys: &Keys, run: &str, finished: &GameFinished) -> Option<ReusableGame> {
    let record = finished.record.as_ref().filter(|_| may_be_taken(finished))?;
    let text = store.unchecked_blob(record).ok()??;
    let kept = RecordForKey::read(&text)?;
    let played_here = || TakenFrom {
        run: run.to_owned(),
        game: finished.id,
    };
    Some(ReusableGame {
        key: keys.of(finished, kept.opening)?,
        game: finished.id,
        from: finished.taken_from.clone().unwrap_or_else(played_here),
        record: record.clone(),
    })
}

/// Games of earlier runs, as a host asks for them.
pub struct EarlierRuns {
    index: Box<dyn Index>,
    /// Logs that were read from.
    open: BTreeMap<PathBuf, Store>,
}

impl fmt::Debug for EarlierRuns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EarlierRuns").finish_non_exhaustive()
    }
}

impl EarlierRuns {
    /// Those of the runs in these directories, of which the first go before the others; and a sentence for each that is left out,
    /// because it cannot be read or is the run `own`, which is about to be played.
    pub fn read(dirs: &[PathBuf], own: &Path) -> (Self, Vec<String>) {
        let (mut games, mut notes) = (HashMap::<String, Vec<ReuseSource>>::new(), Vec::new());
        for dir in dirs {
            let found = match is_same(dir, own) {
                true => Err("it is the run that is to be played".to_owned()),
                false => rows(dir).map_err(|error| error.to_string()),
            };
            match found {
                Ok(rows) => {
                    for ReusableGame { key, record, from, .. } in rows {
                        let dir = dir.clone();
                        games.entry(key).or_default().push(ReuseSource { dir, record, from });
                    }
                }
                Err(why) => notes.push(format!("no games are taken from {}: {why}", dir.display())),
            }
        }
        (Self::by(Box::new(SourcesByKey(games))), notes)
    }

    /// Those that an index finds. None of them may be kept in the run that is being played.
    pub fn by(index: Box<dyn Index>) -> Self {
        Self {
            index,
            open: BTreeMap::new(),
        }
    }

    /// Reads a record, and compares it with its hash.
    fn record(&mut self, place: &ReuseSource) -> Result<GameRecord, String> {
        if !self.open.contains_key(&place.dir) {
            if self.open.len() >= MOST_OPEN {
                self.open.clear();
            }
            let store = Store::open_to_read(&run_dir::log(&place.dir)).map_err(|error| error.to_string())?;
            self.open.insert(place.dir.clone(), store);
        }
        let text = self.open[&place.dir]
            .blob(&place.record)
            .map_err(|error| error.to_string())?;
        parse_text(&text.ok_or("its record is missing or was changed")?)
    }
}

impl Earlier for EarlierRuns {
    fn find(&mut self, key: &str, taken: &BTreeSet<TakenFrom>) -> Option<EarlierGame> {
        let places = self.index.find(key).into_iter();
        let mut left = places.filter(|place| !taken.contains(&place.from));
        left.find_map(|place| match self.record(&place) {
            Ok(record) => Some(EarlierGame {
                from: place.from,
                record,
            }),
            Err(why) => {
                warn!(from = %place.from, dir = %place.dir.display(), why, "an earlier game cannot be taken");
                None
            }
        })
    }
}

/// What was read of runs.
struct SourcesByKey(HashMap<String, Vec<ReuseSource>>);

impl Index for SourcesByKey {
    fn find(&mut self, key: &str) -> Vec<ReuseSource> {
        self.0.get(key).cloned().unwrap_or_default()
    }
}

/// Whether two paths lead to one directory.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
