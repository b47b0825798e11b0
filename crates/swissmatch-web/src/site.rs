//! One run as it is served: its page, its data and its games, each as it was when it was asked for or had last changed.
//!
//! May not: read the log by itself (`watcher` does), or live lines.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::Semaphore;

use swissmatch_report::page::{Feed, GameUnderWay, ServedPage};
use swissmatch_run::follow::Follow;
use swissmatch_run::page::{self, FollowedRun};
use swissmatch_tournament::live::LiveLine;
use swissmatch_tournament::ties::event_is_over;

use super::content::{JSON, Keep, ResponseContent};
use super::news::News;
use super::under_way::UnderWay;

const HTML: &str = "text/html; charset=utf-8";

/// So long after it was made a page may not have come to everybody: they ask for it within some seconds.
const NEW: Duration = Duration::from_secs(10);
/// Bytes of games that are kept ready, at most.
const READY: usize = 32 << 20;
/// Readers who are sent games as PGN at once, at most.
const PGN_AT_ONCE: usize = 16;

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
    /// Games that are being played.
    pub(super) under_way: UnderWay,
    shown: RwLock<Option<Ready>>,
    games: Mutex<HashMap<String, Arc<ResponseContent>>>,
    feed: Mutex<Option<MadeFeed>>,
    /// Places for who is sent games as PGN.
    pub(super) pgn_places: Arc<Semaphore>,
    /// Who has it writes a part of them.
    pub(super) pgn_turn: Mutex<()>,
}

/// A feed that was made, and of what.
struct MadeFeed {
    of: Arc<FollowedRun>,
    under_way: Vec<GameUnderWay>,
    feed: Feed,
    content: ResponseContent,
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
    pub(super) page: Arc<ResponseContent>,
    pub(super) data: Arc<ResponseContent>,
    /// Of what both are made.
    shown: Arc<FollowedRun>,
    /// Since when this is the newest.
    pub(super) since: Instant,
    /// Its name, how far it is, of how many and since when, and who leads: for a list of several.
    pub(super) event: String,
    pub(super) standing: String,
    pub(super) about: String,
    pub(super) leader: Option<String>,
}

impl Site {
    pub(super) fn new(name: String, follow: Follow, assets: Assets, news: Arc<News>) -> Self {
        Self {
            name,
            news,
            followed: Mutex::new(follow),
            assets,
            slots: AtomicUsize::new(0),
            under_way: UnderWay::default(),
            shown: RwLock::new(None),
            games: Mutex::default(),
            feed: Mutex::default(),
            pgn_places: Arc::new(Semaphore::new(PGN_AT_ONCE)),
            pgn_turn: Mutex::default(),
        }
    }

    pub(super) fn followed(&self) -> MutexGuard<'_, Follow> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Games that are played at once, at most, where that is known.
    pub(super) fn slots(&self) -> Option<usize> {
        Some(self.slots.load(Ordering::Relaxed)).filter(|slots| *slots > 0)
    }

    /// Whether its event is over, and those who follow it may not have the page that says so.
    pub(super) fn is_just_over(&self) -> bool {
        let is_new = self.ready().is_some_and(|ready| ready.since.elapsed() < NEW);
        is_new && event_is_over(self.followed().state())
    }

    /// The page shows this from now on.
    pub(super) fn show(&self, shown: FollowedRun, version: &str) -> Result<(), page::PageError> {
        let served = ServedPage {
            script: self.assets.script.clone(),
            style: self.assets.style.clone(),
            version: version.to_owned(),
            slots: self.slots(),
        };
        let page = shown.page(served)?;
        let ready = Ready {
            event: shown.event(),
            standing: shown.standing(),
            since: Instant::now(),
            about: shown.about(),
            leader: shown.leader(),
            data: Arc::new(ResponseContent::new(JSON, Keep::AskAgain, shown.data())),
            page: Arc::new(ResponseContent::new(HTML, Keep::AskAgain, page)),
            shown: Arc::new(shown),
        };
        *self.shown.write().unwrap_or_else(PoisonError::into_inner) = Some(ready);
        Ok(())
    }

    pub(super) fn ready(&self) -> Option<Ready> {
        self.shown.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The event for other viewers, with the games that are being played; `None` before the first page. Made when it is asked for.
    pub(super) fn feed(&self, asked: &HeaderMap) -> Option<Response> {
        let ready = self.ready()?;
        let under_way = self.under_way();
        let made = &mut *self.feed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = made.take().filter(|made| Arc::ptr_eq(&made.of, &ready.shown));
        let now = match known {
            Some(known) if known.under_way == under_way => known,
            known => {
                let feed = known.map_or_else(|| ready.shown.feed(), |known| known.feed);
                MadeFeed {
                    content: ResponseContent::new(JSON, Keep::AskAgain, feed.with_games_under_way(&under_way)),
                    of: ready.shown,
                    under_way,
                    feed,
                }
            }
        };
        let answer = now.content.answer(asked);
        *made = Some(now);
        Some(answer)
    }

    /// The games that are being played, as far as they are shown, in schedule order.
    fn under_way(&self) -> Vec<GameUnderWay> {
        let lines = self.news.games();
        let games = lines.iter().filter_map(|line| match serde_json::from_str(line) {
            Ok(LiveLine::Game(game)) if game.ended.is_none() => Some(GameUnderWay {
                id: game.id,
                white: game.white.pairing_number,
                black: game.black.pairing_number,
                begun: game.begun.to_string(),
            }),
            _ => None,
        });
        let mut games: Vec<GameUnderWay> = games.collect();
        games.sort_by_key(|game| game.id);
        games
    }

    /// The games of these mini-matches are otherwise now; without names all. Whoever says so holds the log ([`Self::followed`]).
    pub(super) fn games_changed(&self, names: Option<&[String]>) {
        let mut games = self.kept_games();
        match names {
            None => games.clear(),
            Some(names) => names.iter().for_each(|name| drop(games.remove(name))),
        }
    }

    /// The games of a mini-match by its name. This takes a while: one asks at a time.
    pub(super) fn games(&self, name: &str, asked: &HeaderMap) -> Response {
        // The games are locked for a moment only, and never before the log: whoever reads that on changes them.
        let kept = || self.kept_games().get(name).cloned();
        if let Some(ready) = kept() {
            return ready.answer(asked);
        }
        let follow = self.followed();
        // Whoever asked before may have made them meanwhile.
        if let Some(ready) = kept() {
            return ready.answer(asked);
        }
        match page::games_of(&follow, name) {
            Ok(Some(json)) => {
                let content = Arc::new(ResponseContent::new(JSON, Keep::AskAgain, json));
                let mut games = self.kept_games();
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

    fn kept_games(&self) -> MutexGuard<'_, HashMap<String, Arc<ResponseContent>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its directory.
    pub(super) fn dir(&self) -> std::path::PathBuf {
        Path::to_path_buf(self.followed().dir())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use jiff::Timestamp;

    use super::*;
    use swissmatch_host::threads;

    const PATIENCE: Duration = Duration::from_secs(20);

    /// Whoever reads the log on holds it, and then says which games are otherwise: who asks for games meanwhile is in nobody's way.
    #[test]
    fn who_asks_for_games_does_not_hold_up_who_reads_the_log() {
        let run = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/kept-run");
        let place = tempfile::tempdir().expect("a directory");
        std::fs::copy(run.join("run.sqlite"), place.path().join("run.sqlite")).expect("a copy");
        let follow = Follow::open(place.path(), Timestamp::now()).expect("a run");
        let assets = Assets {
            script: String::new(),
            style: String::new(),
        };
        let site = Arc::new(Site::new("run".to_owned(), follow, assets, Arc::new(News::after(0))));
        let reads = site.followed();
        let (asks, asked) = mpsc::channel();
        for name in ["1.1", "9.9"] {
            let (site, asks) = (Arc::clone(&site), asks.clone());
            threads::start("asks", move || {
                asks.send((name, site.games(name, &HeaderMap::new()).status().as_u16()))
            })
            .expect("a thread");
        }
        // They wait for the log.
        assert!(asked.recv_timeout(Duration::from_millis(200)).is_err());
        let (says, said) = mpsc::channel();
        let changes = Arc::clone(&site);
        threads::start("changes", move || {
            changes.games_changed(None);
            says.send(())
        })
        .expect("a thread");
        said.recv_timeout(PATIENCE).expect("it waits for nobody");
        drop(reads);
        let mut answers = [(); 2].map(|()| asked.recv_timeout(PATIENCE).expect("an answer"));
        answers.sort_unstable();
        assert_eq!(answers, [("1.1", 200), ("9.9", 404)]);
    }
}
