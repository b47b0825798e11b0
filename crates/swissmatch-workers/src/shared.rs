//! What the host of a run and its coordinator have in common: where reports go, and what holds them back.
//!
//! May not: wait.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use swissmatch_game::record::GameId;
use swissmatch_host::host::{Report, Reports};

/// That.
#[derive(Debug)]
pub(crate) struct Shared(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    reports: Reports,
    /// What the local host answers, while it is asked by this one.
    answers: Option<Vec<Report>>,
    /// For how long the event is this runner's, from when that was seen last; `None`: before it was taken.
    tenure: Option<(Instant, Duration)>,
    /// Games that have been played, and are told when it is seen again.
    held: Vec<Report>,
    /// Games under way at workers, or played there and not told yet, and at whom.
    under_way: BTreeMap<(GameId, u32), String>,
}

impl Shared {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Inner {
            reports: Reports::to(drop),
            answers: None,
            tenure: None,
            held: Vec::new(),
            under_way: BTreeMap::new(),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To whom reports go from now on.
    pub(crate) fn connect(&self, reports: Reports) {
        self.lock().reports = reports;
    }

    /// What the local host answers while it is asked this.
    pub(crate) fn asked(&self, ask: impl FnOnce()) -> Vec<Report> {
        self.lock().answers = Some(Vec::new());
        ask();
        self.lock().answers.take().unwrap_or_default()
    }

    /// Reports. Whoever was paused for longer than a lease may have been overtaken: what was played is told when that is known.
    pub(crate) fn tell(&self, report: Report) {
        let mut inner = self.lock();
        if let Some(answers) = &mut inner.answers {
            return answers.push(report);
        }
        let is_over = inner.tenure.is_some_and(|(seen, lease)| seen.elapsed() > lease);
        match is_over && matches!(report, Report::Played(_)) {
            true => inner.held.push(report),
            false => inner.reports.tell(report),
        }
    }

    /// The event was this runner's at this moment, and is for a lease.
    pub(crate) fn stays(&self, seen: Instant, lease: Duration) {
        let mut inner = self.lock();
        inner.tenure = Some((seen, lease));
        if seen.elapsed() <= lease {
            let held = std::mem::take(&mut inner.held);
            held.into_iter().for_each(|report| inner.reports.tell(report));
        }
    }

    /// Notes what is under way at workers.
    pub(crate) fn note_under_way(&self, under_way: BTreeMap<(GameId, u32), String>) {
        self.lock().under_way = under_way;
    }

    /// At whom a game is under way.
    pub(crate) fn under_way_at(&self, game: (GameId, u32)) -> Option<String> {
        self.lock().under_way.get(&game).cloned()
    }
}
