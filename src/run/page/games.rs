//! The games of a page, read piece by piece: so many records at once, however long a mini-match is.
//!
//! May not: decide where they are put.

use rayon::prelude::*;

use crate::game::record::GameRecord;
use crate::report::page::games;
use crate::report::page::model::{board_name, boards};
use crate::run::open_run::Kept;
use crate::shell::store::Store;
use crate::tournament::state::{Game, MiniMatch, State};

/// Games whose records are in memory at once, at most as many again less one.
const AT_ONCE: usize = 512;

/// Games of one part: its name, and each as it is kept.
type Part = (String, Vec<(Game, Kept)>);

/// Games of a mini-match that have records, as JSON and whatever `made` makes of it, at most `most` of them in one; given to `each`
/// with their name in schedule order. Of a longer mini-match the first part has its name, each other one a number as well: `1.1`,
/// `1.1-2`.
///
/// # Errors
/// When a record is missing or damaged; and those of `each`.
pub(in crate::run) fn each<T: Send, E: From<String>>(
    (state, store): (&State, &Store),
    most: usize,
    made: impl Fn(String) -> T + Sync,
    mut each: impl FnMut(String, T) -> Result<(), E>,
) -> Result<(), E> {
    let mut flush = |waiting: &mut Vec<Part>| -> Result<(), E> {
        let made = std::mem::take(waiting)
            .into_par_iter()
            .map(|(name, kept)| Ok((name, made(json(state, kept)?))));
        for (name, made) in made.collect::<Result<Vec<_>, String>>()? {
            each(name, made)?;
        }
        Ok(())
    };
    let (mut waiting, mut games) = (Vec::<Part>::new(), 0);
    for (id, mini_match) in boards(state) {
        let name = board_name(id);
        let mut parts = mini_match.games.iter();
        for part in 0.. {
            let slots: Vec<Option<Game>> = parts.by_ref().take(most).collect();
            if slots.is_empty() {
                break;
            }
            let kept = kept(store, slots.into_iter())?;
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

/// All games of a mini-match that have records, as JSON; `None` where there is none.
///
/// # Errors
/// When a record is missing or damaged.
pub(in crate::run) fn of(state: &State, store: &Store, mini_match: &MiniMatch) -> Result<Option<String>, String> {
    let kept = kept(store, mini_match.games.iter())?;
    match kept.is_empty() {
        true => Ok(None),
        false => json(state, kept).map(Some),
    }
}

/// Those of these games that have records, as they are kept.
fn kept(store: &Store, games: impl Iterator<Item = Option<Game>>) -> Result<Vec<(Game, Kept)>, String> {
    let played = games.flatten().filter(|game| game.finished.has_record);
    let kept = played.map(|game| Kept::of(store, &game).map(|kept| (game, kept)));
    kept.collect()
}

/// The name of a part, from 0, of the games of a mini-match.
fn part_name(name: &str, part: usize) -> String {
    match part {
        0 => name.to_owned(),
        part => format!("{name}-{}", part + 1),
    }
}

fn json(state: &State, kept: Vec<(Game, Kept)>) -> Result<String, String> {
    let record = |(game, kept): (Game, Kept)| Ok(kept.record()?.map(|record| (game, record)));
    let read: Result<Vec<Option<(Game, GameRecord)>>, String> = kept.into_iter().map(record).collect();
    let played: Vec<(Game, GameRecord)> = read?.into_iter().flatten().collect();
    Ok(games::json(state, &played))
}
