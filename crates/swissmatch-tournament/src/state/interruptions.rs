//! How often games were interrupted: a fold over the ends of runners, services that did not answer, and machines that
//! did not play.
//!
//! May not: know how games are handed out.

use super::State;
use super::broken::BrokenLogError;
use crate::log::{Cause, GamesInterrupted};
use swissmatch_game::record::GameId;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interruptions {
    /// The cause of each interruption.
    pub causes: Vec<Cause>,
    /// How many of them no longer count, because the arbiter had the game replayed after them.
    forgiven: usize,
}

impl Interruptions {
    /// The interruptions that count: those since the arbiter had the game replayed, but not those by a service that was
    /// away or a machine that could play nothing. These end by themselves: no game begins at such a service until it
    /// answers, and the run ends if nothing can be played.
    pub fn counted(&self) -> Vec<&Cause> {
        let since = self.causes[self.forgiven..].iter();
        since
            .filter(|cause| !matches!(cause, Cause::Outage(_) | Cause::Standstill(_)))
            .collect()
    }
}

impl State {
    /// Adds an interruption of games.
    ///
    /// # Errors
    /// It names a game that was not due, or a game twice.
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
            // Any of them may have been open. Killing runners so that nobody can tell must not give games endless
            // replays.
            None => self.due().map(|(game, _)| game).collect(),
        }
    }

    /// Counts the interruptions of a game anew.
    pub(super) fn forgive_interruptions(&mut self, game: GameId) {
        if let Some(interruptions) = self.interrupted.get_mut(&game) {
            interruptions.forgiven = interruptions.causes.len();
        }
    }

    /// True if a game is on the schedule and has not ended.
    pub fn is_due(&self, id: GameId) -> bool {
        self.mini_match(id).is_some_and(|board| board.games.is_due(id.game))
    }

    /// The interruptions of a game; `None` if it was never interrupted.
    pub fn interruptions(&self, id: GameId) -> Option<&Interruptions> {
        self.interrupted.get(&id)
    }

    /// True if a game that has not ended was interrupted more often than `run.replays` allows, so that the arbiter has
    /// to rule.
    pub fn is_held(&self, id: GameId) -> bool {
        let counted = self.interrupted.get(&id).map_or(0, |game| game.counted().len());
        counted > self.setup().run.replays as usize && self.is_due(id)
    }

    /// Held games in the mini-match of a game.
    pub(crate) fn held_beside(&self, game: GameId) -> impl Iterator<Item = GameId> {
        let interrupted = self.interrupted.range(game.mini_match()).map(|(game, _)| *game);
        interrupted.filter(|game| self.is_held(*game))
    }

    /// All held games, in schedule order.
    pub fn held_games(&self) -> impl Iterator<Item = GameId> {
        let interrupted = self.interrupted.keys().copied();
        interrupted.filter(|game| self.is_held(*game))
    }
}
