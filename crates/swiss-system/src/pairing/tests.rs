//! Helpers that the tests of the pairing systems share: histories, and all pairings of a small field.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::history::*;
use super::meetings::{have_met, is_forbidden, present};
use crate::score::Points;
use FirstColor::{Black, White};

/// Players with these half points and no earlier rounds, submitted in order of their numbers, all rated alike.
pub(crate) fn fresh(halves: &[i64]) -> History {
    let player = |(submission, &halves): (u32, &i64)| PastPlayer {
        points: Points::halves(halves),
        rounds: Vec::new(),
        present: true,
        submission,
        previous_place: None,
        rating: Some(2000),
    };
    History {
        players: (0..).zip(halves).map(player).collect(),
        ..History::default()
    }
}

/// Adds a round to the history of these players alone, worth nothing: pairs as (White, Black).
pub(crate) fn met(history: &mut History, pairs: &[(u32, u32)]) {
    for &(white, black) in pairs {
        for (own, opponent, color) in [(white, black, White), (black, white, Black)] {
            let opponent = PairingNumber(opponent);
            had(history, own, Encounter::Met { opponent, color }, 0);
        }
    }
}

/// Adds a round to the history of one player.
pub(crate) fn had(history: &mut History, number: u32, encounter: Encounter, halves: i64) {
    history.players[number as usize - 1]
        .rounds
        .push(encounter.worth(Points::halves(halves)));
}

/// A pairing as `White-Black`, a repeat with `!` after it, then the bye in parentheses.
pub(crate) fn written(pairing: &RoundPairing) -> String {
    let pairs = pairing.pairs.iter().map(|pair| {
        let mark = if pair.repeat { "!" } else { "" };
        format!("{}-{}{mark}", pair.white, pair.black)
    });
    let bye = pairing.bye.map(|bye| format!("({bye})"));
    pairs.chain(bye).collect::<Vec<_>>().join(" ")
}

/// The pairs with the smaller number first, sorted.
pub(crate) fn uncolored(pairs: &[Pair]) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = pairs
        .iter()
        .map(|pair| (pair.white.0.min(pair.black.0), pair.white.0.max(pair.black.0)))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// All ways to pair the players, lists sorted, in lexicographic order.
pub(crate) fn all_pairings(field: &[u32]) -> Vec<Vec<(u32, u32)>> {
    let Some((&first, rest)) = field.split_first() else {
        return vec![Vec::new()];
    };
    let with = |&second: &u32| {
        let others: Vec<u32> = rest.iter().copied().filter(|&other| other != second).collect();
        all_pairings(&others)
            .into_iter()
            .map(move |tail| [vec![(first, second)], tail].concat())
    };
    rest.iter().flat_map(with).collect()
}

/// Checks what holds for every pairing of a round: everybody present is in exactly one pair, has the one bye of an
/// odd number, or is among `free`; nobody else is; repeats are marked, and no pair is forbidden.
pub(crate) fn check_invariants(history: &History, pairing: &RoundPairing, free: &[PairingNumber]) {
    let mut seated: Vec<PairingNumber> = pairing.pairs.iter().flat_map(|pair| [pair.white, pair.black]).collect();
    seated.extend(pairing.bye);
    seated.extend(free);
    seated.sort_unstable();
    assert_eq!(seated, present(history), "everybody present once");
    for pair in &pairing.pairs {
        assert_eq!(pair.repeat, have_met(history, pair.white, pair.black));
        assert!(!is_forbidden(history, pair.white, pair.black));
    }
}

/// Rounds of random pairings in a history of `players`, some of them forfeited, some players absent, byes as they
/// fall.
#[derive(Clone, Debug)]
struct PastRounds(Vec<(Vec<usize>, Vec<u8>)>);

impl PastRounds {
    fn play(&self, history: &mut History) {
        let number = PairingNumber::from_index;
        for (shuffled, kinds) in &self.0 {
            for (pair, kind) in shuffled.chunks(2).zip(kinds) {
                let [a, b] = *pair else {
                    had(history, number(pair[0]).0, Encounter::PairingAllocatedBye, 2);
                    continue;
                };
                let (a, b) = (number(a), number(b));
                let points = i64::from(*kind % 3);
                match kind {
                    0 | 1 => {
                        had(history, a.0, Encounter::Forfeit { opponent: b }, points * 2);
                        had(history, b.0, Encounter::Forfeit { opponent: a }, 0);
                    }
                    2 | 3 => [a, b]
                        .iter()
                        .for_each(|player| had(history, player.0, Encounter::Absent, points)),
                    _ => {
                        let met = |opponent, color| Encounter::Met { opponent, color };
                        had(history, a.0, met(b, White), points);
                        had(history, b.0, met(a, Black), 2 - points);
                    }
                }
            }
        }
    }
}

/// Histories of one to `most` players: possible earlier rounds, points that are sums of the rounds or any points,
/// ratings, some players absent, and now and then forbidden pairs.
pub(crate) fn histories(most: usize) -> impl Strategy<Value = History> {
    (1..=most, 0..=12_usize).prop_flat_map(|(players, rounds)| {
        let round = (
            Just((0..players).collect::<Vec<_>>()).prop_shuffle(),
            proptest::collection::vec(0..20_u8, players),
        );
        let number = 1..=u32::try_from(players).expect("small");
        (
            proptest::collection::vec(round, rounds).prop_map(PastRounds),
            proptest::option::weighted(0.3, proptest::collection::vec(0..=5_i64, players)),
            proptest::collection::vec(proptest::bool::weighted(0.9), players),
            proptest::collection::vec(proptest::option::weighted(0.8, 1000..1010_u32), players),
            proptest::option::weighted(0.3, proptest::collection::vec((number.clone(), number), 1..=2)),
        )
            .prop_map(move |(past, halves, present, ratings, forbidden)| {
                let mut history = fresh(&vec![0; players]);
                past.play(&mut history);
                for (index, player) in history.players.iter_mut().enumerate() {
                    player.points = match &halves {
                        Some(halves) => Points::halves(halves[index]),
                        None => player.rounds.iter().map(|round| round.points).sum(),
                    };
                    player.present = present[index] || index == 0;
                    player.rating = ratings[index];
                }
                let pairs = forbidden.into_iter().flatten().filter(|(a, b)| a != b);
                history.forbidden = pairs.map(|(a, b)| (PairingNumber(a), PairingNumber(b))).collect();
                history
            })
    })
}

/// Runs a check on the same generated inputs every time.
pub(crate) fn every_time<S: Strategy>(cases: u32, inputs: S, check: impl Fn(S::Value)) {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let tested = runner.run(&inputs, |input| {
        check(input);
        Ok(())
    });
    if let Err(error) = tested {
        panic!("{error}");
    }
}
