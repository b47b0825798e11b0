//! A file of games that the words of a match ask for: it grows as game pairs end, and is written as a whole when play is over.
//!
//! May not: know what a game looks like there; that is `run::game_file`.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use flate2::Crc;

use swissmatch_config::match_words::PgnFile;
use swissmatch_host::files;
use swissmatch_report::pgn::Comments;
use swissmatch_run::game_file::{self, GameFile, GrowingGameFile};
use swissmatch_run::open_run::OpenRun;
use swissmatch_tournament::state::State;

use super::exit::Failure;
use super::output::print;
use super::screen;

/// The file.
pub(super) struct PgnOut {
    path: PathBuf,
    games: GameFile,
    /// The directory of the run.
    run: PathBuf,
    /// What is there and stays.
    before: Vec<u8>,
    /// The file while the run is played; `None` before, and once it could not be written, which has been said.
    growing: Option<(GrowingGameFile, File)>,
}

impl PgnOut {
    /// `goes_on`: the run's games may be in the file already.
    ///
    /// # Errors
    /// When the file cannot be read, or it cannot be told what was in it before.
    pub(super) fn new(asked: &PgnFile, name: &str, run: &Path, goes_on: bool) -> Result<Self, Failure> {
        let path = asked.path.clone().unwrap_or_else(|| format!("{name}.pgn"));
        let path = PathBuf::from(path);
        let comments = if asked.is_min {
            Comments::Minimal
        } else {
            Comments::Full
        };
        let games = GameFile::new(comments, &asked.lines).map_err(Failure::usage)?;
        let mut before = match std::fs::read(&path) {
            Ok(there) if asked.append => there,
            Ok(_) => Vec::new(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Failure::machine(anyhow!("-pgnout {}: {error}", path.display()))),
        };
        if goes_on && run.exists() && !before.is_empty() {
            let run = OpenRun::open(Some(run)).map_err(Failure::machine)?;
            let written = games.text(&run).map_err(Failure::machine)?;
            let length = game_file::before(&before, written.as_bytes()).map_err(|why| {
                let path = path.display();
                Failure::usage(anyhow!(
                    "-pgnout {path}: {why}; move the file away, or write append=false to replace it"
                ))
            })?;
            before.truncate(length);
        }
        Ok(Self {
            path,
            games,
            run: run.to_path_buf(),
            before,
            growing: None,
        })
    }

    /// The run begins or goes on: the games that it has are written, and from now on those that end.
    pub(super) fn begin(&mut self, state: &State) {
        let is_plain = std::fs::metadata(&self.path).map_or(true, |there| there.is_file());
        if !is_plain {
            return;
        }
        match self.begun(state) {
            Ok(growing) => self.growing = Some(growing),
            Err(error) => self.warn(&error),
        }
    }

    fn begun(&self, state: &State) -> io::Result<(GrowingGameFile, File)> {
        let mut growing = GrowingGameFile::new(self.games.clone(), &self.run).map_err(io::Error::other)?;
        let text = growing.since(state)?;
        files::write_out(&self.path, [&self.before, text.as_bytes()].concat())?;
        Ok((growing, files::open_to_append(&self.path)?))
    }

    /// Something has happened: pairs that have ended since are added.
    pub(super) fn grow(&mut self, state: &State) {
        let Some((growing, file)) = &mut self.growing else {
            return;
        };
        let added = growing.since(state).and_then(|text| file.write_all(text.as_bytes()));
        if let Err(error) = added {
            self.growing = None;
            self.warn(&error);
        }
    }

    fn warn(&self, error: &io::Error) {
        screen::say(&format!(
            "warning: -pgnout: {}; the games are written when play is over",
            files::about(&self.path, error)
        ));
    }

    /// Writes the games that have ended, in schedule order, behind what was there.
    ///
    /// # Errors
    /// When the run cannot be read or the file cannot be written.
    pub(super) fn write(mut self, has_crc32: bool) -> Result<(), Failure> {
        let run = OpenRun::open(Some(&self.run)).map_err(Failure::machine)?;
        let text = self.games.text(&run).map_err(Failure::machine)?;
        self.before.extend_from_slice(text.as_bytes());
        let crc32 = has_crc32.then(|| {
            let mut crc = Crc::new();
            crc.update(&self.before);
            crc.sum()
        });
        files::write_out(&self.path, self.before).map_err(Failure::machine)?;
        if let Some(crc32) = crc32 {
            let path = self.path.display();
            print(&format!("File {path} has CRC32: {crc32:#x}\n"));
        }
        Ok(())
    }
}
