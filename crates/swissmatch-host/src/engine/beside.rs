//! The other engine while one is waited for: what it says is thrown away, kept or left, and makes nobody wait.
//!
//! May not: wait.

use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::event::PollFlags;

use super::{Engine, MOST_NOISE, MOST_PONDERED};

/// The other engine of a game while one is waited for.
#[derive(Debug)]
pub enum OtherEngine<'a> {
    /// There is none, or what it says is left in its pipe.
    Nobody,
    /// It was asked nothing: what it says is thrown away.
    Resting(&'a mut Engine),
    /// It ponders: what it says is kept, as far as there is room.
    Pondering(&'a mut Engine),
}

impl OtherEngine<'_> {
    pub(super) const fn again(&mut self) -> OtherEngine<'_> {
        match self {
            Self::Nobody => OtherEngine::Nobody,
            Self::Resting(engine) => OtherEngine::Resting(engine),
            Self::Pondering(engine) => OtherEngine::Pondering(engine),
        }
    }

    /// Its output, if it is listened to.
    pub(super) fn output(&self) -> Option<&OwnedFd> {
        match self {
            Self::Nobody => None,
            Self::Resting(engine) => (engine.noise < MOST_NOISE).then_some(&engine.stdout),
            Self::Pondering(engine) => {
                (engine.noise < MOST_NOISE && engine.lines.waiting() < MOST_PONDERED).then_some(&engine.stdout)
            }
        }
    }

    /// Counts what it does from now on, because it may have time to itself.
    pub(super) fn watch(self) {
        if let Self::Resting(engine) | Self::Pondering(engine) = self
            && !engine.resting.is_on()
        {
            engine.resting.take(engine.leash.whose());
        }
    }

    /// When to check it, if it has been stopped.
    pub(super) fn look(&self) -> Option<Instant> {
        match self {
            Self::Resting(engine) => engine.stopped.as_ref()?.look(),
            Self::Nobody | Self::Pondering(_) => None,
        }
    }

    /// Checks it, if it is time.
    pub(super) fn settle(self) {
        if let Self::Resting(engine) = self
            && let Some(stopped) = &mut engine.stopped
            && stopped.look().is_some_and(|look| Instant::now() >= look)
        {
            stopped.settle(engine.leash.whose());
        }
    }

    /// Takes what it said; `said` are the poll flags of its output, if that was listened to.
    pub(super) fn hear(self, said: PollFlags) {
        match self {
            Self::Nobody => {}
            Self::Resting(engine) => {
                engine.is_unheard = !said.is_empty();
                if said.contains(PollFlags::IN) {
                    engine.throw_away();
                } else if !said.is_empty() {
                    // Its output has an end, which shows when it is asked.
                    engine.noise = MOST_NOISE;
                }
            }
            Self::Pondering(engine) => {
                if !said.is_empty() {
                    let read = engine.fill();
                    engine.watch.heard();
                    if !matches!(read, Ok(1..)) {
                        engine.noise = MOST_NOISE;
                    }
                }
                engine.hear_stderr();
            }
        }
    }
}
