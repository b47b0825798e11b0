//! One run as it is served: its page, its data and its games, each as it was when it was asked for or last changed.
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

/// For this long after it was made, a page may not have reached everybody: readers ask for it within some seconds.
const NEW: Duration = Duration::from_secs(10);
/// Most bytes of games that are kept ready.
const READY: usize = 32 << 20;
/// Most readers who are sent games as PGN at once.
const PGN_AT_ONCE: usize = 16;

pub(super) struct Site {
    /// What its address ends with, where there are several.
    pub(super) name: String,
    pub(super) news: Arc<News>,
    /// The log, as far as it has been read.
    pub(super) followed: Mutex<Follow>,
    pub(super) assets: Assets,
    /// Most games that are played at once, as far as that is known.
    pub(super) slots: AtomicUsize,
    pub(super) under_way: UnderWay,
    shown: RwLock<Option<Ready>>,
    games: Mutex<HashMap<String, Arc<ResponseContent>>>,
    feed: Mutex<Option<MadeFeed>>,
    /// Places for readers of games as PGN.
    pub(super) pgn_places: Arc<Semaphore>,
    /// Whoever holds it writes a part of them.
    pub(super) pgn_turn: Mutex<()>,
}

/// A feed, and what it was made of.
struct MadeFeed {
    of: Arc<FollowedRun>,
    under_way: Vec<GameUnderWay>,
    feed: Feed,
    content: ResponseContent,
}

/// The addresses of script and style, as seen from a page.
#[derive(Clone, Debug)]
pub(super) struct Assets {
    pub(super) script: String,
    pub(super) style: String,
}

/// Content that is ready to be sent.
#[derive(Clone)]
pub(super) struct Ready {
    pub(super) page: Arc<ResponseContent>,
    pub(super) data: Arc<ResponseContent>,
    /// What both were made from.
    shown: Arc<FollowedRun>,
    /// Since when this is the newest.
    pub(super) since: Instant,
    /// A line for a list of several runs: name, progress, size, start, and who leads.
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

    pub(super) fn slots(&self) -> Option<usize> {
        Some(self.slots.load(Ordering::Relaxed)).filter(|slots| *slots > 0)
    }

    /// Whether its event ended so lately that some readers may lack the page that says so.
    pub(super) fn is_just_over(&self) -> bool {
        let is_new = self.ready().is_some_and(|ready| ready.since.elapsed() < NEW);
        is_new && event_is_over(self.followed().state())
    }

    /// Makes the page anew.
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

    /// The event for other viewers, with the games that are being played, made on demand; `None` before the first page.
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

    /// The games that are being played, as far as they may be shown, in schedule order.
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

    /// Forgets the kept games of these mini-matches, or of all without names. The caller holds the log ([`Self::followed`]).
    pub(super) fn games_changed(&self, names: Option<&[String]>) {
        let mut games = self.kept_games();
        match names {
            None => games.clear(),
            Some(names) => names.iter().for_each(|name| drop(games.remove(name))),
        }
    }

    /// The games of a mini-match, by its name. This takes a while, so one request is served at a time.
    pub(super) fn games(&self, name: &str, asked: &HeaderMap) -> Response {
        // The games are locked for a moment only, and never before the log, since whoever reads the log on changes them.
        let kept = || self.kept_games().get(name).cloned();
        if let Some(ready) = kept() {
            return ready.answer(asked);
        }
        let follow = self.followed();
        // An earlier request may have made them meanwhile.
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

    /// A reader of the log holds it while it says which games have changed. A request for games at that time blocks nobody.
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
        // The request waits for the log.
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
