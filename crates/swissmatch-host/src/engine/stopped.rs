//! An engine that is stopped while the other side is to move: what it runs all the same.
//!
//! A signal stops processes, and another one that a timer sends lets them go on; a control group has no such gap. So it is looked at
//! twice: once everybody has had time to stop, and before they go on. May not: stop anybody.

use std::time::{Duration, Instant};

use super::tree::{EngineProcesses, TreeCounts};
use swissmatch_game::resource::{Overuse, Resource};

/// After so long everybody has stopped: a control group may take twelve milliseconds, and what is in the kernel comes out of it.
const SETTLING: Duration = Duration::from_millis(50);
/// Who runs for longer after that has found a way to run.
const MOST: Duration = Duration::from_millis(50);

/// How long an engine that goes on may run until it is idle.
const ENDING: Duration = Duration::from_millis(10);
/// And how long that may take on a machine that has others to run.
const ENDING_AT_MOST: Duration = Duration::from_millis(50);
/// How often it is looked whether it is.
const LOOK_AGAIN: Duration = Duration::from_micros(100);

/// The time in which an engine is stopped.
#[derive(Debug)]
pub(super) struct StoppedTime {
    since: Instant,
    /// What had been run when everybody had stopped.
    settled: Option<Count>,
}

/// What all processes of an engine have run.
#[derive(Debug)]
enum Count {
    Group(Duration),
    Tree(TreeCounts),
}

impl Count {
    fn of(engine: EngineProcesses<'_>) -> Self {
        let in_group = engine.group.and_then(|group| group.ran());
        in_group.map_or_else(|| Self::Tree(TreeCounts::of(engine)), Self::Group)
    }

    fn since(&self, before: &Self) -> Duration {
        match (self, before) {
            (Self::Group(now), Self::Group(then)) => now.saturating_sub(*then),
            (Self::Tree(now), Self::Tree(then)) => now.ran_since(then).ran,
            // One of them could not be read.
            _ => Duration::ZERO,
        }
    }
}

/// Waits until all threads of an engine that goes on wait for something: it may have been stopped in the middle of what it does behind a
/// move, and an engine that is asked before that is done may not take in what it is asked.
pub(super) fn wait_until_idle(engine: EngineProcesses<'_>) {
    if engine.is_idle() {
        return;
    }
    let (begun, before) = (Instant::now(), Count::of(engine));
    while begun.elapsed() < ENDING_AT_MOST && Count::of(engine).since(&before) < ENDING {
        std::thread::sleep(LOOK_AGAIN);
        if engine.is_idle() {
            return;
        }
    }
}

impl StoppedTime {
    /// It has just been stopped.
    pub(super) fn now() -> Self {
        Self {
            since: Instant::now(),
            settled: None,
        }
    }

    /// When it is to be looked at, where it has not been.
    pub(super) fn look(&self) -> Option<Instant> {
        self.settled.is_none().then(|| self.since + SETTLING)
    }

    /// Looks at it.
    pub(super) fn settle(&mut self, engine: EngineProcesses<'_>) {
        self.settled = Some(Count::of(engine));
    }

    /// What it ran since, if that is more than an engine that is stopped can.
    pub(super) fn over(&self, engine: EngineProcesses<'_>) -> Option<Overuse> {
        let ran = Count::of(engine).since(self.settled.as_ref()?);
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        (ran > MOST).then(|| Overuse {
            resource: Resource::OffTurn,
            used: micros(ran),
            limit: micros(MOST),
        })
    }
}
