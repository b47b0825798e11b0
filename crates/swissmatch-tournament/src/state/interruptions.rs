//! How often games were interrupted: a fold over the ends of runners, services that did not answer, and machines that did not play.
//!
//! May not: know how games are handed out.

use super::State;
use super::broken::BrokenLogError;
use crate::log::{Cause, GamesInterrupted};
use swissmatch_game::record::GameId;

/// The interruptions of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interruptions {
    /// Why, each time.
    pub causes: Vec<Cause>,
    /// So many of them count no more: the arbiter had the game replayed after them.
    forgiven: usize,
}

impl Interruptions {
    /// Those that count: since the arbiter had the game replayed, by no service that was away, and by no machine that could play nothing. No
    /// game begins at such a service until it answers, and the run ends where nothing can be played, so these have an end.
    pub fn counted(&self) -> Vec<&Cause> {
        let since = self.causes[self.forgiven..].iter();
        since
            .filter(|cause| !matches!(cause, Cause::Outage(_) | Cause::Standstill(_)))
            .collect()
    }
}

impl State {
    /// Adds what left games open.
    ///
    /// # Errors
    /// When it names a game that was not due, or names one twice.
    pub(super) fn apply_interrupted(&mut self, interrupted: &GamesInterrupted) -> Result<(), BrokenLogError> {
        let games = self.open_games(interrupted);
        let is_in_order = games.is_sorted_by(|one, next| one < next);
        if let Some(game) = games.iter().find(|game| !is_in_order || !self.is_due(**game)) {
            return Err(BrokenLogError::Interrupted(*game));
        }
        for game in games {
            self.interrupted
                .entry(game)
                .or_default()
                .causes
                .push(interrupted.cause());
        }
        Ok(())
    }

    /// The games that were open, or may have been, at this interruption.
    pub fn open_games(&self, interrupted: &GamesInterrupted) -> Vec<GameId> {
        match &interrupted.games {
            Some(games) => games.clone(),
            // Each may have been open. Whoever kills runners so that nobody knows which must not have them played for ever.
            None => self.due().map(|(game, _)| game).collect(),
        }
    }

    /// The interruptions of a game are counted anew.
    pub(super) fn forgive_interruptions(&mut self, game: GameId) {
        if let Some(interruptions) = self.interrupted.get_mut(&game) {
            interruptions.forgiven = interruptions.causes.len();
        }
    }

    /// Whether a game is on the schedule and has not ended.
    pub fn is_due(&self, id: GameId) -> bool {
        self.mini_match(id).is_some_and(|board| board.games.is_due(id.game))
    }

    /// The interruptions of a game; `None`: it was not interrupted.
    pub fn interruptions(&self, id: GameId) -> Option<&Interruptions> {
        self.interrupted.get(&id)
    }

    /// Whether a game that has not ended was interrupted more often than `run.replays` allows, so that the arbiter has to rule.
    pub fn is_held(&self, id: GameId) -> bool {
        let counted = self.interrupted.get(&id).map_or(0, |game| game.counted().len());
        counted > self.setup().run.replays as usize && self.is_due(id)
    }

    /// Such games of the mini-match to which a game belongs.
    pub(crate) fn held_beside(&self, game: GameId) -> impl Iterator<Item = GameId> {
        let interrupted = self.interrupted.range(game.mini_match()).map(|(game, _)| *game);
        interrupted.filter(|game| self.is_held(*game))
    }

    /// All such games, in the order of the schedule.
    pub fn held_games(&self) -> impl Iterator<Item = GameId> {
        let interrupted = self.interrupted.keys().copied();
        interrupted.filter(|game| self.is_held(*game))
    }
}
