//! Counts how often a player came in each place.
//!
//! Players whom the last criterion leaves tied share their places: each of k players tied in place p counts 1/k in
//! each of the places p to p + k − 1, so that the shares of a place add up to 1 over the players.
//!
//! May not: rank anybody.

use std::collections::BTreeMap;

use swiss_system::standings::Standings;

/// Slack for comparing sums of shares.
const SLACK: f64 = 1e-9;

/// Counts of places: whole numbers, so that the order of counting does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlaceTally {
    standings: u32,
    /// The number of places: fewer than players if somebody is off the list.
    places: usize,
    /// For each player, how often (place, players tied in it) came up.
    players: Vec<BTreeMap<(u32, u32), u32>>,
}

impl PlaceTally {
    /// Counts one table of an event of `players` players, listed or not.
    pub(super) fn count(&mut self, standings: &Standings, players: usize) {
        self.standings += 1;
        self.places = standings.rows.len();
        self.players.resize(players, BTreeMap::new());
        for tied in standings.rows.chunk_by(|one, other| one.place == other.place) {
            let size = u32::try_from(tied.len()).expect("few players");
            for row in tied {
                *self.players[row.player.index()].entry((row.place, size)).or_default() += 1;
            }
        }
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.standings += other.standings;
        if self.players.is_empty() {
            (self.places, self.players) = (other.places, other.players);
        } else {
            for (mine, theirs) in self.players.iter_mut().zip(other.players) {
                for (place, times) in theirs {
                    *mine.entry(place).or_default() += times;
                }
            }
        }
        self
    }

    /// The counts as shares; players in order of their pairing numbers. A player who is off the list has no share of
    /// any place.
    pub(super) fn shares(&self) -> Vec<PlaceShares> {
        let all = f64::from(self.standings);
        let of_player = |counted: &BTreeMap<(u32, u32), u32>| {
            let mut shares = vec![0.0; self.places];
            for (&(place, tied), &times) in counted {
                for share in &mut shares[place as usize - 1..(place + tied) as usize - 1] {
                    *share += f64::from(times) / f64::from(tied) / all;
                }
            }
            PlaceShares { shares }
        };
        self.players.iter().map(of_player).collect()
    }
}

/// How often a player came in each place.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceShares {
    /// The share of each place, from the first one on, 0 to 1. They add up to 1, or to 0 for a player who is off the
    /// list.
    pub shares: Vec<f64>,
}

impl PlaceShares {
    /// How often the player was among the first `places`, 0 to 1.
    pub fn within(&self, places: usize) -> f64 {
        // A sum of shares may exceed 1 by rounding.
        self.shares.iter().take(places).sum::<f64>().min(1.0)
    }

    /// The first and the last place (from 1) that are left when each side leaves out places that hold at most half of
    /// what `level` (0 to 1) leaves: at 0.95, a fortieth of the samples on either side.
    pub fn interval(&self, level: f64) -> (usize, usize) {
        let outside = (1.0 - level) / 2.0 + SLACK;
        let left_out = |shares: &mut dyn Iterator<Item = f64>| {
            let mut sum = 0.0;
            shares
                .take_while(|share| {
                    sum += share;
                    sum <= outside
                })
                .count()
        };
        let better = left_out(&mut self.shares.iter().copied());
        let worse = left_out(&mut self.shares.iter().rev().copied());
        (better + 1, self.shares.len() - worse)
    }
}

#[cfg(test)]
mod tests {
    use swiss_system::pairing::history::PairingNumber;
    use swiss_system::score::Points;
    use swiss_system::standings::StandingsRow;
    use swiss_system::standings::results::GameCounts;

    use super::*;

    fn table(places: &[(u32, u32)]) -> Standings {
        let rows = places.iter().map(|&(player, place)| StandingsRow {
            place,
            before_playoff: None,
            player: PairingNumber(player),
            cells: Vec::new(),
            points: Points::ZERO,
            game_points: Points::ZERO,
            games: GameCounts::default(),
            byes: 0,
            repeats: 0,
        });
        Standings {
            rows: rows.collect(),
            ..Standings::default()
        }
    }

    #[test]
    fn the_tied_share_their_places() {
        let mut tally = PlaceTally::default();
        tally.count(&table(&[(3, 1), (1, 2), (2, 2)]), 3);
        tally.count(&table(&[(1, 1), (2, 1), (3, 1)]), 3);
        let shares: Vec<Vec<f64>> = tally.shares().into_iter().map(|places| places.shares).collect();
        let third = 1.0 / 6.0;
        let tied = vec![third, 0.25 + third, 0.25 + third];
        assert_eq!(shares, [tied.clone(), tied, vec![0.5 + third, third, third]]);
    }

    #[test]
    fn who_is_off_the_list_has_no_place() {
        let mut tally = PlaceTally::default();
        tally.count(&table(&[(3, 1), (1, 2)]), 3);
        let shares: Vec<Vec<f64>> = tally.shares().into_iter().map(|places| places.shares).collect();
        assert_eq!(shares, [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]);
    }

    #[test]
    fn tallies_add_up_in_any_order() {
        let mut one = PlaceTally::default();
        one.count(&table(&[(1, 1), (2, 2)]), 2);
        let mut other = PlaceTally::default();
        other.count(&table(&[(2, 1), (1, 2)]), 2);
        let both = one.clone().merge(other.clone());
        assert_eq!(both, other.merge(one).merge(PlaceTally::default()));
        assert_eq!(both.shares()[0].shares, [0.5, 0.5]);
    }

    #[test]
    fn an_interval_leaves_out_what_is_rare_on_either_side() {
        let places = |shares: &[f64]| PlaceShares {
            shares: shares.to_vec(),
        };
        assert_eq!(places(&[1.0, 0.0, 0.0]).interval(0.95), (1, 1));
        assert_eq!(places(&[0.02, 0.5, 0.46, 0.02]).interval(0.95), (2, 3));
        assert_eq!(places(&[0.03, 0.5, 0.46, 0.01]).interval(0.95), (1, 3));
        assert_eq!(
            places(&[0.02, 0.005, 0.975]).interval(0.95),
            (3, 3),
            "a fortieth is left out"
        );
        assert_eq!(places(&[0.3, 0.7]).within(1), 0.3);
        assert_eq!(places(&[0.3, 0.7]).within(9), 1.0);
    }
}
