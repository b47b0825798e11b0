//! What games that were played give by other keys of `[game]`: a rule of flag falls, and draws that could be claimed.
//!
//! May not: change a game.

use swissmatch_game::Side;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::rules::{Board, Claims, Ends};
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::limits::limits_of;
use swissmatch_tournament::setup::GameKeys;
use swissmatch_tournament::state::State;

use super::open_run::OpenRun;

impl OpenRun {
    /// The games that would have another result with another `game.flag_fall`, or if draws that could be claimed ended a game, in the order of
    /// the schedule, with that result. What the arbiter ruled on counts as it was ruled.
    ///
    /// # Errors
    /// When a record is missing or damaged.
    pub fn by_other_game_rules(&self, game: &GameKeys) -> Result<Vec<(GameId, Outcome)>, String> {
        let mut setup = self.state.setup().clone();
        let is_claimed = game.claims == Claims::Claimable && setup.game.claims != game.claims;
        setup.game.flag_fall = game.flag_fall;
        let other = self.state.by_other_rules(setup);
        let mut changed = Vec::new();
        for game in self.state.finished_games() {
            let termination = game.finished.termination;
            let may_change = flag_of(termination).is_some() || is_claimed && termination.was_played();
            if game.ruled.is_some() || !may_change {
                continue;
            }
            let Some(record) = self.record(self.finished(&game)?)? else {
                continue;
            };
            let outcome = outcome(&other, &record, is_claimed)
                .ok_or_else(|| format!("game {}: its moves are not legal", record.id))?;
            if outcome != game.finished.outcome {
                changed.push((record.id, outcome));
            }
        }
        Ok(changed)
    }
}

/// Whose flag fell.
const fn flag_of(termination: Termination) -> Option<Side> {
    match termination {
        Termination::TimeForfeit { by } | Termination::FlagFallDraw { by } => Some(by),
        _ => None,
    }
}

/// What a game gives by the rules of `other`, drawn where a draw could be claimed first if `is_claimed`. `None`: its moves are not legal.
fn outcome(other: &State, record: &GameRecord, is_claimed: bool) -> Option<Outcome> {
    let ends = Ends {
        claims: Claims::Claimable,
        ..Ends::default()
    };
    let ended = |board: &Board| {
        is_claimed
            .then(|| board.ending(ends))
            .flatten()
            .map(|(outcome, _)| outcome)
    };
    let mut board = Board::new(&record.opening).ok()?;
    for word in record.moves.split_ascii_whitespace() {
        if let Some(outcome) = ended(&board) {
            return Some(outcome);
        }
        let legal = board.legal(&word.parse().ok()?)?;
        board.play(legal);
    }
    Some(ended(&board).unwrap_or_else(|| match flag_of(record.termination) {
        Some(by) => {
            let limits = limits_of(other, record.id, [record.white, record.black]);
            let is_flag = limits.time_controls[by.index()].runs_through();
            limits.flag_fall.ending(board.position(), by, is_flag).0
        }
        None => record.outcome,
    }))
}
