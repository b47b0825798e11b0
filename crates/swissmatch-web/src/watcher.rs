//! Watches a run: reads its log as it grows, tells what is new, and has the page made anew.
//!
//! A large event's page takes a while to make, so the longer that takes, the less often it is done. May not: know the readers.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Serialize;

use swissmatch_game::record::GameId;
use swissmatch_report::minutes::Minute;
use swissmatch_report::page::model::{board_name, mini_match};
use swissmatch_run::follow::{Doing, Follow, Look, Now};
use swissmatch_run::page::FollowedRun;
use swissmatch_tournament::embargo::is_held_back;
use swissmatch_tournament::log::Entry;

use super::news::About;
use super::site::Site;
use super::stop::Stop;

/// Time between two looks at the log: while somebody plays or something is shown late, and otherwise.
const SOON: Duration = Duration::from_millis(200);
const RARELY: Duration = Duration::from_secs(2);
/// Least time between two pages.
const APART: Duration = Duration::from_secs(1);
/// After making a page, the watcher rests for this many times as long as that took.
const REST: u32 = 9;
/// Of a mini-match with more games, only the page tells.
const LONG: usize = 2000;

#[derive(Serialize)]
struct RunNews {
    #[serde(flatten)]
    now: Now,
    at_work: bool,
    over: bool,
    /// How much later than it happens everything is told.
    delay_ms: u128,
    live: bool,
    /// Most games that are played at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    slots: Option<usize>,
}

pub(super) struct Watcher {
    pub(super) is_live: bool,
    /// Versions of the page are numbered from here.
    pub(super) first_version: u64,
}

pub(super) fn watch(site: &Site, watcher: &Watcher, stop: &Stop) {
    let mut pages = Pages::new(watcher.first_version);
    loop {
        // The last look comes after the stop was asked for, so that the end of the event is seen.
        let is_last = stop.is_asked();
        let (is_soon, shown) = look(site, watcher, &mut pages, is_last);
        if let Some(shown) = shown {
            pages.make(site, shown);
        }
        if is_last {
            return;
        }
        stop.wait(if is_soon { SOON } else { RARELY });
    }
}

/// When pages were made, and whether another is due.
struct Pages {
    version: u64,
    is_due: bool,
    /// Whether the minutes may have changed.
    are_minutes_due: bool,
    minutes: Vec<Minute>,
    /// The number of the newest news that the last page contained.
    heard: u64,
    next: Instant,
}

impl Pages {
    fn new(version: u64) -> Self {
        Self {
            version,
            is_due: true,
            are_minutes_due: true,
            minutes: Vec::new(),
            heard: 0,
            next: Instant::now(),
        }
    }

    fn make(&mut self, site: &Site, shown: FollowedRun) {
        let begun = Instant::now();
        self.version += 1;
        let version = self.version.to_string();
        let heard = site.news.newest();
        match site.show(shown, &version) {
            Ok(()) => {
                // Whoever has the previous page knows of these; readers of the stream had the time between two pages to hear them.
                let known = std::mem::replace(&mut self.heard, heard);
                site.news
                    .forget(|about, number| matches!(about, About::MiniMatch(_)) && number <= known);
                site.news.tell(About::Page, &serde_json::json!({ "version": version }));
            }
            Err(why) => tracing::warn!(%why, "the page cannot be made"),
        }
        self.next = begun + APART.max(begun.elapsed() * (REST + 1));
    }
}

/// Reads on. Gives whether there may be more soon, and what the page is to show if one is due.
fn look(site: &Site, watcher: &Watcher, pages: &mut Pages, is_last: bool) -> (bool, Option<FollowedRun>) {
    let mut follow = site.followed();
    let now = Timestamp::now();
    match follow.look(now) {
        Ok(Look::Same) => {}
        Ok(Look::Grown(entries)) => {
            pages.is_due = true;
            pages.are_minutes_due |= entries.iter().any(|entry| !matches!(entry, Entry::GameFinished(_)));
            tell_of(site, &follow, &entries);
        }
        Ok(Look::Anew) => {
            (pages.is_due, pages.are_minutes_due) = (true, true);
            site.games_changed(None);
            site.news.forget(|about, _| !matches!(about, About::Slot(_)));
        }
        // A runner packs its files together at its end, and a run may be moved away.
        Err(why) => tracing::debug!(%why, "the log cannot be read just now"),
    }
    let (now, at_work) = (follow.now(now), follow.is_played());
    let run = RunNews {
        at_work,
        over: now.state == Doing::Over,
        delay_ms: follow.delay().as_millis(),
        live: watcher.is_live && at_work,
        slots: site.slots(),
        now,
    };
    site.news.tell(About::Run, &run);
    let is_soon = at_work || follow.is_behind() || pages.is_due;
    if !pages.is_due || (Instant::now() < pages.next && !is_last) {
        return (is_soon, None);
    }
    if pages.are_minutes_due {
        match FollowedRun::minutes(&follow) {
            Ok(minutes) => (pages.minutes, pages.are_minutes_due) = (minutes, false),
            Err(why) => tracing::warn!(%why, "the minutes cannot be read"),
        }
    }
    pages.is_due = false;
    (is_soon, Some(FollowedRun::of(&follow, pages.minutes.clone())))
}

/// Tells of the mini-matches that these entries changed.
fn tell_of(site: &Site, follow: &Follow, entries: &[Entry]) {
    let state = follow.state();
    let finished = entries.iter().filter_map(|entry| match entry {
        Entry::GameFinished(finished) => Some(GameId { game: 1, ..finished.id }),
        _ => None,
    });
    let changed: BTreeSet<GameId> = finished.collect();
    // Acts may change any of them, and the page tells of all.
    match entries.iter().any(|entry| matches!(entry, Entry::Acted(_))) {
        true => site.games_changed(None),
        false => site.games_changed(Some(&changed.iter().copied().map(board_name).collect::<Vec<_>>())),
    }
    for id in changed.into_iter().filter(|id| !is_held_back(state, *id)) {
        let is_long = state.mini_match(id).is_some_and(|of| of.games.len() > LONG);
        if let Some(of) = mini_match(state, id).filter(|_| !is_long) {
            site.news.tell(About::MiniMatch(board_name(id)), &of);
        }
    }
}
