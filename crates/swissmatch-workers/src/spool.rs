//! Results of games at a worker, kept until the runner's log has them.
//!
//! May not: know what carries it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use swissmatch_game::record::GameId;
use swissmatch_host::files;

use crate::wire::ResultMessage;

/// More bytes than a result has.
const MOST_BYTES: u64 = 256 << 20;

/// Results in a directory, one file each.
#[derive(Debug)]
pub(crate) struct Spool {
    directory: PathBuf,
    kept: BTreeMap<(GameId, u32), PathBuf>,
}

impl Spool {
    /// Opens the spool in a directory, which is created if needed. Other files there are not touched.
    ///
    /// # Errors
    /// It cannot be created or read.
    pub(crate) fn open(directory: &Path) -> io::Result<Self> {
        files::make_directory(directory)?;
        let mut kept = BTreeMap::new();
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if let Some(game) = game_of(&path) {
                kept.insert(game, path);
            }
        }
        let directory = directory.to_path_buf();
        Ok(Self { directory, kept })
    }

    /// Stores a result.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn keep(&mut self, result: &ResultMessage) -> io::Result<()> {
        let path = self.directory.join(format!("{}-{}.json", result.game, result.issue));
        files::write_whole(&path, serde_json::to_vec(result)?)?;
        self.kept.insert((result.game, result.issue), path);
        Ok(())
    }

    /// The games with a stored result.
    pub(crate) fn games(&self) -> Vec<(GameId, u32)> {
        self.kept.keys().copied().collect()
    }

    /// A stored result; `None` if there is none, or it is not readable.
    pub(crate) fn result(&self, game: (GameId, u32)) -> Option<ResultMessage> {
        let path = self.kept.get(&game)?;
        let text = files::read_at_most(files::open_plain(path).ok()?, MOST_BYTES).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Drops a result that is no longer needed.
    ///
    /// # Errors
    /// Its file cannot be removed.
    pub(crate) fn drop(&mut self, game: (GameId, u32)) -> io::Result<()> {
        match self.kept.remove(&game) {
            Some(path) => files::remove(&path),
            None => Ok(()),
        }
    }
}

fn game_of(path: &Path) -> Option<(GameId, u32)> {
    let (game, issue) = path.file_name()?.to_str()?.strip_suffix(".json")?.rsplit_once('-')?;
    Some((game.parse().ok()?, issue.parse().ok()?))
}
