//! The page of a run, as one file: what may be published of it, with its games.
//!
//! May not: show anything that an embargo keeps back.

use rayon::prelude::*;

use super::open_run::{Kept, OpenRun};
use crate::game::gz;
use crate::game::record::GameRecord;
use crate::report::minutes::{self, Minute};
use crate::report::page::model::{board_name, boards};
use crate::report::page::{self, FrontEnd, Log, Source, Where};
use crate::tournament::embargo::{embargo, published};
use crate::tournament::log::Entry;
use crate::tournament::state::{Game, State};

/// The page in its folder.
pub const INDEX: &str = "index.html";
/// Mini-matches whose records are in memory at once.
const AT_ONCE: usize = 64;

/// Why a run has no page.
#[derive(Debug, thiserror::Error)]
pub enum NoPage {
    /// The program was built without it.
    #[error(
        "this program was built without the front end of the page, so it cannot make one; with node 20.19 or later, `make` in the \
         source of swissmatch builds both"
    )]
    NoFrontEnd,
    /// A record is missing or damaged, or the log makes no sense.
    #[error("{0}")]
    Broken(String),
}

/// The page in one file.
///
/// # Errors
/// When the program has no front end, or the run is damaged.
pub fn of_run(run: &OpenRun) -> Result<String, NoPage> {
    let front_end = FrontEnd::embedded().ok_or(NoPage::NoFrontEnd)?;
    let state = published(&run.state);
    let pack = |json: String| gz::pack_small(json.as_bytes());
    let games = games(run, &state, pack).map_err(NoPage::Broken)?;
    let minutes = minutes_of(run)?;
    Ok(page::html(
        &source(run, &state, &minutes, Where::Inside(games)),
        &front_end,
    ))
}

/// The same as a folder for any web server: the page, its data, and what else people take with them, by their names in it.
///
/// # Errors
/// As [`of_run`].
pub fn folder(run: &OpenRun) -> Result<Vec<(String, String)>, NoPage> {
    let front_end = FrontEnd::embedded().ok_or(NoPage::NoFrontEnd)?;
    let state = published(&run.state);
    let minutes = minutes_of(run)?;
    let games = games(run, &state, |json| json).map_err(NoPage::Broken)?;
    let source = source(run, &state, &minutes, Where::Beside);
    let games = games.into_iter().map(|(id, json)| (format!("games/{id}.json"), json));
    let mut files: Vec<(String, String)> = games.collect();
    files.push(("event.json".to_owned(), page::event_json(&source)));
    // Last: whoever reads it finds the rest.
    files.push((INDEX.to_owned(), page::html(&source, &front_end)));
    Ok(files)
}

fn source<'a>(run: &OpenRun, state: &'a State, minutes: &'a [Minute], games: Where) -> Source<'a> {
    let last = run.logged.last().expect("an open run has entries");
    let log = Log {
        entries: run.logged.len(),
        head: last.hash.clone(),
    };
    Source {
        state,
        minutes,
        log,
        games,
    }
}

/// What was done by hand; nothing while an embargo lasts, as it says what was going on.
fn minutes_of(run: &OpenRun) -> Result<Vec<Minute>, NoPage> {
    if embargo(&run.state).is_some() {
        return Ok(Vec::new());
    }
    let entries: Vec<(&str, &Entry)> = run
        .logged
        .iter()
        .map(|logged| (logged.at.as_str(), &logged.entry))
        .collect();
    minutes::of_log(&entries).map_err(|error| NoPage::Broken(error.to_string()))
}

/// The games of each mini-match that have records, as JSON and whatever is made of that.
fn games<T: Send>(run: &OpenRun, state: &State, made: impl Fn(String) -> T + Sync) -> Result<Vec<(String, T)>, String> {
    let all: Vec<_> = boards(state).collect();
    let mut packed = Vec::with_capacity(all.len());
    for some in all.chunks(AT_ONCE) {
        let kept = some.iter().map(|(id, mini_match)| {
            let played = mini_match.games.iter().flatten();
            let played = played.filter(|game| game.finished.has_record);
            let kept = played.map(|game| Kept::of(&run.store, &game).map(|kept| (game, kept)));
            Ok((board_name(*id), kept.collect::<Result<Vec<_>, String>>()?))
        });
        let kept = kept.collect::<Result<Vec<_>, String>>()?;
        let some = kept.into_par_iter().filter(|(_, kept)| !kept.is_empty());
        let some = some.map(|(name, kept)| Ok((name, made(json(state, kept)?))));
        packed.extend(some.collect::<Result<Vec<_>, String>>()?);
    }
    Ok(packed)
}

fn json(state: &State, kept: Vec<(Game, Kept)>) -> Result<String, String> {
    let record = |(game, kept): (Game, Kept)| Ok(kept.record()?.map(|record| (game, record)));
    let read: Result<Vec<Option<(Game, GameRecord)>>, String> = kept.into_iter().map(record).collect();
    let played: Vec<(Game, GameRecord)> = read?.into_iter().flatten().collect();
    Ok(page::games::json(state, &played))
}
