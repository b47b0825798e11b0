//! The views of a host: what can be seen of the game at each slot while it is played.
//!
//! A slot shows each move in its view as long as anyone watches, and never waits: if someone is just reading the view,
//! the next move shows this one too. May not: make a slot wait; show the same state of a game twice.
//!
//! Nothing is sent for a move, as that would be a hand-over between threads each time. The views of a host on another
//! machine are updated by the conductor, from its reports.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use swissmatch_game::play::Game;
use swissmatch_game::record::{GameRecord, GameSpec};
use swissmatch_game::seen::GameView;

/// How many times a slot tries to show the end of a game while its view is being read.
const TRIES: usize = 1000;

/// A game as it stands at a slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Live {
    /// The number of the slot, from 0.
    pub slot: usize,
    /// When it began, by the clock on the wall; its times count from then.
    pub begun: Timestamp,
    pub game: GameView,
}

/// The views of all slots.
#[derive(Debug)]
pub struct Views {
    watch: Arc<AtomicU64>,
    slots: Vec<View>,
    /// The number of watches so far.
    watches: AtomicU64,
}

impl Views {
    /// Views of `slots` slots, with nobody watching.
    pub fn new(slots: usize) -> Self {
        let watch = Arc::new(AtomicU64::new(0));
        let view = |_| View {
            watch: Arc::clone(&watch),
            shown: Mutex::default(),
        };
        Self {
            slots: (0..slots).map(view).collect(),
            watch,
            watches: AtomicU64::new(0),
        }
    }

    pub const fn len(&self) -> usize {
        self.slots.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The view of a slot.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn at(&self, slot: usize) -> &View {
        &self.slots[slot]
    }

    /// True if anyone watches.
    pub fn is_watched(&self) -> bool {
        self.watch.load(Ordering::Relaxed) != 0
    }

    /// Begins a watch. What was shown in earlier ones is not seen any more.
    pub fn watch(&self) {
        let number = self.watches.fetch_add(1, Ordering::Relaxed) + 1;
        self.watch.store(number, Ordering::Relaxed);
    }

    /// Ends the watch.
    pub fn leave(&self) {
        self.watch.store(0, Ordering::Relaxed);
    }

    /// Shows a game as a host on another machine reports it.
    pub fn put(&self, live: Live) {
        let watch = self.watch.load(Ordering::Relaxed);
        let Some(view) = self.slots.get(live.slot).filter(|_| watch != 0) else {
            return;
        };
        let mut shown = view.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.belong(watch);
        match &mut shown.now {
            Some((begun, game)) if (*begun, game.id) == (live.begun, live.game.id) => *game = live.game,
            _ => shown.begin(live.begun, live.game),
        }
        shown.version += 1;
    }

    /// What the view of a slot shows, if it has changed since `version`, and its new version: first the game before, if
    /// it has ended unseen, then the one that stands there.
    pub fn look(&self, slot: usize, version: u64) -> Option<(u64, Option<Live>, Option<Live>)> {
        let view = &self.slots[slot];
        let mut shown = view.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let is_old = shown.watch != self.watch.load(Ordering::Relaxed);
        if is_old || shown.version == version {
            return None;
        }
        let live = |(begun, game): (Timestamp, GameView)| Live { slot, begun, game };
        let before = shown.before.take();
        let now = shown.now.clone();
        let version = shown.version;
        shown.looked_at = version;
        drop(shown);
        Some((version, before.map(live), now.map(live)))
    }
}

/// The view of one slot. It has a cache line of its own, so that slots do not wait for each other's.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct View {
    /// The number of the watch; 0 if nobody watches.
    watch: Arc<AtomicU64>,
    shown: Mutex<ViewState>,
}

#[derive(Debug, Default)]
struct ViewState {
    /// The watch that it is shown to.
    watch: u64,
    /// Grows with each change.
    version: u64,
    /// The version that was last looked at.
    looked_at: u64,
    now: Option<(Timestamp, GameView)>,
    /// A game that ended and has not been looked at since.
    before: Option<(Timestamp, GameView)>,
}

impl ViewState {
    /// Drops what was shown in an earlier watch.
    fn belong(&mut self, watch: u64) {
        if self.watch != watch {
            (self.watch, self.now, self.before) = (watch, None, None);
        }
    }

    /// Lets the next game take the view.
    fn begin(&mut self, begun: Timestamp, game: GameView) {
        let was_seen = self.looked_at == self.version;
        let before = self.now.replace((begun, game));
        if !was_seen && before.as_ref().is_some_and(|(_, game)| game.ended.is_some()) {
            self.before = before;
        }
    }
}

impl View {
    /// A game that begins here at `begin`.
    pub const fn game<'a>(&'a self, spec: &'a GameSpec, begin: Instant) -> Shows<'a> {
        Shows {
            view: self,
            spec,
            begin,
            last: None,
        }
    }

    /// Shows the end of a game, whether or not any of it was shown before.
    pub fn end(&self, record: &GameRecord) {
        let watch = self.watch.load(Ordering::Relaxed);
        if watch == 0 {
            return;
        }
        let tries = (0..TRIES).find_map(|_| {
            let shown = self.try_lock();
            if shown.is_none() {
                std::hint::spin_loop();
            }
            shown
        });
        let Some(mut shown) = tries else { return };
        shown.belong(watch);
        match &mut shown.now {
            Some((_, game)) if game.id == record.id && game.ended.is_none() => game.end(record),
            _ => shown.begin(Timestamp::now(), GameView::whole(record)),
        }
        shown.version += 1;
    }

    fn try_lock(&self) -> Option<MutexGuard<'_, ViewState>> {
        self.shown.try_lock().ok()
    }
}

/// A game that is shown while it is played.
#[derive(Debug)]
pub struct Shows<'a> {
    view: &'a View,
    spec: &'a GameSpec,
    begin: Instant,
    last: Option<ViewStamp>,
}

/// How much of a game was shown, and to which watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ViewStamp {
    watch: u64,
    plies: usize,
    since: Option<Duration>,
}

impl Shows<'_> {
    /// Shows where the game stands, once for each move that is asked for. `at_rest` means that nothing is happening, so
    /// that there is time to show everything else that has changed.
    #[inline]
    pub fn show(&mut self, game: &Game, at_rest: bool) {
        let watch = self.view.watch.load(Ordering::Relaxed);
        if watch != 0 {
            self.show_to(watch, game, at_rest);
        }
    }

    fn show_to(&mut self, watch: u64, game: &Game, at_rest: bool) {
        let stamp = ViewStamp {
            watch,
            plies: game.plies(),
            since: game.runs_since(),
        };
        let is_new = self.last.is_none_or(|last| last.watch != watch);
        let is_due = is_new || at_rest || stamp.since.is_some();
        if !is_due || self.last == Some(stamp) {
            return;
        }
        // If it is being read, the next call shows this too.
        let Some(mut shown) = self.view.try_lock() else { return };
        shown.belong(watch);
        if is_new {
            shown.begin(wall(self.begin), GameView::begin(self.spec));
        }
        if let Some((_, seen)) = &mut shown.now {
            game.show(seen);
        }
        shown.version += 1;
        self.last = Some(stamp);
    }
}

/// The time of an instant by the clock on the wall.
fn wall(instant: Instant) -> Timestamp {
    let now = Timestamp::now();
    let ago = SignedDuration::try_from(instant.elapsed()).unwrap_or_default();
    now.checked_sub(ago).unwrap_or(now)
}

#[cfg(test)]
pub(crate) mod tests;
