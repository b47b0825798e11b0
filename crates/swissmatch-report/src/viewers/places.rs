//! The round of a broadcast in which a game is shown.
//!
//! May not: know how a broadcast is shown.

use std::collections::BTreeMap;

use swissmatch_game::record::GameId;
use swissmatch_tournament::setup::GAMES_A_BROADCAST;
use swissmatch_tournament::state::State;

/// The rounds of a broadcast for the games of an event that have been paired.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BroadcastRounds {
    /// By the first game of a mini-match: that game's place, counted in games.
    first: BTreeMap<GameId, usize>,
    rounds: usize,
}

impl BroadcastRounds {
    /// Uses the rounds of `lichess.rounds`: games fill them one after the other in schedule order, or each round of the event (and play-off
    /// round) begins with the next one (`lichess.by_round`).
    pub fn new(state: &State) -> Self {
        let keys = &state.setup().lichess;
        let (mut first, mut next) = (BTreeMap::new(), 0_usize);
        for sitting in state.sittings() {
            if keys.by_round {
                next = next.next_multiple_of(GAMES_A_BROADCAST);
            }
            for (board, mini_match) in (1..).zip(sitting.mini_matches) {
                first.insert(GameId::first_of(sitting.round, sitting.playoff, board), next);
                next = next.saturating_add(mini_match.games.planned() as usize);
            }
        }
        Self {
            first,
            rounds: keys.rounds.len(),
        }
    }

    /// The round of the broadcast, from 0; `None` if none is left.
    pub fn of(&self, id: GameId) -> Option<usize> {
        let first = self.first.get(&GameId { game: 1, ..id })?;
        let round = first.saturating_add(id.game.saturating_sub(1) as usize) / GAMES_A_BROADCAST;
        (round < self.rounds).then_some(round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn rounds_of_a_broadcast_are_filled_in_order_or_each_begun_by_a_round() {
        let places = |rounds: usize, by_round| {
            let state = fixture::over_with(move |setup| {
                setup.lichess.rounds = vec!["aBcD1234".to_owned(); rounds];
                setup.lichess.by_round = by_round;
            });
            let places = BroadcastRounds::new(&state);
            let of = |text: &str| places.of(text.parse().expect("a game"));
            ["1.1.1", "2.1.1", "3.1.1"].map(of)
        };
        assert_eq!(places(1, false), [Some(0); 3]);
        assert_eq!(places(3, true), [Some(0), Some(1), Some(2)]);
        assert_eq!(places(2, true), [Some(0), Some(1), None]);
        let many = BroadcastRounds {
            first: BTreeMap::from([(GameId::first_of(1, 0, 1), 90)]),
            rounds: 2,
        };
        let of = |game| {
            many.of(GameId {
                game,
                ..GameId::first_of(1, 0, 1)
            })
        };
        assert_eq!(
            [1, 10, 11, 110, 111].map(of),
            [Some(0), Some(0), Some(1), Some(1), None]
        );
        assert_eq!(many.of(GameId::first_of(1, 0, 2)), None, "it is not paired");
    }
}
