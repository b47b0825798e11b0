//! Calls of a player over the network, for its view: the cells of the standings' columns, and its help towards a legal move.
//!
//! May not: compute a figure.

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::StandingsRow;
use swiss_system::word::Word as _;

use super::super::asked::help;
use super::super::standings::models::cell;
use swissmatch_tournament::column::Column;
use swissmatch_tournament::figures::PlayerFigures;
use swissmatch_tournament::state::State;

/// Texts as the standings show them, empty where there is nothing.
#[derive(Serialize)]
pub(super) struct CallTexts {
    calls: u64,
    tokens_in: String,
    tokens_out: String,
    pub(super) cost: String,
    cost_a_win: String,
    pub(super) legal_share: String,
    score: String,
    score_without_faults: String,
    /// `None` if the log is of an older version, which does not say.
    legal_moves: Option<&'static str>,
    constrained: bool,
}

impl CallTexts {
    /// The texts of a player; `None` if it asked nothing.
    pub(super) fn of(
        state: &State,
        player: PairingNumber,
        row: &StandingsRow,
        figures: &PlayerFigures,
    ) -> Option<Self> {
        let help = help(state, player);
        let cell = |column| cell(row, figures, column);
        (figures.asked.calls > 0).then(|| Self {
            calls: figures.asked.calls,
            tokens_in: cell(Column::TokensIn),
            tokens_out: cell(Column::TokensOut),
            cost: cell(Column::Cost),
            cost_a_win: cell(Column::CostAWin),
            legal_share: cell(Column::LegalShare),
            score: cell(Column::Score),
            score_without_faults: cell(Column::ScoreWithoutFaults),
            legal_moves: help.as_ref().and_then(|help| Some(help.legal_moves?.word())),
            constrained: help.is_some_and(|help| help.is_constrained),
        })
    }
}
