//! Runs and PGN files read into one collection of games, and plots written.
//!
//! Games of a file that are games of a run given with it count once, as the run's: their players, their place in the schedule and their
//! moves are the same. So do games that one run took from another. May not: count or rate anything.

mod once;
mod openings;
mod same;

use std::collections::BTreeSet;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use self::once::Once;
use self::openings::OpeningsOfRun;
use self::same::Same;
use super::open_run::OpenRun;
use swissmatch_game::gz;
use swissmatch_game::pgn_results::{
    Depth, GameRow, Names, Openings, UnusableGameError, UsableGame, read, read_with_openings,
};
use swissmatch_host::files;
use swissmatch_report::plot::Plot;
use swissmatch_tournament::collected::{BreakdownOptions, Collection, Detail, KEPT_UNUSABLE, NameLimitError};

/// Bytes that are read at once.
const BUFFER: usize = 1 << 18;

/// Why games cannot be collected.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// A file cannot be read.
    #[error("{} cannot be read: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    /// A run's games cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Run(PathBuf, String),
    /// There are too many players.
    #[error("{}: {}", .0.display(), .1)]
    Names(PathBuf, NameLimitError),
}

/// Games that are being collected: first all files are read, then runs are added.
#[derive(Debug, Default)]
pub struct Collecting {
    collection: Collection,
    by: BreakdownOptions,
    files: Vec<ReadFile>,
    /// The games of files by what a run's game is found by; made for the first run.
    same: Option<Same>,
    /// Which games of runs were counted.
    once: Once,
}

/// What was read of a file.
#[derive(Debug)]
struct ReadFile {
    path: PathBuf,
    rows: Vec<GameRow>,
    /// The number of each game's opening, where games are counted by it.
    openings: Vec<u64>,
    unusable: u64,
    first: Vec<UnusableGameError>,
}

impl Collecting {
    /// Nothing yet; games are counted by this, too.
    pub fn new(by: BreakdownOptions) -> Self {
        Self {
            collection: Collection::with(by),
            by,
            ..Self::default()
        }
    }

    /// Reads a PGN file, which may be packed by gzip.
    ///
    /// # Errors
    /// When it cannot be read to its end; then nothing of it is added.
    pub fn read_file(&mut self, path: &Path) -> Result<(), CollectError> {
        let unread = |error| CollectError::File(path.to_path_buf(), error);
        let file = files::open_plain(path).map_err(unread)?;
        let source = gz::reader(BufReader::with_capacity(BUFFER, file)).map_err(unread)?;
        let mut of_file = ReadFile {
            path: path.to_path_buf(),
            rows: Vec::new(),
            openings: Vec::new(),
            unusable: 0,
            first: Vec::new(),
        };
        let by_opening = self.by.opening;
        let each = |game: Result<UsableGame, _>| match game {
            Ok(game) => {
                of_file.rows.push(game.row);
                if by_opening {
                    of_file.openings.push(game.opening);
                }
            }
            Err(why) => {
                of_file.unusable += 1;
                if of_file.first.len() < KEPT_UNUSABLE {
                    of_file.first.push(why);
                }
            }
        };
        let Collection { names, openings, .. } = &mut self.collection;
        let read = match by_opening {
            true => read_with_openings(source, Depth::Moves, names, openings, each),
            false => read(source, Depth::Moves, names, each),
        };
        read.map_err(unread)?;
        self.files.push(of_file);
        Ok(())
    }

    /// Adds the games of a run. Files are read before.
    ///
    /// # Errors
    /// When there are too many players, or a record that is needed is missing or damaged.
    pub fn add_run(&mut self, run: &OpenRun) -> Result<(), CollectError> {
        let unread = |why| CollectError::Run(run.dir.clone(), why);
        if !self.files.is_empty() {
            let rows: Vec<&[GameRow]> = self.files.iter().map(|file| file.rows.as_slice()).collect();
            let same = self.same.get_or_insert_with(|| Same::new(&rows));
            same.note(run, &rows, &self.collection.names).map_err(unread)?;
        }
        let mut openings = OpeningsOfRun::new(run);
        let mut broken = None;
        let wants = self.by.opening || self.by.length;
        let detail = |game: &_, noted: &mut Openings| {
            let detail = match wants {
                true => openings.of(game, noted),
                false => Ok(Detail::default()),
            };
            detail.unwrap_or_else(|why| {
                broken.get_or_insert(why);
                Detail::default()
            })
        };
        let place = run.dir.display().to_string();
        let before = self.once.counted_before(run).map_err(unread)?;
        let added = self.collection.add_run(&place, &run.state, &before, detail);
        added.map_err(|error| CollectError::Names(run.dir.clone(), error))?;
        broken.map_or(Ok(()), |why| Err(unread(why)))
    }

    /// All games.
    pub fn finish(self) -> Collection {
        let mut collection = self.collection;
        let of_runs = self.same.map(Same::of_runs).unwrap_or_default();
        for (number, mut file) in self.files.into_iter().enumerate() {
            if let Some(of_runs) = of_runs.get(number).filter(|of_runs| !of_runs.is_empty()) {
                file.rows = without(&file.rows, of_runs);
                file.openings = without(&file.openings, of_runs);
                collection.leave_out_of_runs(of_runs.len() as u64);
            }
            let place = file.path.display().to_string();
            collection.add_file(&place, &file.rows, &file.openings, file.unusable, file.first);
        }
        collection
    }
}

/// Writes plots to a directory, which is made where it is not there. Files with their names are replaced.
///
/// # Errors
/// When the disk is full or gone; the error names the file.
pub fn write_plots(directory: &Path, plots: &[Plot]) -> io::Result<()> {
    files::make_directory(directory)?;
    for plot in plots {
        files::write_whole(&directory.join(format!("{}.svg", plot.name)), &plot.svg)?;
    }
    Ok(())
}

/// All of these but those with such numbers.
fn without<T: Copy>(all: &[T], numbers: &BTreeSet<u32>) -> Vec<T> {
    let others = (0..).zip(all).filter(|(number, _)| !numbers.contains(number));
    others.map(|(_, one)| *one).collect()
}

/// The only game of a text, as a file with it would be read.
fn only_game(text: &str, depth: Depth, openings: &mut Openings) -> Result<UsableGame, String> {
    let mut found = None;
    let mut names = Names::default();
    let each = |game: Result<UsableGame, UnusableGameError>| found = Some(game);
    read_with_openings(text.as_bytes(), depth, &mut names, openings, each).map_err(|error| error.to_string())?;
    match found {
        Some(Ok(game)) => Ok(game),
        Some(Err(why)) => Err(why.to_string()),
        None => Err("there is no game in its PGN".to_owned()),
    }
}
