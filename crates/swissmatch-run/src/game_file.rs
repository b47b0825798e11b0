//! A file of games besides those of a run: where the command line asks for one.
//!
//! May not: choose its place.

use std::io;
use std::path::Path;

use memchr::memmem;
use regex_lite::Regex;

use super::open_run::{self, OpenError, OpenRun, StoredGame};
use super::publish::{self, Cursor};
use swissmatch_host::store::Store;
use swissmatch_report::pgn::{self, Comments};
use swissmatch_tournament::state::{EndedGame, State};

/// What a file of games has.
#[derive(Clone, Debug)]
pub struct GameFile {
    comments: Comments,
    /// Lines of engines in the comments of their moves.
    lines: Vec<Regex>,
}

impl GameFile {
    /// With these comments; `lines`: expressions that find the lines of engines that stand in the comments of their moves.
    ///
    /// # Errors
    /// When one of them is no expression.
    pub fn new(comments: Comments, lines: &[String]) -> Result<Self, regex_lite::Error> {
        let lines = lines.iter().map(|line| Regex::new(line));
        Ok(Self {
            comments,
            lines: lines.collect::<Result<_, _>>()?,
        })
    }

    /// The games of a run that have ended, in schedule order.
    ///
    /// # Errors
    /// When a record is missing or damaged.
    pub fn text(&self, run: &OpenRun) -> io::Result<String> {
        let games: Vec<EndedGame> = run.state.finished_games().collect();
        self.text_of(&run.state, &games, run.created_at(), &run.store)
    }

    fn text_of(&self, state: &State, games: &[EndedGame], created_at: &str, store: &Store) -> io::Result<String> {
        if self.lines.is_empty() {
            return publish::render_games(state, games, created_at, store, self.comments);
        }
        let date = pgn::date(created_at);
        games.iter().map(|game| self.game(state, game, &date, store)).collect()
    }

    fn game(&self, state: &State, game: &EndedGame, date: &str, store: &Store) -> io::Result<String> {
        let kept = StoredGame::of(store, game).map_err(io::Error::other)?;
        let record = kept.record().map_err(io::Error::other)?;
        let evidence = open_run::evidence(store, &kept.finished).map_err(io::Error::other)?;
        let lines = match (&record, &evidence) {
            (Some(record), Some(evidence)) => pgn::lines_of_moves(evidence, record, &self.lines),
            _ => Vec::new(),
        };
        pgn::game_with_lines(state, game, record.as_ref(), date, self.comments, &lines)
            .map_err(|error| io::Error::other(format!("game {}: {error}", game.finished.id)))
    }
}

/// The games of a run that is being played, as they come into a file: in schedule order, pair by pair.
pub struct GrowingGameFile {
    file: GameFile,
    store: Store,
    created_at: String,
    cursor: Cursor,
    /// The first game of a pair whose second has not ended.
    half: Option<EndedGame>,
}

impl GrowingGameFile {
    /// Of the run in this directory, from its first game on.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn new(file: GameFile, run: &Path) -> Result<Self, OpenError> {
        let OpenRun { store, logged, .. } = OpenRun::open(Some(run))?;
        let created_at = logged.into_iter().next().map(|created| created.at);
        Ok(Self {
            file,
            store,
            created_at: created_at.unwrap_or_default(),
            cursor: Cursor::default(),
            half: None,
        })
    }

    /// The games that have ended since, up to the first pair that is not whole.
    ///
    /// # Errors
    /// When a record is missing or damaged.
    pub fn since(&mut self, state: &State) -> io::Result<String> {
        let mut games: Vec<EndedGame> = self.half.take().into_iter().collect();
        games.extend(self.cursor.parts(state).flatten());
        let has_second = |game: &mut EndedGame| {
            let id = game.finished.id;
            let board = state.mini_match(id);
            id.game % 2 == 1 && board.is_some_and(|board| board.games.len() > id.game as usize)
        };
        self.half = games.pop_if(has_second);
        match games.is_empty() {
            true => Ok(String::new()),
            false => self.file.text_of(state, &games, &self.created_at, &self.store),
        }
    }
}

/// Of a file that is there, what was there before games of a match were put at its end: it ends with `written`, which are the games of
/// the match so far, or with its beginning, where the match ended in the middle of writing it.
///
/// # Errors
/// When it has some of those games, and not at its end: then it cannot be told what was there before.
pub fn before(there: &[u8], written: &[u8]) -> Result<usize, PartialGamesError> {
    let begin = b"\n\n[Event ";
    let first_end = memmem::find(written, begin).map_or(written.len(), |end| end + 2);
    let last_begin = memmem::rfind(written, begin).map_or(0, |end| end + 2);
    let first = &written[..first_end];
    let at = match memmem::find(there, first).filter(|_| !first.is_empty()) {
        Some(at) => Some(at),
        // Of the first game a part.
        None => {
            let last = |of: &[u8]| memmem::rfind(there, of).map_or(0, |end| end + 2);
            // So little of it may be there that it does not say yet that it begins.
            let mut ends = [last(begin), last(b"\n\n")].into_iter();
            ends.find(|last| *last < there.len() && first.starts_with(&there[*last..]))
        }
    };
    match at {
        Some(at) if written.starts_with(&there[at..]) => Ok(at),
        None if memmem::find(there, &written[last_begin..]).is_none() || written.is_empty() => Ok(there.len()),
        Some(_) | None => Err(PartialGamesError),
    }
}

/// A file has some games of a match, and not all of them at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the file has some games of this match, and not all at its end, so that they cannot be replaced")]
pub struct PartialGamesError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_before_stays() {
        let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 {{0.1s}} *\n\n");
        let (old, one, two) = (game("old"), game("one"), game("two"));
        let both = format!("{one}{two}");
        let before = |there: &str, written: &str| super::before(there.as_bytes(), written.as_bytes());
        assert_eq!(before(&old, ""), Ok(old.len()));
        assert_eq!(before(&format!("{old}{both}"), &both), Ok(old.len()));
        assert_eq!(before(&old, &both), Ok(old.len()));
        for cut in 1..both.len() {
            assert_eq!(before(&format!("{old}{}", &both[..cut]), &both), Ok(old.len()), "{cut}");
            assert_eq!(before(&both[..cut], &both), Ok(0), "{cut}");
        }
        assert_eq!(before(&format!("{old}{one}{old}"), &both), Err(PartialGamesError));
        assert_eq!(before(&format!("{two}{old}"), &both), Err(PartialGamesError));
    }
}
