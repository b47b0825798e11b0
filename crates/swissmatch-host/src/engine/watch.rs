//! What is known about a time in which an engine is waited for, so that its doubt can be told if it takes too long.
//!
//! An answer that comes at once costs nothing if there is time. The counts of the engine's threads are taken before it
//! is asked only if its last answer took long or its limit is close, otherwise once it has been waited for a while. A
//! thread's wait that began by then is counted when it runs, so little is missed. Reading a thread's counts costs a
//! microsecond, and a timer of a millisecond would cost more for each ply; a quick answer is itself a bound on the
//! delay.
//!
//! May not: judge.

use std::time::{Duration, Instant};

use super::delay;
use super::tree::{Did, EngineProcesses, Ran, TreeCounts};

/// If the last answer took longer, the counts are taken before the next one is asked for.
const LONG: Duration = Duration::from_millis(5);
/// The same if its limit is closer than this.
const CLOSE: Duration = Duration::from_secs(1);
/// Otherwise they are taken after this.
const WHILE: Duration = Duration::from_millis(5);

/// The watch over the time that runs for an engine.
#[derive(Debug, Default)]
pub(super) struct DoubtWatch {
    /// When it began.
    begun: Option<Instant>,
    /// The counts at its beginning, once taken.
    before: Option<TreeCounts>,
    /// How long this thread had waited for a processor when the engine was last known to have said nothing more.
    heard: Option<Duration>,
    /// When it was last listened to in vain, before its time was looked into.
    left: Option<Instant>,
    /// How late the last thing was heard, as far as known.
    late: Option<Duration>,
}

impl DoubtWatch {
    /// Begins a time for an engine whose last answer took `last`, and which has `limit`; `anyhow` means that its counts
    /// are needed.
    #[inline]
    pub(super) fn begin(engine: EngineProcesses<'_>, last: Duration, limit: Duration, anyhow: bool) -> Self {
        let at_once = anyhow || last > LONG || limit < CLOSE;
        Self {
            before: at_once.then(|| TreeCounts::of(engine)),
            begun: Some(Instant::now()),
            heard: at_once.then(delay::so_far).flatten(),
            ..Self::default()
        }
    }

    /// The latest time for taking the counts, if they have not been taken.
    #[inline]
    pub(super) fn look(&self) -> Option<Instant> {
        self.begun.filter(|_| self.before.is_none()).map(|begun| begun + WHILE)
    }

    /// Takes the counts, because nothing has come for a while.
    pub(super) fn take(&mut self, engine: EngineProcesses<'_>) {
        self.before = Some(TreeCounts::of(engine));
    }

    /// True if the runner's own delay is known from here on.
    pub(super) const fn is_on(&self) -> bool {
        self.before.is_some()
    }

    /// Notes that there is nothing more to read for now.
    pub(super) fn silence(&mut self) {
        if self.heard.is_none() {
            self.heard = delay::so_far();
        }
    }

    /// Notes that something was read; how late is known if the delay was asked for before.
    pub(super) fn heard(&mut self) {
        let so_far = self.heard.and_then(|_| delay::so_far());
        let waited = so_far.zip(self.heard).map(|(now, before)| now.saturating_sub(before));
        // It may have come just after nobody listened any more.
        let away = self.left.take().map(|left| left.elapsed());
        self.late = waited.max(away);
        self.heard = so_far;
    }

    /// Stops listening for now: its time is over, and is looked into.
    pub(super) fn leave(&mut self) {
        self.left = Some(Instant::now());
    }

    /// True if nobody has listened since.
    pub(super) const fn was_left(&self) -> bool {
        self.left.is_some()
    }

    /// How long this thread has waited so far, if that is of use when it looks for something to read.
    pub(super) fn looks(&self) -> Option<Duration> {
        self.is_on().then(delay::so_far).flatten()
    }

    /// Notes that there was nothing to read at a look; later waits make the thread late. `None` counts from the next
    /// silence.
    pub(super) const fn nothing_since(&mut self, looked: Option<Duration>) {
        (self.heard, self.left) = (looked, None);
    }

    /// How late the last thing was heard.
    pub(super) const fn late(&self) -> Option<Duration> {
        self.late
    }

    pub(super) const fn has_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// What the threads ran from the beginning of `other` to that of this watch, if both are known.
    pub(super) fn ran_since(&self, other: &Self) -> Option<Ran> {
        Some(self.before.as_ref()?.ran_since(other.before.as_ref()?))
    }

    /// What the engine's threads did in this time; `None` if no counts were taken.
    pub(super) fn did(&self, engine: EngineProcesses<'_>) -> Option<Did> {
        let (begun, before) = (self.begun?, self.before.as_ref()?);
        Some(TreeCounts::of(engine).did_since(before, begun.elapsed()))
    }
}
