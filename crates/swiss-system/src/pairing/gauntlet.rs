//! A gauntlet: the first players by pairing number each meet everybody else once, and not each other.
//!
//! With K runners against M others there are max(K, M) rounds, in each of which min(K, M) pairs play: players on the
//! smaller side play in every round, and nobody plays twice in one. In round r, from 0, number i of the smaller side
//! meets number (r + i) of the larger, counted around. White goes to the runner if the sum of both places is even:
//! everybody then has each colour equally often, or one of them once more. In every second cycle colours are
//! reversed.
//!
//! May not: look at results.

use crate::pairing::cycles;
use crate::pairing::history::{Pair, PairingNumber, RoundPairing};

/// The number of rounds of a gauntlet with this many players, of whom the first `runners` run it; 0 if nobody is left
/// to be met.
pub const fn rounds(players: u32, runners: u32) -> u32 {
    let others = players.saturating_sub(runners);
    if others == 0 || runners == 0 {
        0
    } else if runners > others {
        runners
    } else {
        others
    }
}

/// The rounds of a cycle, from 1, with pairs in the order of the runners' numbers. A player without a pair in a round
/// rests; there is no bye.
pub fn cycle(players: usize, runners: usize, number: u32) -> Vec<RoundPairing> {
    cycles::again(once(players, runners), number)
}

fn once(players: usize, runners: usize) -> Vec<RoundPairing> {
    let others = players.saturating_sub(runners);
    if others == 0 || runners == 0 {
        return Vec::new();
    }
    let boards = runners.min(others);
    let pairs = |round: usize| {
        let met = |place: usize| {
            let around = round + place;
            if runners <= others {
                (place, around % others)
            } else {
                (around % runners, place)
            }
        };
        let mut met: Vec<_> = (0..boards).map(met).collect();
        met.sort_unstable();
        met.into_iter().map(|(runner, other)| pair(runner, other, runners))
    };
    let round = |round| RoundPairing::new(pairs(round).collect(), None);
    (0..runners.max(others)).map(round).collect()
}

/// The board of a runner and another, each by its place on its side, from 0.
fn pair(runner: usize, other: usize, runners: usize) -> Pair {
    let numbers = (
        PairingNumber::from_index(runner),
        PairingNumber::from_index(runners + other),
    );
    let (white, black) = match (runner + other).is_multiple_of(2) {
        true => numbers,
        false => (numbers.1, numbers.0),
    };
    Pair {
        white,
        black,
        repeat: false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn written(players: usize, runners: usize) -> String {
        let round = |round: RoundPairing| {
            let pairs = round.pairs.iter().map(|pair| format!("{}-{}", pair.white, pair.black));
            pairs.collect::<Vec<_>>().join(" ")
        };
        let rounds: Vec<_> = cycle(players, runners, 1).into_iter().map(round).collect();
        rounds.join(" | ")
    }

    #[test]
    fn small_ones() {
        assert_eq!(written(4, 1), "1-2 | 3-1 | 1-4");
        assert_eq!(written(5, 2), "1-3 2-4 | 4-1 5-2 | 1-5 3-2");
        assert_eq!(written(3, 2), "1-3 | 3-2");
        assert_eq!(written(2, 1), "1-2");
        for nobody_to_meet in [(0, 0), (1, 1), (3, 3), (2, 5), (4, 0)] {
            assert_eq!(written(nobody_to_meet.0, nobody_to_meet.1), "", "{nobody_to_meet:?}");
        }
    }

    #[test]
    fn colors_change_from_cycle_to_cycle() {
        let written = |rounds: &[RoundPairing]| -> Vec<(u32, u32, bool)> {
            let pairs = rounds.iter().flat_map(|round| &round.pairs);
            pairs.map(|pair| (pair.white.0, pair.black.0, pair.repeat)).collect()
        };
        let [first, second, third] = [1, 2, 3].map(|number| written(&cycle(5, 2, number)));
        assert!(first.iter().all(|(.., repeat)| !repeat));
        let as_repeats = |pairs: &[(u32, u32, bool)]| -> Vec<_> {
            pairs.iter().map(|&(white, black, _)| (white, black, true)).collect()
        };
        let reversed: Vec<_> = first.iter().map(|&(white, black, _)| (black, white, true)).collect();
        assert_eq!((second, third), (reversed, as_repeats(&first)));
    }

    #[test]
    fn everybody_meets_exactly_whom_he_should_with_balanced_colors() {
        for players in 2..24 {
            for runners in 1..players {
                let schedule = cycle(players, runners, 1);
                let of = u32::try_from(players).expect("few");
                assert_eq!(schedule.len() as u32, rounds(of, u32::try_from(runners).expect("few")));
                let mut met = BTreeSet::new();
                let mut balance = vec![0_i32; players];
                for round in &schedule {
                    let mut busy = BTreeSet::new();
                    assert_eq!((round.bye, round.pairs.len()), (None, runners.min(players - runners)));
                    for pair in &round.pairs {
                        assert!(
                            busy.insert(pair.white) && busy.insert(pair.black),
                            "{players} {runners}"
                        );
                        assert!(met.insert((pair.white.min(pair.black), pair.white.max(pair.black))));
                        balance[pair.white.index()] += 1;
                        balance[pair.black.index()] -= 1;
                    }
                }
                let crosses =
                    |(one, other): &(PairingNumber, PairingNumber)| one.index() < runners && other.index() >= runners;
                assert!(met.iter().all(crosses), "{players} {runners}");
                assert_eq!(met.len(), runners * (players - runners));
                assert!(
                    balance.iter().all(|balance| balance.abs() <= 1),
                    "{players} {runners}: {balance:?}"
                );
            }
        }
    }
}
