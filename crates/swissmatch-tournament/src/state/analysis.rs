//! An analysis as far as the log has it.

use std::collections::BTreeMap;

use super::State;
use super::broken::BrokenLogError;
use super::game::EndedGame;
use crate::log::{AnalysisBegun, GameAnalysed, Quality};
use swissmatch_game::record::GameId;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// What it is done with.
    pub begun: AnalysisBegun,
    /// Games analysed so far.
    pub games: BTreeMap<GameId, GameAnalysed>,
}

impl State {
    /// The latest analysis.
    pub const fn analysis(&self) -> Option<&Analysis> {
        self.analysis.as_ref()
    }

    /// A game, if it has ended.
    pub fn finished_game(&self, id: GameId) -> Option<EndedGame> {
        self.mini_match(id)?.games.ended(id.game)
    }

    /// Adds another game to the analysis.
    pub(super) fn apply_analysed(&mut self, analysed: &GameAnalysed) -> Result<(), BrokenLogError> {
        let broken = BrokenLogError::Analysed(analysed.id);
        let finished = self.finished_game(analysed.id);
        let is_possible = analysed.sides.iter().all(Quality::is_possible);
        if !is_possible || !finished.is_some_and(|game| game.finished.is_analysable()) {
            return Err(broken);
        }
        let games = self.analysis.as_mut().map(|analysis| &mut analysis.games);
        let before = games.map(|games| games.insert(analysed.id, analysed.clone()));
        match before {
            Some(None) => Ok(()),
            Some(Some(_)) | None => Err(broken),
        }
    }
}
