//! The files of all games, which grow game by game in schedule order: a game stands in them when it and all before it have ended.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::contents::{GAMES, GAMES_TABLE, render_games};
use super::signed::Content;
use crate::report::games;
use crate::report::pgn::Comments;
use crate::shell::files::{self, Draft, about};
use crate::shell::store::Store;
use crate::tournament::state::{Game, State};

/// The files as far as they are written.
#[derive(Debug)]
pub(super) struct Games {
    pgn: Growing,
    table: Growing,
    cursor: Cursor,
}

/// A file that is added to.
#[derive(Debug)]
struct Growing {
    path: PathBuf,
    file: File,
    length: u64,
    /// Of all that was written to it.
    hash: Sha256,
}

/// Where in the schedule the files end: so many rounds and play-off rounds, of the next so many boards, and of the one after these
/// so many games.
#[derive(Debug, Default)]
struct Cursor {
    sittings: usize,
    boards: usize,
    games: usize,
    /// Games before it.
    written: usize,
}

impl Cursor {
    /// The games that follow, up to the first that has not ended, and at most [`PART`] of them; it stands behind them then.
    fn advance(&mut self, state: &State) -> Vec<Game> {
        let mut found = Vec::new();
        for sitting in state.sittings().skip(self.sittings) {
            for board in sitting.mini_matches.iter().skip(self.boards) {
                for slot in board.games.iter().skip(self.games) {
                    let Some(game) = slot.filter(|_| found.len() < PART) else {
                        return found;
                    };
                    found.push(game);
                    self.games += 1;
                    self.written += 1;
                }
                (self.boards, self.games) = (self.boards + 1, 0);
            }
            (self.sittings, self.boards) = (self.sittings + 1, 0);
        }
        found
    }

    /// The same, part by part until nothing follows.
    fn parts(&mut self, state: &State) -> impl Iterator<Item = Vec<Game>> {
        std::iter::from_fn(|| Some(self.advance(state)).filter(|games| !games.is_empty()))
    }
}

/// What is needed to write games.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) state: &'a State,
    pub(super) created_at: &'a str,
    pub(super) store: &'a Store,
}

impl Source<'_> {
    fn pgn(self, games: &[Game]) -> io::Result<String> {
        render_games(self.state, games, self.created_at, self.store, Comments::Full)
    }

    fn table(self, games: &[Game]) -> String {
        games::table(self.state, games).csv()
    }

    /// Lines of the table without its header.
    fn lines(self, games: &[Game]) -> String {
        let table = self.table(games);
        let (_, lines) = table.split_once('\n').unwrap_or_default();
        lines.to_owned()
    }
}

impl Games {
    /// Writes both files from their beginning. What was there stays until they are whole.
    pub(super) fn anew(dir: &Path, source: Source<'_>) -> io::Result<Self> {
        let [pgn_path, table_path] = [GAMES, GAMES_TABLE].map(|name| dir.join(name));
        let mut cursor = Cursor::default();
        let (mut pgn, mut table) = (Part::at(pgn_path)?, Part::at(table_path)?);
        table.write(&source.table(&[]))?;
        // A part at a time, so that never all games are in memory.
        for games in cursor.parts(source.state) {
            pgn.write(&source.pgn(&games)?)?;
            table.write(&source.lines(&games))?;
        }
        Ok(Self {
            pgn: pgn.place()?,
            table: table.place()?,
            cursor,
        })
    }

    /// Whether both files are as they were left. If not they are to be written anew.
    pub(super) fn are_as_they_were_left(&self) -> bool {
        self.pgn.is_as_it_was_left() && self.table.is_as_it_was_left()
    }

    /// What both files hold, with their names.
    pub(super) fn contents(&self) -> [(&'static str, Content); 2] {
        [(GAMES, &self.pgn), (GAMES_TABLE, &self.table)]
            .map(|(name, file)| (name, Content::of_grown(&file.hash, file.length)))
    }

    /// Adds what has ended since.
    pub(super) fn grow(&mut self, source: Source<'_>) -> io::Result<()> {
        let Self { pgn, table, cursor } = self;
        for games in cursor.parts(source.state) {
            pgn.add(&source.pgn(&games)?)?;
            table.add(&source.lines(&games))?;
        }
        Ok(())
    }

    /// Adds all that has ended, also after a game that has not: these files can only be written anew then.
    pub(super) fn finish(&mut self, source: Source<'_>) -> io::Result<()> {
        self.grow(source)?;
        let rest: Vec<Game> = source.state.finished_games().skip(self.cursor.written).collect();
        for games in rest.chunks(PART) {
            self.pgn.add(&source.pgn(games)?)?;
            self.table.add(&source.lines(games))?;
        }
        [&self.pgn, &self.table].into_iter().try_for_each(|growing| {
            let synced = growing.file.sync_all();
            synced.map_err(|error| about(&growing.path, &error))
        })
    }
}

/// Games that are written at once.
const PART: usize = 4096;

/// A file that is being written from its beginning.
struct Part {
    path: PathBuf,
    draft: Draft,
    length: u64,
    hash: Sha256,
}

impl Part {
    fn at(path: PathBuf) -> io::Result<Self> {
        Ok(Self {
            draft: Draft::at(&path)?,
            path,
            length: 0,
            hash: Sha256::new(),
        })
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.draft.write(text)?;
        self.length += text.len() as u64;
        self.hash.update(text);
        Ok(())
    }

    /// Puts it in its place, where it grows.
    fn place(self) -> io::Result<Growing> {
        Ok(Growing {
            path: self.path,
            file: self.draft.place()?,
            length: self.length,
            hash: self.hash,
        })
    }
}

impl Growing {
    /// What is written of it and not all makes the length another, and the file is then written anew.
    fn add(&mut self, text: &str) -> io::Result<()> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| about(&self.path, &error))?;
        self.length += text.len() as u64;
        self.hash.update(text);
        Ok(())
    }

    /// Whether it is still in its place, and nobody has written to it, nor half of something been written.
    fn is_as_it_was_left(&self) -> bool {
        let is_whole = self.file.metadata().is_ok_and(|there| there.len() == self.length);
        is_whole && files::is_at(&self.file, &self.path).unwrap_or(false)
    }
}
