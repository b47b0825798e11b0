//! `run.log`: the runner's own work, line by line, in the run's directory. Nothing rests on it: what cannot be written
//! is lost, and play goes on. `verify` ignores it, because it says what a runner did, not what follows from the log.
//!
//! Bounded: when it is full it is kept as `run.log.1`, replacing an older one, and begun anew.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::files;

/// The file, and the one before it.
pub const RUN_LOG: [&str; 2] = ["run.log", "run.log.1"];

/// The most bytes of each.
const LARGEST: u64 = 10 * 1024 * 1024;

/// One for this process, like its subscriber.
static IS_SILENT_ON_PLAYERS: AtomicBool = AtomicBool::new(false);

/// Sets whether the file leaves out lines that name a player or a game: an embargo also holds for it.
pub fn be_silent_on_players(is_silent: bool) {
    IS_SILENT_ON_PLAYERS.store(is_silent, Ordering::Relaxed);
}

/// True if the file leaves out such lines.
pub fn is_silent_on_players() -> bool {
    IS_SILENT_ON_PLAYERS.load(Ordering::Relaxed)
}

#[derive(Debug)]
pub struct RunLog {
    paths: [PathBuf; 2],
    file: File,
    length: u64,
    largest: u64,
    /// The last line may lack its end.
    is_torn: bool,
}

impl RunLog {
    /// Opens the file in a run's directory to go on with it, or begins it.
    ///
    /// # Errors
    /// It cannot be written, or is not a plain file.
    pub fn open(dir: &Path) -> io::Result<Self> {
        Self::bounded(dir, LARGEST)
    }

    fn bounded(dir: &Path, largest: u64) -> io::Result<Self> {
        let paths = RUN_LOG.map(|name| dir.join(name));
        let file = files::open_to_append(&paths[0])?;
        Ok(Self {
            length: file.metadata()?.len(),
            paths,
            file,
            largest,
            is_torn: false,
        })
    }

    /// Adds a line, given with its end.
    ///
    /// # Errors
    /// The disk is full or gone; the next line may fit again.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        if self.length > 0 && self.length + line.len() as u64 > self.largest {
            files::rename(&self.paths[0], &self.paths[1])?;
            self.file = files::open_to_append(&self.paths[0])?;
            (self.length, self.is_torn) = (0, false);
        }
        if self.is_torn {
            self.write("\n")?;
        }
        self.is_torn = true;
        self.write(line)?;
        self.is_torn = false;
        Ok(())
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let written = self.file.write_all(text.as_bytes());
        // The remains of a failed write count, too.
        self.length = self.file.metadata().map_or(self.length, |there| there.len());
        written.map_err(|error| files::about(&self.paths[0], &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(dir: &Path, name: &str) -> String {
        std::fs::read_to_string(dir.join(name)).expect("it is there")
    }

    #[test]
    fn it_is_bounded_and_gone_on_with() {
        let place = tempfile::tempdir().expect("a directory");
        let [new, old] = RUN_LOG;
        let open = || RunLog::bounded(place.path(), 20).expect("it opens");
        open().line("line one\n").expect("it is written");
        let mut log = open();
        log.line("line two\n").expect("it is written");
        assert_eq!(read(place.path(), new), "line one\nline two\n");
        log.line("line three\n").expect("it is written");
        assert_eq!(read(place.path(), old), "line one\nline two\n");
        assert_eq!(read(place.path(), new), "line three\n");
        for number in 0..100 {
            log.line(&format!("line {number}\n")).expect("it is written");
        }
        log.line("one that is longer than all\n").expect("it is written");
        assert_eq!(read(place.path(), new), "one that is longer than all\n");
        assert_eq!(read(place.path(), old), "line 99\n");
        assert_eq!(std::fs::read_dir(place.path()).expect("the directory").count(), 2);
    }

    #[test]
    fn what_is_no_plain_file_is_refused() {
        let place = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(place.path().join(RUN_LOG[0])).expect("a directory");
        let refused = RunLog::open(place.path()).expect_err("it is a directory");
        assert!(
            refused.to_string().contains("run.log: it is not a plain file"),
            "{refused}"
        );
    }

    #[test]
    fn without_a_place_for_the_old_one_lines_are_lost_and_later_ones_are_not() {
        let place = tempfile::tempdir().expect("a directory");
        let mut log = RunLog::bounded(place.path(), 10).expect("it opens");
        log.line("line one\n").expect("it is written");
        std::fs::create_dir(place.path().join(RUN_LOG[1])).expect("a directory");
        log.line("line two\n").expect_err("there is a directory");
        std::fs::remove_dir(place.path().join(RUN_LOG[1])).expect("it goes");
        log.line("line three\n").expect("it is written");
        assert_eq!(read(place.path(), RUN_LOG[0]), "line three\n");
    }
}
