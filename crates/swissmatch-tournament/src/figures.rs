//! More figures about the players over the rounds: those that do not rank anybody.
//!
//! May not: show anything; a figure that ranks is a criterion of `swiss_system::standings`.

use super::results::counts_for_nobody;
use super::state::State;
use swissmatch_game::record::CallTotals;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerFigures {
    /// What the player asked over the network.
    pub asked: CallTotals,
    /// Played games that the player lost by a fault of its own.
    pub lost_by_fault: u32,
}

/// The figures of each player, by pairing number, from games of the first `rounds` rounds that count in the standings.
pub fn figures_after(state: &State, rounds: usize) -> Vec<PlayerFigures> {
    let mut players = vec![PlayerFigures::default(); state.player_count()];
    let mini_matches = state.rounds.iter().take(rounds).flat_map(|round| &round.mini_matches);
    for mini_match in mini_matches.filter(|mini_match| !counts_for_nobody(state, mini_match)) {
        for player in [mini_match.pair.white, mini_match.pair.black] {
            let figures = &mut players[player.index()];
            figures.asked += mini_match.asked(player);
            figures.lost_by_fault += mini_match.lost_by_fault(player);
        }
    }
    players
}
