//! What games that were played give by other keys of `[game]` and `[adjudication]`: a rule of flag falls, draws that could be claimed, caps
//! on their length, and scores that end them.
//!
//! May not: change a game.

use swissmatch_game::Side;
use swissmatch_game::otherwise::{Otherwise, otherwise};
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::limits::limits_of;
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::state::State;

use super::open_run::OpenRun;

/// What other rules give, in the order of the schedule.
#[derive(Clone, Debug, Default)]
pub struct ByOtherRules {
    /// The games that have another result, with that result.
    pub changed: Vec<(GameId, Outcome)>,
    /// The games that would have gone on, nobody knows how.
    pub open: Vec<GameId>,
}

impl OpenRun {
    /// What games give by the keys of `setup` that say how they end. What the arbiter ruled on counts as it was ruled.
    ///
    /// # Errors
    /// When a record is missing or damaged.
    pub fn by_other_game_rules(&self, setup: &Setup) -> Result<ByOtherRules, String> {
        let own = self.state.setup();
        let ends = |setup: &Setup| {
            let game = &setup.game;
            let adjudication = setup.adjudication.rules();
            let caps = (game.max_moves, game.max_plies, game.plies_from);
            (caps, game.claims, adjudication.resign, adjudication.draw)
        };
        let is_ended = ends(own) != ends(setup);
        let other = self.state.by_other_rules(setup.clone());
        let mut found = ByOtherRules::default();
        for game in self.state.finished_games() {
            let termination = game.finished.termination;
            let may_change = flag_of(termination).is_some() || is_ended && termination.was_played();
            if game.ruled.is_some() || !may_change {
                continue;
            }
            let Some(record) = self.record(self.finished(&game)?)? else {
                continue;
            };
            match outcome(&other, &record, is_ended) {
                None => return Err(format!("game {}: its moves are not legal", record.id)),
                Some(None) => found.open.push(record.id),
                Some(Some(outcome)) if outcome != game.finished.outcome => found.changed.push((record.id, outcome)),
                Some(Some(_)) => {}
            }
        }
        Ok(found)
    }
}

/// Whose flag fell.
const fn flag_of(termination: Termination) -> Option<Side> {
    match termination {
        Termination::TimeForfeit { by } | Termination::FlagFallDraw { by } => Some(by),
        _ => None,
    }
}

/// What a game gives by the rules of `other`, which end it otherwise if `is_ended`; within, `None`: it would have gone on. `None`: its moves
/// are not legal.
fn outcome(other: &State, record: &GameRecord, is_ended: bool) -> Option<Option<Outcome>> {
    let limits = limits_of(other, record.id, [record.white, record.black]);
    let ended = match is_ended {
        true => otherwise(record, limits.ends(), other.setup().adjudication.rules())?,
        false => Otherwise::AsItDid,
    };
    Some(match (ended, flag_of(record.termination)) {
        (Otherwise::Ends(outcome), _) => Some(outcome),
        (Otherwise::GoesOn, _) => None,
        (Otherwise::AsItDid, Some(by)) => {
            let is_flag = limits.time_controls[by.index()].runs_through();
            let board = swissmatch_game::rules::Board::after(&record.opening, &record.moves)?;
            Some(limits.flag_fall.ending(board.position(), by, is_flag).0)
        }
        (Otherwise::AsItDid, None) => Some(record.outcome),
    })
}
