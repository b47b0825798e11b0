//! Buchholz: "sum of the final match points of all opponents faced; a bye adds nothing".
//!
//! May not: rank anybody.

use crate::score::Points;
use crate::standings::results::{PlayerResults, PlayerRound};

/// The sum for one player; `match_points` are those of all players, in order of their pairing numbers.
///
/// An opponent is faced in every finished mini-match: one met again counts again, and one that forfeited every game
/// counts too, because the mini-match was decided. A mini-match that is still going on adds nothing yet. During the
/// event "final" means so far.
#[must_use]
pub fn buchholz(player: &PlayerResults, match_points: &[Points]) -> Points {
    let faced = player.rounds.iter().filter_map(|round| match round {
        PlayerRound::MiniMatch {
            opponent,
            result: Some(_),
            ..
        } => Some(opponent),
        PlayerRound::MiniMatch { result: None, .. } | PlayerRound::Bye { .. } | PlayerRound::Absent => None,
    });
    faced.map(|opponent| match_points[opponent.index()]).sum()
}
