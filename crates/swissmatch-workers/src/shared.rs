//! What the host of a run and its coordinator have in common: where reports go, and what holds them back.
//!
//! May not: wait.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use swissmatch_game::record::GameId;
use swissmatch_host::host::{HostReport, MayWrite, Reports};

/// That.
#[derive(Debug)]
pub(crate) struct SharedReports(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    reports: Reports,
    /// What the local host answers, while it is asked by this one.
    answers: Option<Vec<HostReport>>,
    /// When this runner was seen to run last, and for how long it may stand still; `None`: before it took the event.
    alive: Option<(Instant, Duration)>,
    /// It stood still for longer: another runner may have taken the event.
    is_in_doubt: bool,
    /// Another runner has taken the event.
    is_overtaken: bool,
    /// Games that have been played, and are told when that is known.
    held: Vec<HostReport>,
    /// Games under way at workers, or played there and not told yet, and at whom.
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

    /// To whom reports go from now on.
    pub(crate) fn connect(&self, reports: Reports) {
        self.lock().reports = reports;
    }

    /// What the local host answers while it is asked this.
    pub(crate) fn asked(&self, ask: impl FnOnce()) -> Vec<HostReport> {
        self.lock().answers = Some(Vec::new());
        ask();
        self.lock().answers.take().unwrap_or_default()
    }

    /// Reports. What was played while this runner may have been overtaken is told when that is known.
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

    /// This runner runs.
    pub(crate) fn runs(&self, lease: Duration) {
        let mut inner = self.lock();
        inner.look();
        inner.alive = Some((Instant::now(), lease));
    }

    /// The event was this runner's at this moment.
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

    /// Nobody looks any more whether this runner has the event: what waits to be written is written now where that was sure, or never.
    pub(crate) fn ends(&self) {
        let mut inner = self.lock();
        inner.look();
        inner.alive = None;
        inner.is_overtaken |= inner.is_in_doubt;
    }

    /// Whether this runner cannot have been overtaken.
    pub(crate) fn may_write(&self) -> MayWrite {
        let mut inner = self.lock();
        inner.look();
        match (inner.is_overtaken, inner.is_in_doubt) {
            (true, _) => MayWrite::NeverMore,
            (false, true) => MayWrite::NotYet,
            (false, false) => MayWrite::Now,
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

impl Inner {
    /// Looks whether this runner stood still.
    fn look(&mut self) {
        self.is_in_doubt |= self.alive.is_some_and(|(seen, lease)| seen.elapsed() > lease);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_millis(20);

    /// A writer that waits for the host's word must not wait for ever when there is no host any more.
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

    /// Also where it is seen to run again first.
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
