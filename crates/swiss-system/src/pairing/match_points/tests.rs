//! The pairing against a search of all pairings for small fields, written anew from the rule's words, and by example.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::*;
use crate::pairing::history::{PastPlayer, PastRound};
use crate::pairing::meetings;
use ByeCriterion::{EarliestSubmission, FewestByes, LowestMatchPoints, WorstPreviousPlace};

fn protocol() -> MatchPointsRules {
    MatchPointsRules {
        bye_order: vec![FewestByes, LowestMatchPoints, WorstPreviousPlace, EarliestSubmission],
    }
}

/// Players with these half points, no earlier rounds, submitted in order of their numbers.
fn fresh(halves: &[i64]) -> History {
    let player = |(submission, &halves): (u32, &i64)| PastPlayer {
        points: Points::halves(halves),
        rounds: Vec::new(),
        present: true,
        submission,
        previous_place: None,
        rating: None,
    };
    History {
        players: (0..).zip(halves).map(player).collect(),
        ..History::default()
    }
}

/// Adds an earlier round: pairs as (White, Black).
fn met(history: &mut History, pairs: &[(u32, u32)]) {
    for &(white, black) in pairs {
        for (own, opponent, color) in [(white, black, FirstColor::White), (black, white, FirstColor::Black)] {
            let opponent = PairingNumber(opponent);
            history.players[PairingNumber(own).index()]
                .rounds
                .push(Encounter::Met { opponent, color }.worth(Points::ZERO));
        }
    }
}

/// A pairing as `White-Black`, a repeat with `!` after it, then the bye in parentheses.
fn written(pairing: &RoundPairing) -> String {
    let pairs = pairing.pairs.iter().map(|pair| {
        let mark = if pair.repeat { "!" } else { "" };
        format!("{}-{}{mark}", pair.white, pair.black)
    });
    let bye = pairing.bye.map(|bye| format!("({bye})"));
    pairs.chain(bye).collect::<Vec<_>>().join(" ")
}

fn check(history: &History, expected: &str) {
    check_against_all_pairings(history);
    let pairing = pair(history, &protocol()).expect("somebody is present");
    assert_eq!(written(&pairing), expected);
}

#[test]
fn nobody_and_one() {
    assert_eq!(
        pair(&History::default(), &protocol()),
        Err(NoPairingError::NobodyPresent)
    );
    let mut one = fresh(&[0, 0]);
    one.players[1].present = false;
    check(&one, "(1)");
    one.players[0].present = false;
    assert_eq!(pair(&one, &protocol()), Err(NoPairingError::NobodyPresent));
}

#[test]
fn top_half_meets_bottom_half() {
    check(&fresh(&[0; 2]), "1-2");
    check(&fresh(&[0; 8]), "1-5 2-6 3-7 4-8");
    check(&fresh(&[0; 7]), "2-5 3-6 4-7 (1)");
}

#[test]
fn last_of_the_upper_group_meets_first_of_the_lower() {
    // Groups 1 3 5 and 2 4 6: 5 goes down to 2.
    check(&fresh(&[2, 0, 2, 0, 2, 0]), "1-3 2-5 4-6");
}

#[test]
fn repeats_only_where_forced() {
    let mut history = fresh(&[0; 4]);
    met(&mut history, &[(1, 3), (2, 4)]);
    check(&history, "1-2 3-4");
    met(&mut history, &[(1, 2), (3, 4)]);
    check(&history, "4-1 2-3");
    met(&mut history, &[(4, 1), (2, 3)]);
    check(&history, "3-1! 4-2!");
}

#[test]
fn a_forced_repeat_is_where_it_costs_least() {
    // 1, 2 and 3 have all met: two of them must meet again, and 1–2 leaves the smallest differences.
    let mut history = fresh(&[6, 6, 4, 0]);
    met(&mut history, &[(1, 2)]);
    met(&mut history, &[(1, 3)]);
    met(&mut history, &[(3, 2)]);
    check(&history, "2-1! 4-3");
}

#[test]
fn no_repeat_whatever_it_costs_in_points() {
    let mut history = fresh(&[20, 20, 0, 0]);
    met(&mut history, &[(1, 2), (3, 4)]);
    check(&history, "1-3 2-4");
    met(&mut history, &[(1, 3)]);
    check(&history, "4-1 2-3");
}

#[test]
fn repeats_spread_over_all_pairs() {
    // All have met once, 1 and 2 as well as 3 and 4 twice: points would have these meet a third time.
    let mut history = fresh(&[6, 6, 0, 0]);
    met(&mut history, &[(1, 2), (3, 4)]);
    met(&mut history, &[(1, 3), (2, 4)]);
    met(&mut history, &[(1, 4), (2, 3)]);
    met(&mut history, &[(1, 2), (3, 4)]);
    check(&history, "3-1! 4-2!");
    // One pair three times is worse than three pairs twice: 9 + 0 + 0 to 4 + 4 + 0.
    let mut history = fresh(&[0; 6]);
    for _ in 0..3 {
        met(&mut history, &[(1, 2)]);
    }
    for _ in 0..2 {
        met(&mut history, &[(1, 3), (2, 4)]);
    }
    let apart = [(1, 4), (1, 5), (1, 6), (2, 3), (2, 5), (2, 6)];
    history.forbidden = apart.map(|(a, b)| (PairingNumber(a), PairingNumber(b))).to_vec();
    check(&history, "3-1! 4-2! 5-6");
}

#[test]
fn after_the_first_cycle_points_decide_then_the_oldest_meeting() {
    let mut history = fresh(&[6, 4, 2, 0]);
    met(&mut history, &[(1, 2), (3, 4)]);
    met(&mut history, &[(1, 3), (2, 4)]);
    met(&mut history, &[(1, 4), (2, 3)]);
    // All have met once: the nearest points meet, though they met last in round 1 and others could have.
    check(&history, "2-1! 4-3!");
    // Level on points as well: the pair that met longest ago, here 1 and 2, not the halves of the group.
    let mut history = fresh(&[0; 4]);
    met(&mut history, &[(1, 2), (3, 4)]);
    met(&mut history, &[(1, 3), (2, 4)]);
    met(&mut history, &[(1, 4), (2, 3)]);
    check(&history, "2-1! 4-3!");
    met(&mut history, &[(2, 1), (4, 3)]);
    check(&history, "3-1! 4-2!");
}

/// Plays this many rounds, in which the stronger, the smaller number, wins, and checks each pairing. Returns how
/// often each player had the bye, and how often each pair met.
fn played_on(players: usize, rounds: usize) -> (Vec<usize>, Vec<u32>) {
    let mut history = fresh(&vec![0; players]);
    for _ in 0..rounds {
        check_against_all_pairings(&history);
        play_on(&mut history, |white, black| if white < black { 2 } else { 0 });
    }
    let byes = history.players.iter().map(PastPlayer::byes).collect();
    let field = meetings::PairingField::new(&history, history.numbers().collect());
    let pairs = (0..players).flat_map(|u| (u + 1..players).map(move |v| (u, v)));
    (byes, pairs.map(|(u, v)| field.meetings(u, v).count).collect())
}

/// Pairs and plays a round with these `half_points` of White against Black.
fn play_on(history: &mut History, mut half_points: impl FnMut(PairingNumber, PairingNumber) -> i64) {
    let pairing = pair(history, &protocol()).expect("somebody is present");
    for board in &pairing.pairs {
        met(history, &[(board.white.0, board.black.0)]);
        let won = half_points(board.white, board.black);
        history.players[board.white.index()].points += Points::halves(won);
        history.players[board.black.index()].points += Points::halves(2 - won);
    }
    if let Some(bye) = pairing.bye {
        let player = &mut history.players[bye.index()];
        player.rounds.push(Encounter::PairingAllocatedBye.worth(Points::HALF));
        player.points += Points::HALF;
    }
    let mut by_points: Vec<(std::cmp::Reverse<Points>, usize)> = Vec::new();
    for (index, player) in history.players.iter().enumerate() {
        by_points.push((std::cmp::Reverse(player.points), index));
    }
    by_points.sort_unstable();
    for (place, (_, index)) in (1..).zip(by_points) {
        history.players[index].previous_place = Some(place);
    }
}

#[test]
fn more_rounds_than_opponents() {
    // Ten rounds, in each of which one of three has the bye: the weakest has no more of them than it must.
    let (byes, meetings) = played_on(3, 10);
    assert_eq!((byes.iter().min(), byes.iter().max()), (Some(&3), Some(&4)), "{byes:?}");
    assert_eq!(
        (meetings.iter().min(), meetings.iter().max()),
        (Some(&3), Some(&4)),
        "{meetings:?}"
    );
    let (byes, _) = played_on(5, 12);
    assert_eq!((byes.iter().min(), byes.iter().max()), (Some(&2), Some(&3)), "{byes:?}");
    let (_, meetings) = played_on(4, 9);
    assert_eq!(meetings, [3; 6]);
    assert_eq!(played_on(2, 7).1, [7]);
    assert_eq!(played_on(1, 3).0, [3]);
}

#[test]
fn best_of_all_pairings_through_many_rounds() {
    let strategy = (2..=8_usize, proptest::collection::vec(0..=2_i64, 80));
    let config = ProptestConfig {
        cases: 12,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let tested = runner.run(&strategy, |(players, results)| {
        let mut history = fresh(&vec![0; players]);
        let mut results = results.into_iter().cycle();
        for _ in 0..20 {
            check_against_all_pairings(&history);
            play_on(&mut history, |_, _| results.next().expect("endless"));
            let byes = || history.players.iter().map(PastPlayer::byes);
            assert!(byes().max() <= byes().min().map(|least| least + 1), "byes in turn");
        }
        Ok(())
    });
    assert_eq!(tested, Ok(()));
}

#[test]
fn a_forfeit_is_no_meeting() {
    let mut history = fresh(&[2, 0]);
    for (own, opponent) in [(0, 2), (1, 1)] {
        history.players[own].rounds.push(
            Encounter::Forfeit {
                opponent: PairingNumber(opponent),
            }
            .worth(Points::ZERO),
        );
    }
    check(&history, "1-2");
}

#[test]
fn white_for_fewer_whites_then_last_black_then_number() {
    let mut history = fresh(&[0; 4]);
    met(&mut history, &[(1, 2), (3, 4)]);
    met(&mut history, &[(4, 1), (2, 3)]);
    // All have had one White; 1 and 3 had Black last. 1 and 3 have the best rank cost.
    check(&history, "1-3 2-4");
    met(&mut history, &[(1, 3), (2, 4)]);
    // 3 and 4 have fewer Whites than 1 and 2.
    history.players[0].points = Points::ONE;
    history.players[3].points = Points::ONE;
    check(&history, "4-1! 3-2!");
}

#[test]
fn black_last_goes_before_no_game_yet() {
    // Neither has had White; 2 had Black against 3, 1 has not played.
    let mut history = fresh(&[0; 3]);
    met(&mut history, &[(3, 2)]);
    history.players[2].present = false;
    check(&history, "2-1");
}

#[test]
fn boards_by_points_then_number() {
    check(&fresh(&[1, 4, 4, 1, 0, 3]), "2-3 1-6 4-5");
    // The higher points of 1–4 lead, though its sum is less.
    let mut history = fresh(&[6, 5, 5, 0]);
    met(&mut history, &[(1, 2)]);
    met(&mut history, &[(1, 3)]);
    check(&history, "4-1 2-3");
    // Level on these, the sum of 2–3 leads, though 1 is the smaller number.
    let mut history = fresh(&[6, 6, 4, 0]);
    met(&mut history, &[(1, 2)]);
    met(&mut history, &[(1, 3)]);
    check(&history, "2-3 4-1");
}

#[test]
fn absurd_points_are_an_error() {
    let far: Points = "999999999.999".parse().expect("three decimals");
    let near: Points = "0.001".parse().expect("three decimals");
    let mut history = fresh(&[0; 512]);
    history.players[0].points = far;
    history.players[1].points = near;
    assert_eq!(pair(&history, &protocol()), Err(NoPairingError::PointsTooFarApart));
    let mut history = fresh(&[0; 1000]);
    history.players[0].points = Points::whole(100_000);
    history.players[1].points = near;
    assert!(pair(&history, &protocol()).is_ok());
}

/// All ways to pair the players, lists sorted, in lexicographic order.
fn all_pairings(field: &[u32]) -> Vec<Vec<(u32, u32)>> {
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

/// Aims 2 to 5 of a pairing, the last one times four.
fn aims(history: &History, field: &[u32], pairs: &[(u32, u32)]) -> (usize, i128, usize, i128) {
    let points = |number: u32| history.players[number as usize - 1].points;
    let group = |number: u32| {
        field
            .iter()
            .copied()
            .filter(|&other| points(other) == points(number))
            .collect::<Vec<_>>()
    };
    let size = |number: u32| i128::try_from(group(number).len()).expect("small");
    let rank = |number: u32| {
        (1..)
            .zip(group(number))
            .find(|&(_, other)| other == number)
            .expect("own group")
            .0
    };
    let mut sums = (0, 0, 0, 0);
    for &(a, b) in pairs {
        let met = meetings(history, a, b);
        sums.0 += met.len() * met.len();
        sums.2 += met.last().copied().unwrap_or(0);
        sums.1 += i128::from((points(a) - points(b)).units()).pow(2);
        sums.3 += if points(a) == points(b) {
            let apart: i128 = rank(b) - rank(a);
            4 * apart * apart - 4 * apart * size(a) + size(a) * size(a)
        } else {
            let (upper, lower) = if points(a) > points(b) { (a, b) } else { (b, a) };
            let (up, down): (i128, i128) = (size(upper) - rank(upper), rank(lower) - 1);
            4 * (up * up + down * down)
        };
    }
    sums
}

/// The rounds, from 1, in which the two met.
fn meetings(history: &History, a: u32, b: u32) -> Vec<usize> {
    let with_b = |round: &PastRound| matches!(round.encounter, Encounter::Met { opponent, .. } if opponent.0 == b);
    let rounds = (1..).zip(&history.players[a as usize - 1].rounds);
    rounds
        .filter(|(_, past)| with_b(past))
        .map(|(round, _)| round)
        .collect()
}

fn check_against_all_pairings(history: &History) {
    let pairing = pair(history, &protocol()).expect("somebody is present");
    assert_eq!(pairing.bye, bye::choose(history, &protocol().bye_order));
    let had_one = |bye: &PairingNumber| history.player(*bye).byes() > 0;
    assert_eq!(
        pairing.again,
        pairing.bye.filter(had_one).into_iter().collect::<Vec<_>>()
    );
    let numbers = (1..)
        .zip(&history.players)
        .filter(|(_, player)| player.present)
        .map(|(number, _)| number);
    let field: Vec<u32> = numbers
        .filter(|&number| pairing.bye != Some(PairingNumber(number)))
        .collect();

    let mut pairs: Vec<(u32, u32)> = pairing
        .pairs
        .iter()
        .map(|pair| (pair.white.0.min(pair.black.0), pair.white.0.max(pair.black.0)))
        .collect();
    pairs.sort_unstable();
    let allowed = |pairs: &Vec<(u32, u32)>| {
        let forbidden = |&(a, b): &(u32, u32)| meetings::is_forbidden(history, PairingNumber(a), PairingNumber(b));
        !pairs.iter().any(forbidden)
    };
    let best = all_pairings(&field)
        .into_iter()
        .filter(allowed)
        .min_by_key(|pairs| (aims(history, &field, pairs), pairs.clone()));
    assert_eq!(Some(pairs), best);
    assert!(
        pairing
            .pairs
            .iter()
            .all(|pair| pair.repeat != meetings(history, pair.white.0, pair.black.0).is_empty())
    );
}

/// Histories of up to ten players: random pairings in earlier rounds, some forfeited, some left out, and any points.
fn histories() -> impl Strategy<Value = History> {
    (1..=10_usize, 0..=14_usize, 1..=5_i64).prop_flat_map(|(players, rounds, widest)| {
        let round = (
            Just((0..players).collect::<Vec<_>>()).prop_shuffle(),
            proptest::collection::vec(0..10_u8, players),
        );
        (
            proptest::collection::vec(round, rounds),
            proptest::collection::vec(0..=widest, players),
            proptest::collection::vec(proptest::bool::weighted(0.9), players),
            Just((0..players).collect::<Vec<_>>()).prop_shuffle(),
            Just((0..players).collect::<Vec<_>>()).prop_shuffle(),
        )
            .prop_map(|(rounds, halves, present, submission, places)| {
                let mut history = fresh(&halves);
                for (shuffled, kinds) in &rounds {
                    play_round(&mut history, shuffled, kinds);
                }
                for (index, player) in history.players.iter_mut().enumerate() {
                    player.present = present[index] || index == 0;
                    player.submission = u32::try_from(submission[index]).expect("small");
                    player.previous_place =
                        (!rounds.is_empty()).then(|| u32::try_from(places[index] + 1).expect("small"));
                }
                history
            })
    })
}

/// Neighbours of the shuffled list play, or one forfeits, or both are absent; one left over has the bye.
fn play_round(history: &mut History, shuffled: &[usize], kinds: &[u8]) {
    for (pair, kind) in shuffled.chunks(2).zip(kinds) {
        let [a, b] = *pair else {
            history.players[pair[0]]
                .rounds
                .push(Encounter::PairingAllocatedBye.worth(Points::ZERO));
            continue;
        };
        let number = PairingNumber::from_index;
        match kind {
            0 => {
                history.players[a]
                    .rounds
                    .push(Encounter::Forfeit { opponent: number(b) }.worth(Points::ZERO));
                history.players[b]
                    .rounds
                    .push(Encounter::Forfeit { opponent: number(a) }.worth(Points::ZERO));
            }
            1 => [a, b].iter().for_each(|&player| {
                history.players[player]
                    .rounds
                    .push(Encounter::Absent.worth(Points::ZERO))
            }),
            _ => met(history, &[(number(a).0, number(b).0)]),
        }
    }
}

#[test]
fn best_of_all_pairings_in_the_same_histories_every_time() {
    let config = ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let tested = runner.run(&histories(), |history| {
        check_against_all_pairings(&history);
        Ok(())
    });
    assert_eq!(tested, Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn best_of_all_pairings(history in histories()) {
        check_against_all_pairings(&history);
    }
}
