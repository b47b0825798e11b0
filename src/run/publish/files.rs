//! The files of a run on the disk: written, added to, and taken away where the log gives none.

use std::io;
use std::path::{Path, PathBuf};

use crate::game::record::GameId;
use crate::shell::files::{self, about, write_whole};
use crate::shell::run_dir::log;
use crate::shell::store::Store;
use crate::tournament::embargo::{is_held_back, published};
use crate::tournament::state::State;

use super::EVIDENCE;
use super::contents::{self, ROUNDS, TABLES};
use super::games::{Games, Source};

/// The files themselves.
#[derive(Debug)]
pub(super) struct Files {
    dir: PathBuf,
    created_at: String,
    store: Store,
    /// What is to be gone on with; without it the files of games are written anew.
    games: Option<Games>,
    /// Rounds whose standings are written.
    rounds: usize,
}

impl Files {
    pub(super) fn new(dir: &Path, created_at: &str) -> io::Result<Self> {
        let store = Store::open_to_read(&log(dir)).map_err(io::Error::other)?;
        Ok(Self {
            dir: dir.to_path_buf(),
            created_at: created_at.to_owned(),
            store,
            games: None,
            rounds: 0,
        })
    }

    /// What has been written may be otherwise now: all of it is to be written again.
    pub(super) fn forget(&mut self) {
        self.games = None;
        self.rounds = 0;
    }

    /// Everything that is not there yet.
    pub(super) fn catch_up(&mut self, state: &State) -> io::Result<()> {
        self.evidence_as_due(state)?;
        self.write(state)
    }

    fn evidence_file(&self, id: GameId) -> PathBuf {
        self.dir.join(EVIDENCE).join(format!("{id}.txt"))
    }

    pub(super) fn evidence(&self, id: GameId, text: &str) -> io::Result<()> {
        let dir = self.dir.join(EVIDENCE);
        files::make_directory(&dir)?;
        write_whole(&self.evidence_file(id), text)
    }

    /// Evidence that was committed by a runner that did not come to writing its file; none of games that are held back, or
    /// were played again without any.
    fn evidence_as_due(&self, state: &State) -> io::Result<()> {
        for sitting in state.sittings() {
            for (mini_match, board) in (1..).zip(sitting.mini_matches) {
                for (game, slot) in (1..).zip(&board.games) {
                    let (round, playoff) = (sitting.round, sitting.playoff);
                    let id = GameId {
                        round,
                        playoff,
                        board: mini_match,
                        game,
                    };
                    let hash = slot.as_ref().and_then(|game| game.finished.evidence.as_deref());
                    self.evidence_of(id, hash.filter(|_| !is_held_back(state, id)))?;
                }
            }
        }
        Ok(())
    }

    fn evidence_of(&self, id: GameId, hash: Option<&str>) -> io::Result<()> {
        let path = self.evidence_file(id);
        match (hash, path.exists()) {
            (Some(hash), false) => match self.store.blob(hash).map_err(io::Error::other)? {
                Some(text) => self.evidence(id, &text),
                None => Ok(()),
            },
            (None, true) => std::fs::remove_file(&path).map_err(|error| about(&path, &error)),
            (Some(_), true) | (None, false) => Ok(()),
        }
    }

    /// The games so far, and every table.
    pub(super) fn write(&mut self, state: &State) -> io::Result<()> {
        self.grow(state)?;
        self.tables(&published(state))
    }

    /// The games so far, in schedule order up to the first that has not ended.
    pub(super) fn grow(&mut self, state: &State) -> io::Result<()> {
        let source = Source {
            state: &published(state),
            created_at: &self.created_at,
            store: &self.store,
        };
        let games = match self.games.take().filter(Games::are_as_they_were_left) {
            None => Games::anew(&self.dir, source)?,
            Some(mut games) => {
                games.grow(source)?;
                games
            }
        };
        self.games = Some(games);
        Ok(())
    }

    /// The games of a round that is not over, at the end of their files: the next runner writes these anew. Then every table.
    pub(super) fn rest(&mut self, state: &State) -> io::Result<()> {
        self.grow(state)?;
        let state = &*published(state);
        let source = Source {
            state,
            created_at: &self.created_at,
            store: &self.store,
        };
        if let Some(games) = self.games.take() {
            games.finish(source)?;
        }
        self.tables(state)
    }

    fn tables(&mut self, state: &State) -> io::Result<()> {
        let tables = contents::tables(state);
        files::write_all_whole(&self.dir, &tables)?;
        // One of an earlier round would tell of another event.
        let is_given = |name: &&str| tables.iter().any(|(given, _)| given == name);
        let mut gone = TABLES.into_iter().filter(|name| !is_given(name));
        gone.try_for_each(|name| {
            let path = self.dir.join(name);
            match path.exists() {
                true => std::fs::remove_file(&path).map_err(|error| about(&path, &error)),
                false => Ok(()),
            }
        })?;
        self.standings_of_rounds(state)
    }

    /// The standings after each round. Those of the last two may have changed by what came after: a play-off, or who went on.
    fn standings_of_rounds(&mut self, state: &State) -> io::Result<()> {
        let standings = contents::standings_of_rounds(state, self.rounds.saturating_sub(1).max(1));
        let dir = self.dir.join(ROUNDS);
        if !standings.is_empty() {
            files::make_directory(&dir)?;
            files::write_all_whole(&dir, &standings)?;
        }
        let over = contents::rounds_with_standings(state);
        // Rounds that are held back now, or are to be played again.
        for round in (over + 1).. {
            let path = dir.join(contents::standings_file(round));
            match std::fs::remove_file(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(error) => return Err(about(&path, &error)),
            }
        }
        self.rounds = over;
        Ok(())
    }
}
