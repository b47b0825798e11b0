//! How much of the machine's memory the engines of a game had, and engines that the kernel ended because others had too
//! much.
//!
//! May not: end any process.

use std::io;
use std::sync::PoisonError;

use signal_hook::consts::SIGKILL;

use super::Agents;
use crate::engine::Engine;
use crate::machine;
use swissmatch_game::Side;
use swissmatch_game::record::{EngineEnd, GameRecord};

/// The machine took an engine's memory for others.
#[derive(Debug, thiserror::Error)]
#[error(
    "the machine had no memory left, and its kernel ended an engine that held less than its share of it: lower engine.max_memory, or play \
     fewer games at once (run.concurrency)"
)]
pub(super) struct MemoryTakenError;

/// True if a game is to be played again because of that.
pub(super) fn is_taken(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<MemoryTakenError>())
}

/// What is known about both sides.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The most memory of engines that have been ended, in bytes.
    peaks: [Option<u64>; 2],
    /// The kernel ended one for the sake of others.
    is_taken: bool,
}

impl Memory {
    /// Notes whether the kernel ended this engine for the sake of others: it had no more than its share of memory, with
    /// which all engines at once would fit.
    pub(super) fn look(&mut self, engine: &mut Engine, agents: &Agents) {
        let engines = 2 * agents.cores.len() as u64;
        let share = machine::memory().and_then(|all| all.checked_div(engines));
        self.is_taken |= share.is_some_and(|share| engine.was_ended_for_others(share));
    }

    /// Why a game with this end is to be played again; `None` if it is not, or has been given up as often as it may be
    /// (`run.replays`).
    pub(super) fn taken(&self, record: &GameRecord, agents: &Agents) -> Option<io::Error> {
        let is_by_it = record.termination.is_fault() && record.engine_end == Some(EngineEnd::Signalled(SIGKILL));
        if !self.is_taken || !is_by_it {
            return None;
        }
        let mut taken = agents.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let times = taken.entry(record.id).or_default();
        if *times >= agents.replays {
            return None;
        }
        *times += 1;
        Some(io::Error::other(MemoryTakenError))
    }

    /// Adds an engine that is about to be ended.
    pub(super) fn add(&mut self, side: Side, engine: &mut Engine) {
        let peak = &mut self.peaks[side.index()];
        *peak = (*peak).max(engine.memory_peak());
    }

    /// The most that an engine of each side held, White's first; empty where nobody counted.
    pub(super) fn peaks(&mut self, engines: &mut [Option<Engine>; 2]) -> Vec<Option<u64>> {
        for (side, engine) in Side::BOTH.into_iter().zip(engines) {
            if let Some(engine) = engine {
                self.add(side, engine);
            }
        }
        match self.peaks.iter().any(Option::is_some) {
            true => self.peaks.into(),
            false => Vec::new(),
        }
    }
}
