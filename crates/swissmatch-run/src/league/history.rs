//! The history of a league as a file: a SQLite database, or lines of JSON of which git can show the differences.
//!
//! A night is added once, whole or not at all. May not: change a night that is there.

mod database;
mod lines;

use std::path::{Path, PathBuf};

use swissmatch_report::nights::{History, Night};

/// A file of a history.
#[derive(Clone, Debug)]
pub struct HistoryFile {
    path: PathBuf,
    /// Whether it has a line of JSON for each night.
    has_lines: bool,
}

/// Why a history cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// What is there is something else.
    #[error("{}: {why}; move it away, or name another file with league.history", path.display())]
    Foreign {
        /// Where.
        path: PathBuf,
        /// What it is.
        why: String,
    },
    /// A night cannot be understood.
    #[error("{}: {night} cannot be read: {why}", path.display())]
    Broken {
        /// Where.
        path: PathBuf,
        /// Which night: its line, or its run.
        night: String,
        /// Why.
        why: String,
    },
    /// SQLite says no.
    #[error("{}: {}", .0.display(), .1)]
    Sqlite(PathBuf, rusqlite::Error),
    /// The file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, std::io::Error),
}

impl HistoryFile {
    /// That at `path`; by its name it `has_lines`.
    pub const fn new(path: PathBuf, has_lines: bool) -> Self {
        Self { path, has_lines }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All nights; none where there is no file yet.
    ///
    /// # Errors
    /// When it is something else, or is damaged.
    pub fn read(&self) -> Result<History, HistoryError> {
        let nights = match self.path.exists() {
            false => Vec::new(),
            true if self.has_lines => lines::read(&self.path)?,
            true => database::read(&self.path)?,
        };
        let mut history = History::default();
        for night in nights {
            history.add(night);
        }
        Ok(history)
    }

    /// Adds a night. One whose run is there stays as it is.
    ///
    /// # Errors
    /// When it cannot be written; the history is as it was.
    pub fn add(&self, night: &Night) -> Result<(), HistoryError> {
        match self.has_lines {
            true => lines::add(&self.path, night),
            false => database::add(&self.path, night),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_report::nights::{NightBuild, NightEnd, NightGame, VERSION};
    use swissmatch_tournament::log::TakenFrom;
    use swissmatch_tournament::noise::Noise;

    fn night(run: &str, began: &str) -> Night {
        let build = |name: &str| NightBuild {
            version: "1a2b3c4d".to_owned(),
            ..NightBuild::new(name, format!("hash of {name}"))
        };
        let game = |game: &str, white, black, from| NightGame {
            id: game.parse().expect("a game"),
            white,
            black,
            result: swissmatch_game::termination::Outcome::Draw,
            key: Some(format!("key {game}")),
            fault: false,
            from,
        };
        let from = TakenFrom {
            run: "another".to_owned(),
            game: "1.1.2".parse().expect("a game"),
        };
        Night {
            version: VERSION,
            run: run.to_owned(),
            name: began[..10].to_owned(),
            dir: format!("{}-{run}", &began[..10]),
            began: began.parse().expect("a time"),
            machine: "a machine".to_owned(),
            ended: NightEnd::Complete,
            noise: Noise::default(),
            by_time: true,
            conditions: "10+0.1".to_owned(),
            builds: vec![build("A"), build("\u{2028}B")],
            broken: Vec::new(),
            changes: Vec::new(),
            pairs: Vec::new(),
            games: vec![game("1.1.1", 0, 1, None), game("1.1.2", 1, 0, Some(from))],
        }
    }

    /// Both kinds of files give back what they were given, each night once, in the order of the nights.
    #[test]
    fn nights_are_read_as_they_were_written() {
        for (name, has_lines) in [("history.sqlite", false), ("history.jsonl", true)] {
            let place = tempfile::tempdir().expect("a directory");
            let file = HistoryFile::new(place.path().join(name), has_lines);
            assert_eq!(file.read().expect("nothing yet"), History::default());
            let [late, early] = [
                night("late", "2026-11-26T02:00:00Z"),
                night("early", "2026-11-25T02:00:00Z"),
            ];
            for night in [&late, &early, &late] {
                file.add(night).expect("it is added");
            }
            assert_eq!(file.read().expect("two nights").nights, [early, late], "{name}");
        }
    }

    /// Whoever hands in a history may have put a question without an end in the place of a table.
    #[test]
    fn a_view_in_the_place_of_a_table_is_not_asked() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("history.sqlite");
        let file = HistoryFile::new(path.clone(), false);
        file.add(&night("x", "2026-11-26T02:00:00Z")).expect("it is added");
        let endless = "ALTER TABLE nights RENAME TO other;
             CREATE VIEW nights AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
             SELECT 'x' AS run, '' AS night, i AS began FROM n;";
        let database = rusqlite::Connection::open(&path).expect("it opens");
        database.execute_batch(endless).expect("it is changed");
        let refused = file.read().expect_err("it is a view");
        assert!(matches!(refused, HistoryError::Sqlite(..)), "{refused}");
        file.add(&night("y", "2026-11-26T02:00:00Z")).expect_err("it is a view");
    }

    #[test]
    fn what_is_no_history_is_left_alone() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("history");
        for (text, has_lines, why) in [
            ("a text", false, "it is no history of a league"),
            ("{\"version\":1}\n", true, "line 1"),
            ("{\"version\":9,\"run\":\"x\"}\n", true, "a later version"),
        ] {
            std::fs::write(&path, text).expect("it is written");
            let file = HistoryFile::new(path.clone(), has_lines);
            let error = file.read().expect_err("it is none").to_string();
            assert!(error.contains(why), "{error}");
            assert!(file.add(&night("x", "2026-11-26T02:00:00Z")).is_err());
            assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text);
        }
    }
}
