//! The files of a run on the disk: written, added to, and taken away where the log gives none.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::open_run::finished;
use crate::report;
use swissmatch_game::record::GameId;
use swissmatch_host::files::{self, about, write_whole};
use swissmatch_host::run_dir::log;
use swissmatch_host::store::{Head, Store};
use swissmatch_tournament::embargo::{is_held_back, published};
use swissmatch_tournament::state::{EndedGame, State};
use swissmatch_tournament::ties::event_is_over;

use super::EVIDENCE;
use super::contents::{self, ROUNDS, TABLES};
use super::games::WrittenGameFiles;
use super::signed::{self, SIGNATURE, SIGNED, Signing};
use super::source::GameTextSource;

/// The files themselves.
#[derive(Debug)]
pub(super) struct RunFiles {
    dir: PathBuf,
    created_at: String,
    store: Store,
    /// What is to be gone on with; without it the files of games are written anew.
    games: Option<WrittenGameFiles>,
    /// Rounds whose standings are written.
    rounds: usize,
    /// With what they are signed.
    signing: Option<Signing>,
    /// What the files hold, but for those of games, by name.
    contents: BTreeMap<String, signed::ContentHash>,
}

impl RunFiles {
    pub(super) fn new(dir: &Path, created_at: &str, signing: Option<Signing>) -> io::Result<Self> {
        let store = Store::open_to_read(&log(dir)).map_err(io::Error::other)?;
        Ok(Self {
            dir: dir.to_path_buf(),
            created_at: created_at.to_owned(),
            store,
            games: None,
            rounds: 0,
            signing,
            contents: BTreeMap::new(),
        })
    }

    /// The log has grown to here.
    pub(super) fn grown_to(&mut self, head: &Head) {
        if let Some(signing) = &mut self.signing {
            signing.head = head.clone();
        }
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
        files::make_inner_directory(&dir)?;
        write_whole(&self.evidence_file(id), text)
    }

    /// Evidence that was committed by a runner that did not come to writing its file; none of games that are held back, or
    /// were played again without any; none at all unless evidence is published.
    fn evidence_as_due(&self, state: &State) -> io::Result<()> {
        let is_published = state.setup().publish.evidence;
        if !is_published && !self.dir.join(EVIDENCE).exists() {
            return Ok(());
        }
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
                    let game = slot.filter(|game| game.finished.has_evidence);
                    self.evidence_of(id, game.filter(|_| is_published && !is_held_back(state, id)))?;
                }
            }
        }
        Ok(())
    }

    fn evidence_of(&self, id: GameId, game: Option<EndedGame>) -> io::Result<()> {
        let path = self.evidence_file(id);
        match (game, path.exists()) {
            (Some(game), false) => {
                let hash = finished(&self.store, &game).map_err(io::Error::other)?.evidence;
                let text = hash.map(|hash| self.store.evidence(&hash)).transpose();
                match text.map_err(io::Error::other)?.flatten() {
                    Some(text) => self.evidence(id, &text),
                    None => Ok(()),
                }
            }
            (None, true) => files::remove(&path),
            (Some(_), true) | (None, false) => Ok(()),
        }
    }

    /// The games so far, and every table.
    pub(super) fn write(&mut self, state: &State) -> io::Result<()> {
        self.grow(state)?;
        self.note_end(state)?;
        self.tables(&published(state))?;
        // The files of games end before the first that has not ended: of the middle of a round there is no list.
        match state.sittings().all(|sitting| sitting.is_over()) {
            true => self.sign(),
            false => Ok(()),
        }
    }

    /// Lists what the files hold, and signs that.
    fn sign(&self) -> io::Result<()> {
        let (Some(signing), Some(games)) = (&self.signing, &self.games) else {
            return Ok(());
        };
        let mut contents = self.contents.clone();
        contents.extend(games.contents().map(|(name, content)| (name.to_owned(), content)));
        let list = signed::list(&signing.run, &signing.head, &contents);
        let signature = signing.signer.sign(&list).map_err(io::Error::other)?;
        let files = [(SIGNED, list), (SIGNATURE, signature)].map(|(name, text)| (name.to_owned(), text));
        files::write_all_whole(&self.dir, &files)
    }

    /// The games so far, in schedule order up to the first that has not ended.
    pub(super) fn grow(&mut self, state: &State) -> io::Result<()> {
        let source = GameTextSource {
            state: &published(state),
            created_at: &self.created_at,
            store: &self.store,
        };
        let games = match self.games.take().filter(WrittenGameFiles::are_as_they_were_left) {
            None => match self
                .may_go_on(state)
                .then(|| WrittenGameFiles::left(&self.dir, source))
                .flatten()
            {
                Some(mut games) => {
                    games.grow(source)?;
                    games
                }
                None => WrittenGameFiles::anew(&self.dir, source)?,
            },
            Some(mut games) => {
                games.grow(source)?;
                games
            }
        };
        let are_to_be_noted = games.are_to_be_noted();
        self.games = Some(games);
        match are_to_be_noted {
            true => self.note_end(state),
            false => Ok(()),
        }
    }

    /// Whether files that are there may be gone on with. Those of an event that is over are written anew, so that nothing in the log
    /// stays unread; and what is signed is never read: anybody may have changed it.
    fn may_go_on(&self, state: &State) -> bool {
        self.signing.is_none() && !event_is_over(state)
    }

    /// Notes where the files of games end, for whoever may go on with them.
    fn note_end(&mut self, state: &State) -> io::Result<()> {
        if self.signing.is_some() {
            return Ok(());
        }
        let source = GameTextSource {
            state: &published(state),
            created_at: &self.created_at,
            store: &self.store,
        };
        match &mut self.games {
            Some(games) => games.note(&self.dir, source),
            None => Ok(()),
        }
    }

    /// The games of a round that is not over, at the end of their files: the next runner writes these anew. Then every table, and the
    /// page of the event.
    pub(super) fn rest(&mut self, state: &State) -> io::Result<()> {
        self.grow(state)?;
        self.note_end(state)?;
        let state = &*published(state);
        let source = GameTextSource {
            state,
            created_at: &self.created_at,
            store: &self.store,
        };
        let mut games = self.games.take();
        if let Some(games) = &mut games {
            games.finish(source)?;
        }
        self.tables(state)?;
        self.games = games;
        self.sign()?;
        // What comes now cannot be added at their end.
        self.games = None;
        report::at_the_end(&self.dir, state, &self.store)
    }

    fn tables(&mut self, state: &State) -> io::Result<()> {
        let tables = contents::tables(state, &self.store)?;
        files::write_all_whole(&self.dir, &tables)?;
        self.note("", &tables);
        // One of an earlier round would tell of another event.
        let is_given = |name: &&str| tables.iter().any(|(given, _)| given == name);
        let mut gone = TABLES.into_iter().filter(|name| !is_given(name));
        gone.try_for_each(|name| {
            let path = self.dir.join(name);
            self.contents.remove(name);
            files::remove(&path)
        })?;
        self.standings_of_rounds(state)
    }

    /// Notes what was written, for the list that is signed.
    fn note(&mut self, below: &str, written: &[contents::NamedContent]) {
        if self.signing.is_some() {
            let content =
                |(name, text): &contents::NamedContent| (format!("{below}{name}"), signed::ContentHash::of(text));
            self.contents.extend(written.iter().map(content));
        }
    }

    /// The standings after each round. Those of the last two may have changed by what came after: a play-off, or who went on.
    fn standings_of_rounds(&mut self, state: &State) -> io::Result<()> {
        let standings = contents::standings_of_rounds(state, self.rounds.saturating_sub(1).max(1));
        let dir = self.dir.join(ROUNDS);
        if !standings.is_empty() {
            files::make_inner_directory(&dir)?;
            files::write_all_whole(&dir, &standings)?;
            self.note(&format!("{ROUNDS}/"), &standings);
        }
        let over = contents::rounds_with_standings(state);
        // Rounds that are held back now, or are to be played again.
        for round in (over + 1).. {
            let path = dir.join(contents::standings_file(round));
            self.contents
                .remove(&format!("{ROUNDS}/{}", contents::standings_file(round)));
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
