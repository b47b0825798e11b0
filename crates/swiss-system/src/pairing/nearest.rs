//! Pairs players near to each other in strength, for rated rounds without an end, as ladders have them.
//!
//! Players may meet again, later rather than sooner. May not: know colours, points or byes.

use super::matching::{Graph, minimum_weight_perfect_matching};

/// Rounds after which a meeting no longer counts.
pub const RECENT: u32 = 5;
/// Larger differences of ratings count as this one, in Elo.
const FARTHEST: i64 = 4000;

/// Two players who met lately, by their indexes in the list of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecentMeeting {
    /// The two indexes.
    pub players: [usize; 2],
    /// The number of rounds since then; 1 for the last round.
    pub ago: u32,
}

/// Pairs all players, an even number of them, by their ratings. Repeating a meeting of the last round costs
/// [`RECENT`], one of the round before that costs one less, and so on. The sum of these costs is the least possible;
/// of all such pairings the result has the least sum of squared differences of ratings. Equal ratings and meetings
/// give equal pairs.
///
/// # Panics
/// When the number of players is odd.
pub fn pairs(ratings: &[i32], met: &[RecentMeeting]) -> Vec<[usize; 2]> {
    let count = ratings.len();
    assert!(count.is_multiple_of(2), "{count} players cannot be paired");
    // A meeting one round later costs more than all differences.
    let farthest = i128::from(FARTHEST * FARTHEST);
    let again = farthest * (count as i128 + 1);
    let mut lately = vec![0_i128; count * count];
    for RecentMeeting {
        players: [one, other],
        ago,
    } in met.iter().filter(|met| (1..=RECENT).contains(&met.ago))
    {
        let weight = again * i128::from(RECENT + 1 - ago);
        for at in [one * count + other, other * count + one] {
            lately[at] += weight;
        }
    }
    let costs = Graph::new(count, |one, other| {
        let apart = (i64::from(ratings[one]) - i64::from(ratings[other]))
            .abs()
            .min(FARTHEST);
        Some(lately[one * count + other] + i128::from(apart * apart))
    });
    let matching = minimum_weight_perfect_matching(&costs).expect("everybody may meet everybody");
    let mates = matching.mate.iter().copied().enumerate();
    mates
        .filter(|(one, other)| one < other)
        .map(|(one, other)| [one, other])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_meet_and_meet_others_before_they_meet_again() {
        let ratings = [2000, 1990, 1600, 1500, 1000, 900];
        let first = pairs(&ratings, &[]);
        assert_eq!(first, [[0, 1], [2, 3], [4, 5]]);
        let met: Vec<RecentMeeting> = first
            .iter()
            .map(|players| RecentMeeting {
                players: *players,
                ago: 1,
            })
            .collect();
        let second = pairs(&ratings, &met);
        assert_eq!(second, [[0, 2], [1, 4], [3, 5]]);
    }

    /// For two players there is only one pair.
    #[test]
    fn two_meet_again_and_again() {
        let met: Vec<RecentMeeting> = (1..=RECENT).map(|ago| RecentMeeting { players: [1, 0], ago }).collect();
        assert_eq!(pairs(&[1500, 1500], &met), [[0, 1]]);
        assert_eq!(pairs(&[], &[]), Vec::<[usize; 2]>::new());
    }

    /// Compares with all pairings of eight, for many seeds.
    #[test]
    fn no_other_pairing_is_better() {
        fn all(free: &[usize]) -> Vec<Vec<[usize; 2]>> {
            let Some((first, rest)) = free.split_first() else {
                return vec![Vec::new()];
            };
            let with = |at: usize| {
                let left: Vec<usize> = rest.iter().copied().filter(|one| *one != rest[at]).collect();
                let pair = [*first, rest[at]];
                all(&left)
                    .into_iter()
                    .map(move |others| std::iter::once(pair).chain(others).collect())
            };
            (0..rest.len()).flat_map(with).collect()
        }
        let mut seed = 7_u64;
        let mut next = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..50 {
            let ratings: Vec<i32> = (0..8).map(|_| i32::try_from(next(2000)).expect("small")).collect();
            let met: Vec<RecentMeeting> = (0..12)
                .filter_map(|_| {
                    let [one, other, ago] = [next(8), next(8), next(7)];
                    let players = [one, other].map(|player| usize::try_from(player).expect("small"));
                    (one != other).then(|| RecentMeeting {
                        players,
                        ago: u32::try_from(ago).expect("small"),
                    })
                })
                .collect();
            // Recent meetings from the last round on, then the differences.
            let price = |pairing: &[[usize; 2]]| {
                let again: u32 = met
                    .iter()
                    .filter(|met| {
                        pairing
                            .iter()
                            .any(|pair| pair.iter().all(|player| met.players.contains(player)))
                    })
                    .filter(|met| (1..=RECENT).contains(&met.ago))
                    .map(|met| RECENT + 1 - met.ago)
                    .sum();
                let apart: i64 = pairing
                    .iter()
                    .map(|[one, other]| i64::from(ratings[*one] - ratings[*other]).pow(2))
                    .sum();
                (again, apart)
            };
            let best = all(&[0, 1, 2, 3, 4, 5, 6, 7])
                .iter()
                .map(|pairing| price(pairing))
                .min();
            assert_eq!(Some(price(&pairs(&ratings, &met))), best);
        }
    }
}
