//! One run as it is served: its page, its data and its games, each as it was when it was asked for or had last changed.
//!
//! May not: read the log by itself (`watcher` does), or live lines.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};

use crate::report::page::Served;
use crate::run::follow::Follow;
use crate::run::page::{self, Shown};
use crate::tournament::ties::event_is_over;

use super::content::{Content, Keep};
use super::news::News;

const HTML: &str = "text/html; charset=utf-8";
pub(super) const JSON: &str = "application/json";

/// Bytes of games that are kept ready, at most.
const READY: usize = 32 << 20;

/// A run.
pub(super) struct Site {
    /// What its address ends with, where there are several.
    pub(super) name: String,
    pub(super) news: Arc<News>,
    /// The log, as far as it has been read.
    pub(super) followed: Mutex<Follow>,
    /// By which names its page finds script and style.
    pub(super) assets: Assets,
    /// Games that are played at once, at most, as far as that is known.
    pub(super) slots: AtomicUsize,
    shown: RwLock<Option<Ready>>,
    games: Mutex<HashMap<String, Arc<Content>>>,
}

/// Where the front end is, as seen from a page.
#[derive(Clone, Debug)]
pub(super) struct Assets {
    pub(super) script: String,
    pub(super) style: String,
}

/// What is ready to be sent.
#[derive(Clone)]
pub(super) struct Ready {
    pub(super) page: Arc<Content>,
    pub(super) data: Arc<Content>,
    /// Its name and how far it is, for a list of several.
    pub(super) event: String,
    pub(super) standing: String,
}

impl Site {
    pub(super) fn new(name: String, follow: Follow, assets: Assets, news: Arc<News>) -> Self {
        Self {
            name,
            news,
            followed: Mutex::new(follow),
            assets,
            slots: AtomicUsize::new(0),
            shown: RwLock::new(None),
            games: Mutex::default(),
        }
    }

    pub(super) fn followed(&self) -> MutexGuard<'_, Follow> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether its event is over.
    pub(super) fn is_over(&self) -> bool {
        event_is_over(self.followed().state())
    }

    /// The page shows this from now on.
    pub(super) fn show(&self, shown: &Shown, version: &str) -> Result<(), page::NoPage> {
        let served = Served {
            script: self.assets.script.clone(),
            style: self.assets.style.clone(),
            version: version.to_owned(),
        };
        let page = shown.page(served)?;
        let ready = Ready {
            event: shown.event(),
            standing: shown.standing(),
            data: Arc::new(Content::new(JSON, Keep::AskAgain, shown.data())),
            page: Arc::new(Content::new(HTML, Keep::AskAgain, page)),
        };
        *self.shown.write().unwrap_or_else(PoisonError::into_inner) = Some(ready);
        Ok(())
    }

    pub(super) fn ready(&self) -> Option<Ready> {
        self.shown.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The games of these mini-matches are otherwise now; without names all.
    pub(super) fn games_changed(&self, names: Option<&[String]>) {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        match names {
            None => games.clear(),
            Some(names) => names.iter().for_each(|name| drop(games.remove(name))),
        }
    }

    /// The games of a mini-match by its name. This takes a while: one asks at a time.
    pub(super) fn games(&self, name: &str, asked: &HeaderMap) -> Response {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = games.get(name) {
            return ready.answer(asked);
        }
        let follow = self.followed();
        match page::games_of(&follow, name) {
            Ok(Some(json)) => {
                drop(follow);
                let content = Arc::new(Content::new(JSON, Keep::AskAgain, json));
                if games.values().map(|content| content.size()).sum::<usize>() > READY {
                    games.clear();
                }
                games.insert(name.to_owned(), Arc::clone(&content));
                content.answer(asked)
            }
            Ok(None) => (
                StatusCode::NOT_FOUND,
                "There is no such mini-match, or none of its games has been played.\n",
            )
                .into_response(),
            Err(why) => {
                tracing::warn!(%why, name, "the games of a mini-match cannot be read");
                (StatusCode::INTERNAL_SERVER_ERROR, "The games cannot be read.\n").into_response()
            }
        }
    }

    /// Its directory.
    pub(super) fn dir(&self) -> std::path::PathBuf {
        Path::to_path_buf(self.followed().dir())
    }
}
