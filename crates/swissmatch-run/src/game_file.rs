//! A file of games besides those of a run: where the command line asks for one.
//!
//! May not: choose its place.

use std::io;

use memchr::memmem;
use regex_lite::Regex;

use super::open_run::OpenRun;
use super::publish;
use swissmatch_report::pgn::{self, Comments};
use swissmatch_tournament::state::Game;

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
        let games: Vec<Game> = run.state.finished_games().collect();
        if self.lines.is_empty() {
            return publish::render_games(&run.state, &games, run.created_at(), &run.store, self.comments);
        }
        games.iter().map(|game| self.game(run, game)).collect()
    }

    fn game(&self, run: &OpenRun, game: &Game) -> io::Result<String> {
        let date = pgn::date(run.created_at());
        let finished = run.finished(game).map_err(io::Error::other)?;
        let record = run.record(finished).map_err(io::Error::other)?;
        let evidence = run.evidence(finished).map_err(io::Error::other)?;
        let lines = match (&record, &evidence) {
            (Some(record), Some(evidence)) => pgn::lines_of_moves(evidence, record, &self.lines),
            _ => Vec::new(),
        };
        pgn::game_with_lines(&run.state, game, record.as_ref(), &date, self.comments, &lines)
            .map_err(|error| io::Error::other(format!("game {}: {error}", game.finished.id)))
    }
}

/// Of a file that is there, what was there before games of a match were put at its end: it ends with `written`, where those are
/// games that were written before.
///
/// # Errors
/// When it has some of those games, and not all of them at its end: then it cannot be told what was there before.
pub fn before(there: &[u8], written: &[u8]) -> Result<usize, HasSome> {
    if let Some(before) = there.strip_suffix(written) {
        return Ok(before.len());
    }
    let begin = b"\n\n[Event ";
    let first_end = memmem::find(written, begin).map_or(written.len(), |end| end + 2);
    let last_begin = memmem::rfind(written, begin).map_or(0, |end| end + 2);
    let has = |game: &[u8]| memmem::find(there, game).is_some();
    match has(&written[..first_end]) || has(&written[last_begin..]) {
        true => Err(HasSome),
        false => Ok(there.len()),
    }
}

/// A file has some games of a match, and not all of them at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the file has some games of this match, and not all at its end, so that they cannot be replaced")]
pub struct HasSome;

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
        assert_eq!(before(&format!("{old}{one}"), &both), Err(HasSome));
        assert_eq!(before(&format!("{two}{old}"), &both), Err(HasSome));
    }
}
