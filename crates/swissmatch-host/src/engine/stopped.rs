//! An engine that is stopped while the other side is to move, and what it runs all the same.
//!
//! A signal stops processes, and another one, sent by a timer, could continue them; a control group has no such gap. So
//! the counts are taken twice: once all processes have had time to stop, and before they go on. May not: stop any
//! process.

use std::time::{Duration, Instant};

use super::tree::{EngineProcesses, TreeCounts};
use swissmatch_game::resource::{Overuse, Resource};

/// After this long all processes have stopped: a control group may take twelve milliseconds, and work in the kernel
/// comes on top.
const SETTLING: Duration = Duration::from_millis(50);
/// A process that runs longer than this after that has found a way around the stop.
const MOST: Duration = Duration::from_millis(50);

/// How long a continued engine may run until it is idle.
const ENDING: Duration = Duration::from_millis(10);
/// How long that may take on a machine that has other work.
const ENDING_AT_MOST: Duration = Duration::from_millis(50);
/// How often to check whether it is idle.
const LOOK_AGAIN: Duration = Duration::from_micros(100);

/// The time in which an engine is stopped.
#[derive(Debug)]
pub(super) struct StoppedTime {
    since: Instant,
    /// The count when all processes had stopped.
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
            // One of the counts could not be read.
            _ => Duration::ZERO,
        }
    }
}

/// Waits until all threads of a continued engine wait for something. It may have been stopped in the middle of work
/// after a move, and if it is asked before that is done it may not take in what it is asked.
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
    /// The time of an engine that has just been stopped.
    pub(super) fn now() -> Self {
        Self {
            since: Instant::now(),
            settled: None,
        }
    }

    /// When to take the first count, if it has not been taken.
    pub(super) fn look(&self) -> Option<Instant> {
        self.settled.is_none().then(|| self.since + SETTLING)
    }

    /// Takes the first count.
    pub(super) fn settle(&mut self, engine: EngineProcesses<'_>) {
        self.settled = Some(Count::of(engine));
    }

    /// What it ran since, if that is more than a stopped engine can.
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
