//! The page of a run, as one file: what may be published of it, with its games.
//!
//! May not: show anything that an embargo keeps back.

mod followed;
pub(super) mod games;

use std::io;
use std::path::Path;

use self::games::Shelf;
use super::known::OfGames;
use super::ladder::{LADDER_PAGE, LADDER_TABLE};
use super::open_run::OpenRun;
use swissmatch_host::store::{LoggedEntry, Store, StoreError};
use swissmatch_host::{files, run_dir};
use swissmatch_report::minutes::{self, Minute};
use swissmatch_report::page::{self, EventCourse, Feed, FrontEnd, Log, PageSource, Where};
use swissmatch_tournament::embargo::{embargo, published};
use swissmatch_tournament::log::Entry;
use swissmatch_tournament::state::{BrokenLogError, State};

pub use followed::{FollowedRun, games_of};

/// The page in its folder.
pub const INDEX: &str = "index.html";
/// The event for other viewers.
const FEED: &str = "feed.json";
/// Why a run has no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The program was built without it.
    #[error(
        "this program was built without the front end of the page, so it cannot make one; with node 20.19 or later, `make` in the \
         source of swissmatch builds both"
    )]
    NoFrontEnd,
    /// A record is missing or damaged, or the log makes no sense.
    #[error("{0}")]
    Broken(String),
    /// A file cannot be written.
    #[error(transparent)]
    NotWritten(#[from] io::Error),
}

impl From<String> for PageError {
    fn from(why: String) -> Self {
        Self::Broken(why)
    }
}

impl From<StoreError> for PageError {
    fn from(why: StoreError) -> Self {
        Self::Broken(why.to_string())
    }
}

/// The page as a folder for any web server: the page, its data, and what else people take with them, by their names in it.
///
/// # Errors
/// When the program has no front end, or the run is damaged.
pub fn folder(run: &OpenRun) -> Result<Vec<(String, String)>, PageError> {
    let front_end = FrontEnd::embedded().ok_or(PageError::NoFrontEnd)?;
    let state = published(&run.state);
    let told = LogExtract::by(&run.logged, &run.state)?;
    let mut files = Vec::new();
    let add = |id: String, json: String| -> Result<(), String> {
        files.push((format!("games/{id}.json"), json));
        Ok(())
    };
    games::each(told.shelf(&state, &run.store), usize::MAX, |json| json, add)?;
    let source = source(&state, &told, log_of(&run.logged), Where::Beside);
    files.push(("event.json".to_owned(), page::event_json(&source)));
    files.push((FEED.to_owned(), Feed::of(&source).text()));
    files.extend(ladder(&run.dir)?);
    // Last: whoever reads it finds the rest.
    files.push((INDEX.to_owned(), page::html(&source, &front_end)));
    Ok(files)
}

/// The page of the ladder before an event, and its table, where there is one.
fn ladder(run: &Path) -> io::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for name in [LADDER_PAGE, LADDER_TABLE] {
        let name = format!("{}/{name}", run_dir::LADDER);
        let path = run.join(&name);
        match files::read_plain(&path) {
            Ok(text) => found.push((name, text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(files::about(&path, &error)),
        }
    }
    Ok(found)
}

/// What a page is made of.
pub(super) fn source<'a>(state: &'a State, told: &'a LogExtract, log: Log, games: Where) -> PageSource<'a> {
    PageSource {
        state,
        minutes: &told.minutes,
        course: &told.course,
        log,
        games,
        served: None,
    }
}

/// What a log tells of an event beside its state.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogExtract {
    /// What was done by hand; nothing while an embargo lasts, as it says what was going on.
    minutes: Vec<Minute>,
    /// When rounds were played, as far as they may be published, and what was announced: that is public at once.
    course: EventCourse,
    /// What it says of games.
    of_games: OfGames,
}

impl LogExtract {
    /// By these entries of the event that stands so.
    ///
    /// # Errors
    /// When they are no event's history.
    pub(super) fn by(logged: &[LoggedEntry], state: &State) -> Result<Self, PageError> {
        let minutes = match embargo(state) {
            Some(_) => Vec::new(),
            None => minutes_of(logged)?,
        };
        let mut reading = Reading::default();
        logged.iter().try_for_each(|logged| reading.take(logged))?;
        Ok(reading.told(minutes, state))
    }

    /// The same of a log that is read again, not all of it in memory unless it has anything for the minutes.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn in_store(store: &Store, state: &State) -> Result<Self, PageError> {
        if embargo(state).is_none() && store.has_any(&minutes::KINDS)? {
            return Self::by(&store.entries()?, state);
        }
        let mut reading = Reading::default();
        store.each_entry(|logged| reading.take(&logged))?;
        Ok(reading.told(Vec::new(), state))
    }

    /// Where games of the event that is to be shown so are read from.
    pub(super) const fn shelf<'a>(&'a self, state: &'a State, store: &'a Store) -> Shelf<'a> {
        Shelf {
            state,
            store,
            of_games: &self.of_games,
        }
    }
}

/// A log that is read entry by entry.
#[derive(Default)]
struct Reading {
    state: Option<State>,
    course: EventCourse,
    of_games: OfGames,
}

impl Reading {
    fn take(&mut self, logged: &LoggedEntry) -> Result<(), PageError> {
        let Some(before) = &mut self.state else {
            self.state = Some(State::fold([&logged.entry]).map_err(broken)?);
            return Ok(());
        };
        self.course.take(before, &logged.at, &logged.entry);
        self.of_games.take(before, logged);
        before.apply(&logged.entry).map_err(broken)
    }

    fn told(self, minutes: Vec<Minute>, state: &State) -> LogExtract {
        LogExtract {
            minutes,
            course: self.course.up_to(published(state).rounds().len()),
            of_games: self.of_games,
        }
    }
}

fn minutes_of(logged: &[LoggedEntry]) -> Result<Vec<Minute>, PageError> {
    let entries = logged.iter().map(|logged| (logged.at.as_str(), &logged.entry));
    minutes::of_log(&entries.collect::<Vec<(&str, &Entry)>>()).map_err(broken)
}

fn broken(why: BrokenLogError) -> PageError {
    PageError::Broken(why.to_string())
}

/// How the log is known that was read.
pub(super) fn log_of(logged: &[LoggedEntry]) -> Log {
    let last = logged.last().expect("an open run has entries");
    Log {
        entries: logged.len(),
        head: last.hash.clone(),
    }
}

/// The same of a log that is not read again.
///
/// # Errors
/// When its end cannot be read.
pub(super) fn log_in(store: &Store) -> Result<Log, PageError> {
    let end = store.end()?;
    Ok(Log {
        entries: usize::try_from(end.entry).expect("entries are counted from 1"),
        head: end.hash,
    })
}
