//! Sonneborn-Berger: "Σ opponent's match points × own match result (1 / 0.5 / 0)".
//!
//! May not: rank anybody.

use crate::score::Points;
use crate::standings::results::{MatchResult, PlayerResults, PlayerRound};

/// The sum for one player; `match_points` are those of all players, in order of their pairing numbers.
///
/// The result counts 1, ½ or 0 whatever `scoring.match` gives for it. Each finished mini-match counts, also one with
/// every game forfeited; byes and mini-matches still going on add nothing.
#[must_use]
pub fn sonneborn_berger(player: &PlayerResults, match_points: &[Points]) -> Points {
    let part = |round: &PlayerRound| {
        let PlayerRound::MiniMatch {
            opponent,
            result: Some(result),
            ..
        } = round
        else {
            return Points::ZERO;
        };
        let halves = match result {
            MatchResult::Won => 2,
            MatchResult::Drawn => 1,
            MatchResult::Lost => 0,
        };
        match_points[opponent.index()].halved_times(halves)
    };
    player.rounds.iter().map(part).sum()
}
