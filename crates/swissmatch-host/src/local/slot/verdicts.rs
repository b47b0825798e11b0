//! The arbiter's words on games that are being played.
//!
//! May not: end a game.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;

/// The arbiter's words on games that are being played. A slot checks at each move, and every second while an engine
/// thinks.
#[derive(Debug, Default)]
pub(crate) struct Verdicts {
    /// True if there is any; this is what a slot checks.
    any: AtomicBool,
    of_games: Mutex<BTreeMap<GameId, Outcome>>,
}

impl Verdicts {
    fn of_games(&self) -> MutexGuard<'_, BTreeMap<GameId, Outcome>> {
        self.of_games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a game to be ended with this result.
    pub(crate) fn ask(&self, id: GameId, outcome: Outcome) {
        self.of_games().insert(id, outcome);
        self.any.store(true, Ordering::Release);
    }

    /// Forgets a game, which has ended.
    pub(crate) fn forget(&self, id: GameId) {
        let mut of_games = self.of_games();
        of_games.remove(&id);
        self.any.store(!of_games.is_empty(), Ordering::Release);
    }

    #[inline]
    pub(super) fn on(&self, id: GameId) -> Option<Outcome> {
        match self.any.load(Ordering::Acquire) {
            false => None,
            true => self.of_games().get(&id).copied(),
        }
    }
}
