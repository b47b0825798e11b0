//! Figures of what was asked over the network, as cells of tables, and the help that players get towards a legal move.
//!
//! May not: count anything.

use swiss_system::pairing::history::PairingNumber;
use swissmatch_game::record::PartialSum;
use swissmatch_tournament::setup::{EndpointKeys, LegalMoves, Micros, MoveSource, ResponseFormat};
use swissmatch_tournament::state::State;

/// Stands for an unknown figure.
pub(super) const UNKNOWN: &str = "–";

/// The tokens of so many calls, as far as the services told.
pub(super) fn tokens(told: PartialSum, calls: u64) -> String {
    match told.untold {
        0 => told.sum.to_string(),
        untold if untold == calls => UNKNOWN.to_owned(),
        _ => format!("{}+", told.sum),
    }
}

/// A cost in millionths, as far as it is known.
pub(super) fn cost(cost: Option<u64>) -> String {
    cost.map_or_else(|| UNKNOWN.to_owned(), |cost| Micros(cost).to_string())
}

/// Keys of `endpoint.extra` by which services constrain an answer.
const CONSTRAINING: [&str; 10] = [
    "ebnf",
    "grammar",
    "guided_choice",
    "guided_grammar",
    "guided_json",
    "guided_regex",
    "json_schema",
    "regex",
    "response_format",
    "structured_outputs",
];

/// Help towards a legal move for a player that is asked over the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Help {
    /// The legal moves it is shown; `None`: the log is of an older version, which does not say.
    pub legal_moves: Option<LegalMoves>,
    /// Whether its service keeps its answers to a form.
    pub is_constrained: bool,
}

/// The help of a player; `None` if it is not asked over the network.
pub fn help(state: &State, player: PairingNumber) -> Option<Help> {
    let keys = state.player(player);
    match keys.asks()? {
        MoveSource::Command(_) => None,
        // The request has them.
        MoveSource::Url(_) => Some(Help {
            legal_moves: Some(LegalMoves::All),
            is_constrained: false,
        }),
        MoveSource::Model(endpoint, _) => {
            let constrains = |endpoint: &EndpointKeys| CONSTRAINING.iter().any(|key| endpoint.extra.contains_key(*key));
            let has_format = state.setup().model(keys).response_format != ResponseFormat::None;
            Some(Help {
                legal_moves: state.agent(player).legal_moves,
                is_constrained: has_format || state.setup().endpoint(endpoint).is_some_and(constrains),
            })
        }
    }
}
