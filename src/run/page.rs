//! The page of a run, as one file: what may be published of it, with its games.
//!
//! May not: show anything that an embargo keeps back.

use rayon::prelude::*;

use super::follow::Follow;
use super::open_run::{Kept, OpenRun};
use crate::game::gz;
use crate::game::record::GameRecord;
use crate::report::event_name;
use crate::report::minutes::{self, Minute};
use crate::report::page::model::{board_name, boards};
use crate::report::page::{self, FrontEnd, Log, Served, Source, Where};
use crate::shell::run_dir;
use crate::shell::store::Store;
use crate::tournament::embargo::{embargo, published};
use crate::tournament::log::Entry;
use crate::tournament::state::{Game, MiniMatch, State};

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

/// A followed run as its page is to show it.
pub struct Shown {
    state: State,
    minutes: Vec<Minute>,
    log: Log,
}

impl Shown {
    /// What may be published of it, with these minutes.
    pub fn of(follow: &Follow, minutes: Vec<Minute>) -> Self {
        let seen = follow.seen();
        let log = Log {
            entries: usize::try_from(seen.entry).unwrap_or(usize::MAX),
            head: seen.hash.clone(),
        };
        Self {
            state: published(follow.state()).into_owned(),
            minutes,
            log,
        }
    }

    /// What was done by hand, as far as it may be published.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn minutes(follow: &Follow) -> Result<Vec<Minute>, NoPage> {
        if embargo(follow.state()).is_some() {
            return Ok(Vec::new());
        }
        let logged = follow.entries().map_err(|error| NoPage::Broken(error.to_string()))?;
        let entries = logged.iter().map(|logged| (logged.at.as_str(), &logged.entry));
        minutes::of_log(&entries.collect::<Vec<_>>()).map_err(|error| NoPage::Broken(error.to_string()))
    }

    /// The page, for a server that has the rest.
    ///
    /// # Errors
    /// When the program has no front end.
    pub fn page(&self, served: Served) -> Result<String, NoPage> {
        let front_end = FrontEnd::embedded().ok_or(NoPage::NoFrontEnd)?;
        Ok(page::html(&self.source(Some(served)), &front_end))
    }

    /// Its data.
    pub fn data(&self) -> String {
        page::event_json(&self.source(None))
    }

    /// The event's name.
    pub fn event(&self) -> String {
        event_name(&self.state)
    }

    /// How far it is.
    pub fn standing(&self) -> String {
        page::standing(&self.state)
    }

    fn source(&self, served: Option<Served>) -> Source<'_> {
        Source {
            state: &self.state,
            minutes: &self.minutes,
            log: self.log.clone(),
            games: Where::Beside,
            served,
        }
    }
}

/// The games of a mini-match of a followed run, by its name, as JSON; `None` where it has none that may be published.
///
/// # Errors
/// When a record is missing or damaged.
pub fn games_of(follow: &Follow, name: &str) -> Result<Option<String>, NoPage> {
    let state = published(follow.state());
    let Some((_, of)) = boards(&state).find(|(id, _)| board_name(*id) == name) else {
        return Ok(None);
    };
    let store = Store::open_to_read(&run_dir::log(follow.dir())).map_err(|error| NoPage::Broken(error.to_string()))?;
    let kept = kept(&store, of).map_err(NoPage::Broken)?;
    if kept.is_empty() {
        return Ok(None);
    }
    json(&state, kept).map(Some).map_err(NoPage::Broken)
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
        served: None,
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
        let kept = some
            .iter()
            .map(|(id, mini_match)| Ok((board_name(*id), kept(&run.store, mini_match)?)));
        let kept = kept.collect::<Result<Vec<_>, String>>()?;
        let some = kept.into_par_iter().filter(|(_, kept)| !kept.is_empty());
        let some = some.map(|(name, kept)| Ok((name, made(json(state, kept)?))));
        packed.extend(some.collect::<Result<Vec<_>, String>>()?);
    }
    Ok(packed)
}

/// The games of a mini-match that have records, as they are kept.
fn kept(store: &Store, mini_match: &MiniMatch) -> Result<Vec<(Game, Kept)>, String> {
    let played = mini_match
        .games
        .iter()
        .flatten()
        .filter(|game| game.finished.has_record);
    let kept = played.map(|game| Kept::of(store, &game).map(|kept| (game, kept)));
    kept.collect()
}

fn json(state: &State, kept: Vec<(Game, Kept)>) -> Result<String, String> {
    let record = |(game, kept): (Game, Kept)| Ok(kept.record()?.map(|record| (game, record)));
    let read: Result<Vec<Option<(Game, GameRecord)>>, String> = kept.into_iter().map(record).collect();
    let played: Vec<(Game, GameRecord)> = read?.into_iter().flatten().collect();
    Ok(page::games::json(state, &played))
}
