//! Where the files of games end, noted beside them, so that whoever goes on with a long match need not write them anew.
//!
//! A note counts only where everything agrees: what the files show follows from the log as it is now, was written by this program,
//! and the files hold it still. May not: write the files.

use std::io::{self, Read as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::cursor::Cursor;
use super::signed::ContentHash;
use super::source::GameTextSource;
use swissmatch_host::files::{self, write_whole};
use swissmatch_host::store::hexadecimal;
use swissmatch_host::this_program;
use swissmatch_tournament::state::EndedGame;

/// The note.
pub const LEFT: &str = ".games.json";

/// Version of the note.
const SCHEMA: u32 = 1;
/// No note is longer.
const MOST: u64 = 1 << 16;

/// As it is written.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GameFilesEnd {
    schema: u32,
    /// Of what the files show.
    shown: String,
    /// Where they end.
    pub(super) cursor: Cursor,
    /// What they hold.
    pub(super) files: [ContentHash; 2],
}

impl GameFilesEnd {
    /// That the files hold so much of these games.
    pub(super) fn new(
        source: GameTextSource<'_>,
        cursor: &Cursor,
        shown: &ShownHash,
        files: [ContentHash; 2],
    ) -> Option<Self> {
        Some(Self {
            schema: SCHEMA,
            shown: shown.of(source)?,
            cursor: cursor.clone(),
            files,
        })
    }

    /// The note in `dir`, where there is one and it is of these games, and what they show.
    pub(super) fn read(dir: &Path, source: GameTextSource<'_>) -> Option<(Self, ShownHash)> {
        let file = files::open_plain(&dir.join(LEFT)).ok()?;
        let text = files::read_at_most(file, MOST).ok()?;
        let left: Self = serde_json::from_slice(&text).ok()?;
        let mut shown = ShownHash::default();
        let games = source.state.finished_games().take(left.cursor.written());
        games.for_each(|game| shown.add(&game));
        let is_of_these = left.schema == SCHEMA && shown.of(source)? == left.shown;
        is_of_these.then_some((left, shown))
    }

    /// Writes it.
    pub(super) fn write(&self, dir: &Path) -> io::Result<()> {
        let text = serde_json::to_string(self).map_err(io::Error::other)?;
        write_whole(&dir.join(LEFT), text + "\n")
    }
}

/// The SHA-256 of everything from which the files follow, as far as they are written.
#[derive(Clone, Debug, Default)]
pub(super) struct ShownHash(Sha256);

impl ShownHash {
    /// Another game is written.
    pub(super) fn add(&mut self, game: &EndedGame) {
        let finished = &game.finished;
        let line = format!("{} {} {:?}\n", finished.id, finished.entry, game.ruled);
        self.0.update(line);
    }

    /// In hexadecimal, with what all games rest on; `None` where it cannot be told which program this is.
    fn of(&self, source: GameTextSource<'_>) -> Option<String> {
        let mut hash = self.0.clone();
        hash.update(format!("{:?}\n{}\n", this_program::identity()?, source.created_at));
        hash.update(serde_json::to_string(source.state.created()).ok()?);
        hash.update(format!("{:?}\n", source.state.orders()));
        Some(hexadecimal(hash.finalize().into()))
    }
}

/// The hash of the first bytes of a file; `None` where it has not so many.
///
/// # Errors
/// When it cannot be read.
pub(super) fn hash_of_first(path: &Path, bytes: u64) -> io::Result<Option<Sha256>> {
    let mut file = files::open_plain(path)?.take(bytes);
    let (mut hash, mut part, mut left) = (Sha256::new(), vec![0; 1 << 16], bytes);
    loop {
        match file.read(&mut part) {
            Ok(0) => return Ok((left == 0).then_some(hash)),
            Ok(read) => {
                hash.update(&part[..read]);
                left -= read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
