//! All-play-all by the Berger tables of the FIDE Handbook (C.05, annex 1: "Details of Berger Tables").
//!
//! May not: look at results.

use crate::pairing::history::{Pair, PairingNumber, RoundPairing};

/// The rounds of a single all-play-all: N − 1 for an even number of players, N for an odd one.
///
/// With an odd number the table of the next even number is used, and the player who would meet its last number has
/// the bye. Pairs are in the order of the table. A single player has one round, a bye; with no players there are no
/// rounds.
pub fn berger(players: usize) -> Vec<RoundPairing> {
    if players == 0 {
        return Vec::new();
    }
    let even = players.next_multiple_of(2);
    (0..even - 1).map(|round| berger_round(round, even, players)).collect()
}

/// Round 1 is 1–n, 2–(n − 1), 3–(n − 2), …; each further round adds n/2 to every number but n, counting from 1 again
/// after n − 1. Number n has White in the even rounds.
fn berger_round(round: usize, even: usize, players: usize) -> RoundPairing {
    let moved = |index: usize| (index + round * (even / 2)) % (even - 1);
    let opponent_of_last = moved(0);
    let last = even - 1;
    let mut pairing = RoundPairing::default();
    if players < even {
        pairing.bye = Some(PairingNumber::from_index(opponent_of_last));
    } else if round.is_multiple_of(2) {
        pairing.pairs.push(pair(opponent_of_last, last));
    } else {
        pairing.pairs.push(pair(last, opponent_of_last));
    }
    pairing
        .pairs
        .extend((1..even / 2).map(|board| pair(moved(board), moved(last - board))));
    pairing
}

fn pair(white: usize, black: usize) -> Pair {
    Pair {
        white: PairingNumber::from_index(white),
        black: PairingNumber::from_index(black),
        repeat: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn written(players: usize) -> String {
        let round = |pairing: RoundPairing| {
            let pairs = pairing
                .pairs
                .iter()
                .map(|pair| format!("{}-{}", pair.white, pair.black));
            let bye = pairing.bye.map(|bye| format!("({bye})"));
            bye.into_iter().chain(pairs).collect::<Vec<_>>().join(" ")
        };
        berger(players).into_iter().map(round).collect::<Vec<_>>().join("\n")
    }

    fn check(players: usize, expected: &[&str]) {
        assert_eq!(written(players), expected.join("\n"), "{players} players");
    }

    #[test]
    fn published_tables() {
        check(0, &[]);
        check(1, &["(1)"]);
        check(2, &["1-2"]);
        check(4, &["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
        check(
            6,
            &[
                "1-6 2-5 3-4",
                "6-4 5-3 1-2",
                "2-6 3-1 4-5",
                "6-5 1-4 2-3",
                "3-6 4-2 5-1",
            ],
        );
        check(
            8,
            &[
                "1-8 2-7 3-6 4-5",
                "8-5 6-4 7-3 1-2",
                "2-8 3-1 4-7 5-6",
                "8-6 7-5 1-4 2-3",
                "3-8 4-2 5-1 6-7",
                "8-7 1-6 2-5 3-4",
                "4-8 5-3 6-2 7-1",
            ],
        );
    }

    #[test]
    fn odd_numbers_rest_against_the_missing_last() {
        check(3, &["(1) 2-3", "(3) 1-2", "(2) 3-1"]);
        check(
            5,
            &[
                "(1) 2-5 3-4",
                "(4) 5-3 1-2",
                "(2) 3-1 4-5",
                "(5) 1-4 2-3",
                "(3) 4-2 5-1",
            ],
        );
        check(
            7,
            &[
                "(1) 2-7 3-6 4-5",
                "(5) 6-4 7-3 1-2",
                "(2) 3-1 4-7 5-6",
                "(6) 7-5 1-4 2-3",
                "(3) 4-2 5-1 6-7",
                "(7) 1-6 2-5 3-4",
                "(4) 5-3 6-2 7-1",
            ],
        );
    }

    #[test]
    fn everybody_meets_everybody_once_with_balanced_colors() {
        for players in 2..40 {
            let rounds = berger(players);
            assert_eq!(rounds.len(), if players % 2 == 0 { players - 1 } else { players });
            let mut met = HashSet::new();
            let mut whites = vec![0_usize; players];
            for round in &rounds {
                let mut busy: HashSet<_> = round.bye.into_iter().collect();
                for pair in &round.pairs {
                    assert!(busy.insert(pair.white) && busy.insert(pair.black));
                    assert!(met.insert((pair.white.min(pair.black), pair.white.max(pair.black))));
                    whites[pair.white.index()] += 1;
                }
                assert_eq!(busy.len(), players);
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            assert!(
                whites
                    .iter()
                    .all(|&count| count == (players - 1) / 2 || count == players / 2),
                "{whites:?}"
            );
        }
    }
}
