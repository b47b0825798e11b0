//! The files of all games, which grow game by game in schedule order: a game stands in them when it and all before it have ended.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::contents::{GAMES, GAMES_TABLE};
use super::cursor::{Cursor, PART};
use super::left::{GameFilesEnd, ShownHash, hash_of_first};
use super::signed::ContentHash;
use super::source::GameTextSource;
use swissmatch_host::files::{self, Draft, about};
use swissmatch_tournament::state::EndedGame;

/// The files as far as they are written.
#[derive(Debug)]
pub(super) struct WrittenGameFiles {
    pgn: GrowingFile,
    table: GrowingFile,
    cursor: Cursor,
    /// What they show so far.
    shown: ShownHash,
    /// Up to which game their end is noted.
    noted: usize,
}

/// A file that is added to.
#[derive(Debug)]
struct GrowingFile {
    path: PathBuf,
    file: File,
    length: u64,
    /// Of all that was written to it.
    hash: Sha256,
}

impl WrittenGameFiles {
    /// Writes both files from their beginning. What was there stays until they are whole.
    pub(super) fn anew(dir: &Path, source: GameTextSource<'_>) -> io::Result<Self> {
        let [pgn_path, table_path] = [GAMES, GAMES_TABLE].map(|name| dir.join(name));
        let (mut cursor, mut shown) = (Cursor::default(), ShownHash::default());
        let (mut pgn, mut table) = (DraftFile::at(pgn_path)?, DraftFile::at(table_path)?);
        table.write(&source.table(&[]))?;
        // A part at a time, so that never all games are in memory.
        for games in cursor.parts(source.state) {
            pgn.write(&source.pgn(&games)?)?;
            table.write(&source.lines(&games))?;
            games.iter().for_each(|game| shown.add(game));
        }
        Ok(Self {
            pgn: pgn.place()?,
            table: table.place()?,
            cursor,
            shown,
            noted: 0,
        })
    }

    /// The files as the last publisher left them, where their end is noted and they still hold what was written: they are gone on
    /// with. What was written behind that is taken away.
    pub(super) fn left(dir: &Path, source: GameTextSource<'_>) -> Option<Self> {
        let (left, shown) = GameFilesEnd::read(dir, source)?;
        let [pgn, table] = &left.files;
        Some(Self {
            pgn: GrowingFile::left(dir.join(GAMES), pgn)?,
            table: GrowingFile::left(dir.join(GAMES_TABLE), table)?,
            noted: left.cursor.written(),
            cursor: left.cursor,
            shown,
        })
    }

    /// Notes where the files end.
    pub(super) fn note(&mut self, dir: &Path, source: GameTextSource<'_>) -> io::Result<()> {
        if self.noted == self.cursor.written() {
            return Ok(());
        }
        let contents = self.contents().map(|(_, content)| content);
        self.noted = self.cursor.written();
        match GameFilesEnd::new(source, &self.cursor, &self.shown, contents) {
            Some(left) => left.write(dir),
            None => Ok(()),
        }
    }

    /// Whether so many games have been written since that is worth a note.
    pub(super) const fn are_to_be_noted(&self) -> bool {
        self.cursor.written() >= self.noted + NOTED
    }

    /// Whether both files are as they were left. If not they are to be written anew.
    pub(super) fn are_as_they_were_left(&self) -> bool {
        self.pgn.is_as_it_was_left() && self.table.is_as_it_was_left()
    }

    /// What both files hold, with their names.
    pub(super) fn contents(&self) -> [(&'static str, ContentHash); 2] {
        [(GAMES, &self.pgn), (GAMES_TABLE, &self.table)]
            .map(|(name, file)| (name, ContentHash::of_grown(&file.hash, file.length)))
    }

    /// Adds what has ended since.
    pub(super) fn grow(&mut self, source: GameTextSource<'_>) -> io::Result<()> {
        let Self {
            pgn,
            table,
            cursor,
            shown,
            ..
        } = self;
        for games in cursor.parts(source.state) {
            pgn.add(&source.pgn(&games)?)?;
            table.add(&source.lines(&games))?;
            games.iter().for_each(|game| shown.add(game));
        }
        Ok(())
    }

    /// Adds all that has ended, also after a game that has not: these files can only be written anew then.
    pub(super) fn finish(&mut self, source: GameTextSource<'_>) -> io::Result<()> {
        self.grow(source)?;
        let rest: Vec<EndedGame> = source.state.finished_games().skip(self.cursor.written()).collect();
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

/// After so many games the end of the files is noted.
const NOTED: usize = 16 * PART;

/// A file that is being written from its beginning.
struct DraftFile {
    path: PathBuf,
    draft: Draft,
    length: u64,
    hash: Sha256,
}

impl DraftFile {
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
    fn place(self) -> io::Result<GrowingFile> {
        Ok(GrowingFile {
            path: self.path,
            file: self.draft.place()?,
            length: self.length,
            hash: self.hash,
        })
    }
}

impl GrowingFile {
    /// A file that holds what is noted, and perhaps more behind it.
    fn left(path: PathBuf, noted: &ContentHash) -> Option<Self> {
        let hash = hash_of_first(&path, noted.bytes).ok()??;
        if ContentHash::of_grown(&hash, noted.bytes) != *noted {
            return None;
        }
        let file = files::open_to_append(&path).ok()?;
        file.set_len(noted.bytes).ok()?;
        Some(Self {
            path,
            file,
            length: noted.bytes,
            hash,
        })
    }

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
