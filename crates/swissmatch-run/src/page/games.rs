//! The games of a page, read piece by piece: so many records at once, however long a mini-match is.
//!
//! May not: decide where they are put.

use rayon::prelude::*;

use crate::known::{KnownGame, OfGames};
use swissmatch_host::store::Store;
use swissmatch_report::page::games::{self, PageGame};
use swissmatch_report::page::model::{board_name, boards};
use swissmatch_report::pgn;
use swissmatch_tournament::state::{EndedGame, MiniMatch, State};

/// Games whose records are in memory at once, at most as many again less one.
const AT_ONCE: usize = 512;

/// Games of one part: its name, and each as it is kept.
type PartGames<'a> = (String, Vec<KnownGame<'a>>);

/// Where games are read from: the event as it is to be shown, its log, and what that says of games.
#[derive(Clone, Copy)]
pub(crate) struct Shelf<'a> {
    pub(crate) state: &'a State,
    pub(crate) store: &'a Store,
    pub(crate) of_games: &'a OfGames,
}

/// Games of a mini-match that have records, as JSON and whatever `made` makes of it, at most `most` of them in one; given to `each`
/// with their name in schedule order. Of a longer mini-match the first part has its name, each other one a number as well: `1.1`,
/// `1.1-2`.
///
/// # Errors
/// When a record is missing or damaged; and those of `each`.
pub(crate) fn each<T: Send, E: From<String>>(
    shelf: Shelf<'_>,
    most: usize,
    made: impl Fn(String) -> T + Sync,
    mut each: impl FnMut(String, T) -> Result<(), E>,
) -> Result<(), E> {
    let (state, date) = (shelf.state, shelf.date()?);
    let mut flush = |waiting: &mut Vec<PartGames<'_>>| -> Result<(), E> {
        let made = std::mem::take(waiting).into_par_iter().map(|(name, kept)| {
            let json = json(state, &kept, &date).map_err(|error| format!("mini-match {name}: {error}"))?;
            Ok((name, made(json)))
        });
        for (name, made) in made.collect::<Result<Vec<_>, String>>()? {
            each(name, made)?;
        }
        Ok(())
    };
    let (mut waiting, mut games) = (Vec::<PartGames<'_>>::new(), 0);
    for (id, mini_match) in boards(state) {
        let name = board_name(id);
        let mut parts = mini_match.games.iter();
        for part in 0.. {
            let slots: Vec<Option<EndedGame>> = parts.by_ref().take(most).collect();
            if slots.is_empty() {
                break;
            }
            let kept = shelf.kept(slots.into_iter())?;
            if kept.is_empty() {
                continue;
            }
            games += kept.len();
            waiting.push((part_name(&name, part), kept));
            if games >= AT_ONCE {
                flush(&mut waiting)?;
                games = 0;
            }
        }
    }
    flush(&mut waiting)
}

impl<'a> Shelf<'a> {
    /// All games of a mini-match that have records, as JSON; `None` where there is none.
    ///
    /// # Errors
    /// When a record is missing or damaged.
    pub(crate) fn all_of(self, mini_match: &MiniMatch) -> Result<Option<String>, String> {
        let kept = self.kept(mini_match.games.iter())?;
        match kept.is_empty() {
            true => Ok(None),
            false => json(self.state, &kept, &self.date()?).map(Some),
        }
    }

    /// Those of these games that have records, as they are kept.
    fn kept(self, games: impl Iterator<Item = Option<EndedGame>>) -> Result<Vec<KnownGame<'a>>, String> {
        let played = games.flatten().filter(|game| game.finished.has_record);
        let kept = played.map(|game| self.of_games.game((self.state, self.store), game));
        kept.collect()
    }

    /// The value of the tag `Date`.
    fn date(self) -> Result<String, String> {
        let created = self.store.row(1).map_err(|error| error.to_string())?;
        Ok(pgn::date(&created.at))
    }
}

/// The name of a part, from 0, of the games of a mini-match.
fn part_name(name: &str, part: usize) -> String {
    match part {
        0 => name.to_owned(),
        part => format!("{name}-{}", part + 1),
    }
}

fn json(state: &State, kept: &[KnownGame<'_>], date: &str) -> Result<String, String> {
    let read: Result<Vec<Option<PageGame<'_>>>, String> = kept.iter().map(KnownGame::played).collect();
    let played: Vec<PageGame<'_>> = read?.into_iter().flatten().collect();
    games::json(state, &played, date).map_err(|error| error.to_string())
}
