//! What the arbiter says of games that are being played.
//!
//! May not: end one.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;

/// What the arbiter says of games that are being played. A slot looks at each move, and every second while an engine thinks.
#[derive(Debug, Default)]
pub(crate) struct Verdicts {
    /// Whether there is any: what a slot looks at.
    any: AtomicBool,
    of_games: Mutex<BTreeMap<GameId, Outcome>>,
}

impl Verdicts {
    fn of_games(&self) -> MutexGuard<'_, BTreeMap<GameId, Outcome>> {
        self.of_games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a game to be ended so.
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
