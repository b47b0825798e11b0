//! Games that ended because a side overran its time: what they give by a rule of flag falls.
//!
//! May not: change a game.

use shakmaty::Chess;

use swissmatch_game::Side;
use swissmatch_game::flag_fall::FlagFall;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::rules::Board;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::limits::limits_of;
use swissmatch_tournament::state::State;

use super::open_run::OpenRun;

/// How a game ended in which `by` overran its time in this position.
pub(super) fn ending(state: &State, record: &GameRecord, position: &Chess, by: Side) -> (Outcome, Termination) {
    let limits = limits_of(state, record.id, [record.white, record.black]);
    let is_flag = limits.time_controls[by.index()].runs_through();
    limits.flag_fall.ending(position, by, is_flag)
}

impl OpenRun {
    /// The games that would have another result by another rule, in the order of the schedule, with that result. What the arbiter ruled on counts as it was ruled.
    ///
    /// # Errors
    /// When a record is missing or damaged.
    pub fn by_other_flag_fall(&self, rule: FlagFall) -> Result<Vec<(GameId, Outcome)>, String> {
        let mut setup = self.state.setup().clone();
        setup.game.flag_fall = rule;
        let other = self.state.by_other_rules(setup);
        let mut changed = Vec::new();
        for game in self.state.finished_games() {
            let (Termination::TimeForfeit { by } | Termination::FlagFallDraw { by }) = game.finished.termination else {
                continue;
            };
            if game.ruled.is_some() {
                continue;
            }
            let Some(record) = self.record(self.finished(&game)?)? else {
                continue;
            };
            let end = Board::after(&record.opening, &record.moves);
            let end = end.ok_or_else(|| format!("game {}: its moves are not legal", record.id))?;
            let (outcome, _) = ending(&other, &record, end.position(), by);
            if outcome != game.finished.outcome {
                changed.push((record.id, outcome));
            }
        }
        Ok(changed)
    }
}
