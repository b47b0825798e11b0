//! What is known of a time in which an engine is waited for, so that its doubt can be told if it turns out too long.
//!
//! An answer that comes at once costs nothing where there is time: the counts of the engine's threads are taken before it is
//! asked only where its last answer took long or its limit is close, and else once it has been waited for a while. What a
//! thread then waits for already is counted when it runs, so little is missed. The counts of a thread cost a microsecond to
//! read, and a timer of a millisecond costs more for each ply; a quick answer is itself a bound on the delay.
//!
//! May not: judge.

use std::time::{Duration, Instant};

use super::delay;
use super::tree::{Did, EngineProcesses, Ran, TreeCounts};

/// Where the last answer took longer, the counts are taken before the next one is asked for.
const LONG: Duration = Duration::from_millis(5);
/// And where its limit is closer than this.
const CLOSE: Duration = Duration::from_secs(1);
/// Else after this.
const WHILE: Duration = Duration::from_millis(5);

/// The time that runs for an engine.
#[derive(Debug, Default)]
pub(super) struct DoubtWatch {
    /// When it began.
    begun: Option<Instant>,
    /// The counts at its beginning, once they have been taken.
    before: Option<TreeCounts>,
    /// What this thread had waited for a processor when the engine was last known to have said nothing more.
    heard: Option<Duration>,
    /// When it was last listened to in vain, before its time was looked into.
    left: Option<Instant>,
    /// How late the last thing was heard, as far as it is known.
    late: Option<Duration>,
}

impl DoubtWatch {
    /// A time begins now, of an engine whose last answer took so long, and which has so much time; `anyhow`: its counts are needed.
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

    /// When the counts are to be taken at the latest, where they have not been.
    #[inline]
    pub(super) fn look(&self) -> Option<Instant> {
        self.begun.filter(|_| self.before.is_none()).map(|begun| begun + WHILE)
    }

    /// Nothing has come for a while.
    pub(super) fn take(&mut self, engine: EngineProcesses<'_>) {
        self.before = Some(TreeCounts::of(engine));
    }

    /// Whether the runner's own delay is known from here on.
    pub(super) const fn is_on(&self) -> bool {
        self.before.is_some()
    }

    /// There is nothing more to be read for now.
    pub(super) fn silence(&mut self) {
        if self.heard.is_none() {
            self.heard = delay::so_far();
        }
    }

    /// Something was read; how late is known where the delay was asked for before.
    pub(super) fn heard(&mut self) {
        let so_far = self.heard.and_then(|_| delay::so_far());
        let waited = so_far.zip(self.heard).map(|(now, before)| now.saturating_sub(before));
        // It may have come at once after nobody listened any more.
        let away = self.left.take().map(|left| left.elapsed());
        self.late = waited.max(away);
        self.heard = so_far;
    }

    /// It is listened to no more for now: its time is over, and is looked into.
    pub(super) fn leave(&mut self) {
        self.left = Some(Instant::now());
    }

    /// Whether nobody has listened since.
    pub(super) const fn was_left(&self) -> bool {
        self.left.is_some()
    }

    /// What this thread has waited so far, where that is of use: it looks whether there is something to be read.
    pub(super) fn looks(&self) -> Option<Duration> {
        self.is_on().then(delay::so_far).flatten()
    }

    /// There was nothing when it looked, having waited so long before; what it waits since makes it late. `None`: that is
    /// counted from the next silence.
    pub(super) const fn nothing_since(&mut self, looked: Option<Duration>) {
        (self.heard, self.left) = (looked, None);
    }

    /// How late the last thing was heard.
    pub(super) const fn late(&self) -> Option<Duration> {
        self.late
    }

    /// Whether there is such a time.
    pub(super) const fn has_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// What the threads ran from the beginning of another time to that of this one, where both are known.
    pub(super) fn ran_since(&self, other: &Self) -> Option<Ran> {
        Some(self.before.as_ref()?.ran_since(other.before.as_ref()?))
    }

    /// What the engine's threads did in this time, `None` where no counts were taken.
    pub(super) fn did(&self, engine: EngineProcesses<'_>) -> Option<Did> {
        let (begun, before) = (self.begun?, self.before.as_ref()?);
        Some(TreeCounts::of(engine).did_since(before, begun.elapsed()))
    }
}
