//! What the host of a run and its coordinator share: where reports go, and what holds them back.
//!
//! May not: wait.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use swissmatch_game::record::GameId;
use swissmatch_host::host::{HostReport, MayWrite, Reports};

/// Reports on their way to the runner, shared by host and coordinator.
#[derive(Debug)]
pub(crate) struct SharedReports(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    reports: Reports,
    /// The local host's answers, while this one asks it.
    answers: Option<Vec<HostReport>>,
    /// When this runner was last seen running, and for how long it may stand still; `None` before it took the event.
    alive: Option<(Instant, Duration)>,
    /// It stood still for longer: another runner may have taken the event.
    is_in_doubt: bool,
    is_overtaken: bool,
    /// Reports on played games, held back until that is known.
    held: Vec<HostReport>,
    /// Games under way at workers, or played there and not reported yet, with the worker of each.
    under_way: BTreeMap<(GameId, u32), String>,
}

impl SharedReports {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Inner {
            reports: Reports::to(drop),
            answers: None,
            alive: None,
            is_in_doubt: false,
            is_overtaken: false,
            held: Vec::new(),
            under_way: BTreeMap::new(),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends reports here from now on.
    pub(crate) fn connect(&self, reports: Reports) {
        self.lock().reports = reports;
    }

    /// The local host's answers to a request.
    pub(crate) fn asked(&self, ask: impl FnOnce()) -> Vec<HostReport> {
        self.lock().answers = Some(Vec::new());
        ask();
        self.lock().answers.take().unwrap_or_default()
    }

    /// Reports something. Results of games that come while this runner may have been overtaken are held back until that
    /// is known.
    pub(crate) fn tell(&self, report: HostReport) {
        let mut inner = self.lock();
        if let Some(answers) = &mut inner.answers {
            return answers.push(report);
        }
        inner.look();
        inner.is_overtaken |= matches!(report, HostReport::Overtaken(_));
        match inner.is_in_doubt && matches!(report, HostReport::Played(_)) {
            true => inner.held.push(report),
            false => inner.reports.tell(report),
        }
    }

    /// Notes that this runner is running.
    pub(crate) fn runs(&self, lease: Duration) {
        let mut inner = self.lock();
        inner.look();
        inner.alive = Some((Instant::now(), lease));
    }

    /// Notes that the event was this runner's at this moment.
    pub(crate) fn stays(&self, seen: Instant) {
        let mut inner = self.lock();
        inner.look();
        let is_after = inner.alive.is_some_and(|(_, lease)| seen.elapsed() <= lease);
        if is_after {
            inner.is_in_doubt = false;
            let held = std::mem::take(&mut inner.held);
            held.into_iter().for_each(|report| inner.reports.tell(report));
        }
    }

    /// Notes that nobody checks any more whether this runner has the event: what waits is written now if that was
    /// certain, otherwise never.
    pub(crate) fn ends(&self) {
        let mut inner = self.lock();
        inner.look();
        inner.alive = None;
        inner.is_overtaken |= inner.is_in_doubt;
    }

    /// Whether it is certain that this runner has not been overtaken.
    pub(crate) fn may_write(&self) -> MayWrite {
        let mut inner = self.lock();
        inner.look();
        match (inner.is_overtaken, inner.is_in_doubt) {
            (true, _) => MayWrite::NeverMore,
            (false, true) => MayWrite::NotYet,
            (false, false) => MayWrite::Now,
        }
    }

    /// Notes the games under way at workers.
    pub(crate) fn note_under_way(&self, under_way: BTreeMap<(GameId, u32), String>) {
        self.lock().under_way = under_way;
    }

    /// The worker at which a game is under way.
    pub(crate) fn under_way_at(&self, game: (GameId, u32)) -> Option<String> {
        self.lock().under_way.get(&game).cloned()
    }
}

impl Inner {
    /// Checks whether this runner stood still.
    fn look(&mut self) {
        self.is_in_doubt |= self.alive.is_some_and(|(seen, lease)| seen.elapsed() > lease);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_millis(20);

    /// A writer that waits for the host's word must not wait for ever once there is no host.
    #[test]
    fn who_ends_in_doubt_writes_no_more_and_who_ends_without_writes_on() {
        for (pause, at_the_end) in [(Duration::ZERO, MayWrite::Now), (LEASE * 3, MayWrite::NeverMore)] {
            let shared = SharedReports::new();
            assert_eq!(shared.may_write(), MayWrite::Now, "before it took the event");
            shared.runs(Duration::from_secs(60));
            if !pause.is_zero() {
                shared.runs(LEASE);
                std::thread::sleep(pause);
                assert_eq!(shared.may_write(), MayWrite::NotYet);
            }
            shared.ends();
            std::thread::sleep(pause);
            assert_eq!(shared.may_write(), at_the_end);
        }
    }

    /// Even if it is seen running first.
    #[test]
    fn who_stood_still_is_in_doubt_until_it_is_seen_that_the_event_is_its_own() {
        let shared = SharedReports::new();
        shared.runs(LEASE);
        std::thread::sleep(LEASE * 3);
        shared.runs(Duration::from_secs(60));
        assert_eq!(shared.may_write(), MayWrite::NotYet);
        shared.stays(Instant::now());
        assert_eq!(shared.may_write(), MayWrite::Now);
        shared.tell(HostReport::Overtaken(String::new()));
        assert_eq!(shared.may_write(), MayWrite::NeverMore);
    }
}
