//! Runs and PGN files read into one collection of games, and plots written.
//!
//! May not: count or rate anything.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::open_run::OpenRun;
use crate::game::gz;
use crate::game::pgn_results::{Depth, Game, read};
use crate::report::plot::Plot;
use crate::shell::files;
use crate::tournament::collected::{Collection, KEPT_UNUSABLE, TooManyNames};

/// Bytes that are read at once.
const BUFFER: usize = 1 << 18;

/// Why games cannot be collected.
#[derive(Debug, thiserror::Error)]
pub enum NotCollected {
    /// A file cannot be read.
    #[error("{} cannot be read: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    /// There are too many players.
    #[error("{}: {}", .0.display(), .1)]
    Names(PathBuf, TooManyNames),
}

/// Adds the games of a run.
///
/// # Errors
/// When there are too many players.
pub fn add_run(collection: &mut Collection, run: &OpenRun) -> Result<(), NotCollected> {
    let place = run.dir.display().to_string();
    let added = collection.add_run(&place, &run.state);
    added.map_err(|error| NotCollected::Names(run.dir.clone(), error))
}

/// Adds the games of a PGN file, which may be packed by gzip.
///
/// # Errors
/// When it cannot be read to its end; then nothing of it is added.
pub fn add_file(collection: &mut Collection, path: &Path) -> Result<(), NotCollected> {
    let unread = |error| NotCollected::File(path.to_path_buf(), error);
    let file = files::open_plain(path).map_err(unread)?;
    let source = gz::reader(BufReader::with_capacity(BUFFER, file)).map_err(unread)?;
    let (mut rows, mut unusable, mut first) = (Vec::new(), 0, Vec::new());
    let each = |game: Result<Game, _>| match game {
        Ok(game) => rows.push(game.row),
        Err(why) => {
            unusable += 1;
            if first.len() < KEPT_UNUSABLE {
                first.push(why);
            }
        }
    };
    read(source, Depth::Moves, &mut collection.names, each).map_err(unread)?;
    collection.add_file(&path.display().to_string(), &rows, unusable, first);
    Ok(())
}

/// Writes plots to a directory, which is made where it is not there: each as SVG and as PNG. Files with their names are replaced.
///
/// # Errors
/// When the disk is full or gone; the error names the file.
pub fn write_plots(directory: &Path, plots: &[Plot]) -> io::Result<()> {
    files::make_directory(directory)?;
    for plot in plots {
        files::write_whole(&directory.join(format!("{}.svg", plot.name)), &plot.svg)?;
        files::write_whole(&directory.join(format!("{}.png", plot.name)), &plot.png)?;
    }
    Ok(())
}
