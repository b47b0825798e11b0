//! The page of a run that is followed: what a server gives of it.
//!
//! May not: show anything that an embargo keeps back.

use crate::follow::Follow;
use crate::known::OfGames;
use swissmatch_host::run_dir;
use swissmatch_host::store::Store;
use swissmatch_report::event_name;
use swissmatch_report::minutes::Minute;
use swissmatch_report::page::model::{board_name, boards};
use swissmatch_report::page::{self, Feed, FrontEnd, Log, PageSource, ServedPage, Where};
use swissmatch_tournament::embargo::{embargo, published};
use swissmatch_tournament::state::State;

use super::games::Shelf;
use super::{LogExtract, PageError, minutes_of, source};

/// A followed run as its page is to show it.
pub struct FollowedRun {
    state: State,
    told: LogExtract,
    log: Log,
}

impl FollowedRun {
    /// What may be published of it, with these minutes.
    pub fn of(follow: &Follow, minutes: Vec<Minute>) -> Self {
        let seen = follow.seen();
        let log = Log {
            entries: usize::try_from(seen.entry).unwrap_or(usize::MAX),
            head: seen.hash.clone(),
        };
        let state = published(follow.state()).into_owned();
        let course = follow.course().clone().up_to(state.rounds().len());
        let told = LogExtract {
            minutes,
            course,
            of_games: OfGames::default(),
        };
        Self { state, told, log }
    }

    /// What was done by hand, as far as it may be published.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn minutes(follow: &Follow) -> Result<Vec<Minute>, PageError> {
        if embargo(follow.state()).is_some() {
            return Ok(Vec::new());
        }
        let logged = follow.entries().map_err(|error| PageError::Broken(error.to_string()))?;
        minutes_of(&logged)
    }

    /// The page, for a server that has the rest.
    ///
    /// # Errors
    /// When the program has no front end.
    pub fn page(&self, served: ServedPage) -> Result<String, PageError> {
        let front_end = FrontEnd::embedded().ok_or(PageError::NoFrontEnd)?;
        Ok(page::html(&self.source(Some(served)), &front_end))
    }

    /// Its data.
    pub fn data(&self) -> String {
        page::event_json(&self.source(None))
    }

    /// The event for other viewers.
    pub fn feed(&self) -> Feed {
        Feed::of(&self.source(None))
    }

    /// The event's name.
    pub fn event(&self) -> String {
        event_name(&self.state)
    }

    /// How far it is.
    pub fn standing(&self) -> String {
        page::standing(&self.state)
    }

    /// Of how many it is, and since when it is played.
    pub fn about(&self) -> String {
        page::about(&self.state, &self.told.course)
    }

    /// Who leads, or has won.
    pub fn leader(&self) -> Option<String> {
        page::leader(&self.state)
    }

    fn source(&self, served: Option<ServedPage>) -> PageSource<'_> {
        PageSource {
            served,
            ..source(&self.state, &self.told, self.log.clone(), Where::Beside)
        }
    }
}

/// The games of a mini-match of a followed run, by its name, as JSON; `None` where it has none that may be published.
///
/// # Errors
/// When a record is missing or damaged.
pub fn games_of(follow: &Follow, name: &str) -> Result<Option<String>, PageError> {
    let state = published(follow.state());
    let Some((_, of)) = boards(&state).find(|(id, _)| board_name(*id) == name) else {
        return Ok(None);
    };
    let store = Store::open_to_read(&run_dir::log(follow.dir()))?;
    let shelf = Shelf {
        state: &state,
        store: &store,
        of_games: follow.of_games(),
    };
    Ok(shelf.all_of(of)?)
}
