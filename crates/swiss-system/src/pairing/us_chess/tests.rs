//! The pairing against a search of all pairings for small fields, written anew from the rule's words, and by example.

use std::cmp::Reverse;

use proptest::prelude::*;

use super::*;
use crate::pairing::history::PastRound;
use crate::pairing::meetings;
use crate::pairing::tests::{
    all_pairings, check_invariants, every_time, fresh, had, histories, met, uncolored, written,
};

const RULES: UsChessRules = UsChessRules {
    rounds: 5,
    games: 1,
    initial_color: FirstColor::White,
};

fn check(history: &History, expected: &str) {
    check_against_all_pairings(history, &RULES);
    assert_eq!(
        pair(history, &RULES).map(|pairing| written(&pairing)).as_deref(),
        Ok(expected)
    );
}

#[test]
fn nobody_and_one() {
    assert_eq!(pair(&History::default(), &RULES), Err(NoPairingError::NobodyPresent));
    check(&fresh(&[0]), "(1)");
}

#[test]
fn top_half_against_bottom_half() {
    check(&fresh(&[0; 8]), "1-5 6-2 3-7 8-4");
    let mut history = fresh(&[0; 6]);
    for (player, rating) in history.players.iter_mut().zip([1500, 1900, 1700, 1400, 1800, 1600]) {
        player.rating = Some(rating);
    }
    // In order of rating 2 5 3 and 6 1 4.
    check(&history, "5-1 6-2 3-4");
    history.players[1].rating = None;
    // The unrated is last: 5 3 6 and 1 4 2.
    check(&history, "5-1 2-6 3-4");
    let mut two_groups = fresh(&[2, 0, 2, 0, 2, 0, 2, 0]);
    check(&two_groups, "1-5 3-7 6-2 8-4");
    // 1 and 5 have met: the nearest to half against half is 1–7, 3–5.
    met(&mut two_groups, &[(5, 1)]);
    check(&two_groups, "1-7 3-5 6-2 8-4");
}

#[test]
fn the_odd_one_goes_down_to_the_highest_available() {
    // 5 is last of the leaders and meets 2; of 4 6 8, one is left over: 8, below everybody.
    check(&fresh(&[2, 0, 2, 0, 2, 0]), "1-3 5-2 6-4");
    check(&fresh(&[4, 4, 4, 2, 2, 0]), "1-2 3-4 5-6");
    let mut history = fresh(&[4, 4, 4, 2, 2, 2, 0, 0]);
    check(&history, "1-2 3-4 5-6 7-8");
    // 3 has met 4: it meets 5, and 6 meets 4.
    met(&mut history, &[(4, 3)]);
    check(&history, "1-2 3-5 6-4 7-8");
    // 3 has met the whole group: 2 goes down instead.
    met(&mut history, &[(5, 3)]);
    met(&mut history, &[(6, 3)]);
    check(&history, "3-1 2-4 6-5 7-8");
}

#[test]
fn nobody_to_meet_in_the_next_group() {
    // 1 leads alone and has met the only one with 1: both go on to the last group.
    let mut history = fresh(&[4, 2, 0, 0]);
    met(&mut history, &[(1, 2)]);
    check(&history, "3-1 2-4");
}

#[test]
fn a_completion_further_down_binds() {
    // 3 and 4 have met: 1 and 2 cannot meet either.
    let mut history = fresh(&[2, 2, 0, 0]);
    met(&mut history, &[(3, 4)]);
    check(&history, "1-3 4-2");
    // A forced repeat is marked; everybody has met everybody.
    met(&mut history, &[(1, 2)]);
    met(&mut history, &[(1, 3), (2, 4)]);
    met(&mut history, &[(4, 1), (3, 2)]);
    assert!(
        pair(&history, &RULES)
            .expect("repeats are allowed")
            .pairs
            .iter()
            .all(|pair| pair.repeat)
    );
}

#[test]
fn the_forced_bye() {
    // The lowest-rated of the lowest group, not of all.
    let mut history = fresh(&[0, 2, 0, 2, 1]);
    for (player, rating) in history.players.iter_mut().zip([1400, 1000, 1300, 1800, 900]) {
        player.rating = Some(rating);
    }
    check(&history, "2-4 5-1 (3)");
    // Never two: the other player of the group, then the next group up.
    had(&mut history, 3, Encounter::PairingAllocatedBye, 2);
    check(&history, "2-4 5-3 (1)");
    had(&mut history, 1, Encounter::PairingAllocatedBye, 2);
    check(&history, "2-4 1-3 (5)");
    for number in [2, 4, 5] {
        had(&mut history, number, Encounter::PairingAllocatedBye, 2);
    }
    // All have had one: once more from below.
    check(&history, "2-4 5-1 (3)");
    let again = |history: &History, rules: &UsChessRules| pair(history, rules).map(|pairing| pairing.again);
    assert_eq!(again(&history, &RULES), Ok(vec![PairingNumber(3)]));
    had(&mut history, 3, Encounter::PairingAllocatedBye, 1);
    check(&history, "2-4 5-3 (1)");
}

#[test]
fn an_unrated_player_needs_four_games() {
    let mut history = fresh(&[0; 3]);
    history.players[2].rating = None;
    // Five rounds: the bye leaves four games. Four rounds: it leaves three, so that the lowest-rated has it.
    check(&history, "1-2 (3)");
    let four = UsChessRules { rounds: 4, ..RULES };
    assert_eq!(pair(&history, &four).map(|p| written(&p)).as_deref(), Ok("1-3 (2)"));
    // Two games a round: two rounds with play are enough.
    let double = UsChessRules {
        rounds: 3,
        games: 2,
        ..RULES
    };
    assert_eq!(pair(&history, &double).map(|p| written(&p)).as_deref(), Ok("1-2 (3)"));
    // An absence and a forfeit are not games: three are left of five.
    had(&mut history, 3, Encounter::Absent, 1);
    had(&mut history, 1, Encounter::Absent, 1);
    had(&mut history, 2, Encounter::Absent, 1);
    check(&history, "1-3 (2)");
    let six = UsChessRules { rounds: 6, ..RULES };
    assert_eq!(pair(&history, &six).map(|p| written(&p)).as_deref(), Ok("1-2 (3)"));
    // Only unrated players, and too few rounds.
    for player in &mut history.players {
        player.rating = None;
    }
    // The four games no longer bind: the lowest, largest number.
    let pairing = pair(&history, &four).expect("somebody sits out");
    assert_eq!(
        (written(&pairing), pairing.again),
        ("1-2 (3)".to_owned(), vec![PairingNumber(3)])
    );
    check_against_all_pairings(&history, &four);
}

#[test]
fn a_requested_half_point_bye() {
    // 5 asks to sit out round 1 for half a point, so that the section is even.
    let mut history = fresh(&[0; 5]);
    history.players[4].present = false;
    check(&history, "1-3 4-2");
    // 1 and 2 have won; in round 2 player 5 is between them and 3 and 4, and may have the forced bye.
    met(&mut history, &[(1, 3), (4, 2)]);
    had(&mut history, 5, Encounter::Absent, 1);
    for (player, halves) in history.players.iter_mut().zip([2, 2, 0, 0, 1]) {
        player.points = Points::halves(halves);
        player.present = true;
    }
    check(&history, "2-1 3-5 (4)");
    history.players[3].present = false;
    history.players[2].present = false;
    check(&history, "2-1 (5)");
}

#[test]
fn colors_equalise_then_alternate() {
    let mut history = fresh(&[0; 4]);
    met(&mut history, &[(1, 2), (3, 4)]);
    met(&mut history, &[(1, 4), (2, 3)]);
    // 1 has had White twice, 3 once each, 2 once each, 4 never.
    check(&history, "3-1 4-2");
    assert_eq!(ColorSequence::had_by(&history.players[0]).counts(), (2, 0));
}

#[test]
fn forbidden_pairs_bind() {
    let mut history = fresh(&[2, 2, 0, 0]);
    history.forbidden = vec![(PairingNumber(2), PairingNumber(1))];
    check(&history, "1-3 4-2");
    history.forbidden.push((PairingNumber(2), PairingNumber(3)));
    history.forbidden.push((PairingNumber(2), PairingNumber(4)));
    assert_eq!(pair(&history, &RULES), Err(NoPairingError::Forbidden));
    history.players[3].present = false;
    check(&history, "1-3 (2)");
}

#[test]
fn a_large_section() {
    let halves: Vec<i64> = (0..151).map(|number| number % 7).collect();
    let history = fresh(&halves);
    let pairing = pair(&history, &RULES).expect("complete");
    check_invariants(&history, &pairing, &[]);
    let apart = |pair: &&Pair| history.player(pair.white).points != history.player(pair.black).points;
    assert!(
        pairing.pairs.iter().filter(apart).count() <= 6,
        "at most one goes down from each group"
    );
}

/// Place in the order of rank.
fn ranked(history: &History) -> Vec<u32> {
    let mut numbers: Vec<u32> = (1..)
        .zip(&history.players)
        .filter(|(_, p)| p.present)
        .map(|(n, _)| n)
        .collect();
    numbers.sort_by_key(|&number| {
        let player = &history.players[number as usize - 1];
        let rating = player.rating.map_or(-1, i64::from);
        (Reverse(player.points), -rating, number)
    });
    numbers
}

/// Keeps the pairings with the least key.
fn keep_least<T: Clone, K: Ord>(all: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let least = all.iter().map(&key).min();
    all.retain(|one| Some(key(one)) == least);
}

fn may_not_meet(history: &History, a: u32, b: u32) -> bool {
    meetings::is_forbidden(history, PairingNumber(a), PairingNumber(b))
}

fn repeats(history: &History, pairs: &[(u32, u32)]) -> usize {
    let meetings = |a: u32, b: u32| {
        let with_b = |round: &&PastRound| matches!(round.encounter, Encounter::Met { opponent, .. } if opponent.0 == b);
        history.players[a as usize - 1].rounds.iter().filter(with_b).count()
    };
    pairs.iter().map(|&(a, b)| meetings(a, b).pow(2)).sum()
}

/// "Never two for one player; not to an unrated player who would then have fewer than 4 games."
fn may_have_the_bye(history: &History, rules: &UsChessRules, number: u32) -> bool {
    let player = &history.players[number as usize - 1];
    let count = |wanted: fn(&Encounter) -> bool| player.rounds.iter().filter(|round| wanted(&round.encounter)).count();
    let played = u32::try_from(count(|what| matches!(what, Encounter::Met { .. }))).expect("few");
    let done = u32::try_from(player.rounds.len()).expect("few");
    let games = (played + rules.rounds.saturating_sub(done + 1)) * rules.games;
    count(|what| *what == Encounter::PairingAllocatedBye) == 0 && (player.rating.is_some() || games >= 4)
}

/// Pairs with the smaller number first, sorted, and the bye.
type SortedPairing = (Vec<(u32, u32)>, Option<u32>);

/// The pairings and byes left after the aims have been applied one after the other, in the words of the rule.
fn by_elimination(history: &History, rules: &UsChessRules) -> Result<SortedPairing, NoPairingError> {
    let ranked = ranked(history);
    let mut byes = vec![None];
    if ranked.len() % 2 == 1 {
        byes = ranked.iter().copied().map(Some).collect();
    }
    // Pairs are written by rank from 0, without the bye, so that lists of pairs compare by rank.
    let mut all = Vec::new();
    for bye in byes {
        let field: Vec<u32> = ranked.iter().copied().filter(|&number| Some(number) != bye).collect();
        let places: Vec<u32> = (0..u32::try_from(field.len()).expect("small")).collect();
        for pairs in all_pairings(&places) {
            let named: Vec<(u32, u32)> = pairs
                .iter()
                .map(|&(u, v)| (field[u as usize], field[v as usize]))
                .collect();
            if !named.iter().any(|&(a, b)| may_not_meet(history, a, b)) {
                all.push((bye, field.clone(), pairs, named));
            }
        }
    }
    if all.is_empty() {
        return Err(NoPairingError::Forbidden);
    }
    keep_least(&mut all, |(bye, ..)| {
        bye.is_some_and(|bye| !may_have_the_bye(history, rules, bye))
    });
    keep_least(&mut all, |(bye, ..)| {
        bye.map(|bye| history.players[bye as usize - 1].byes())
    });
    keep_least(&mut all, |(_, _, _, named)| repeats(history, named));
    keep_least(&mut all, |(bye, ..)| {
        bye.map(|bye| Reverse(ranked.iter().position(|&number| number == bye)))
    });

    let (bye, field) = (all[0].0, all[0].1.clone());
    let points: Vec<Points> = field
        .iter()
        .map(|&number| history.players[number as usize - 1].points)
        .collect();
    let mut all: Vec<Vec<(u32, u32)>> = all.into_iter().map(|(_, _, pairs, _)| pairs).collect();
    let mut groups = points.clone();
    groups.dedup();
    for own in groups {
        let of = |place: u32| points[place as usize];
        // The waiting players are the same in all that are left.
        let waits: Vec<u32> = {
            let above = |&(u, v): &(u32, u32)| of(u) > own && of(v) > own;
            let settled: Vec<u32> = all[0]
                .iter()
                .filter(|pair| above(pair))
                .flat_map(|&(u, v)| [u, v])
                .collect();
            (0..u32::try_from(points.len()).expect("small"))
                .filter(|place| !settled.contains(place))
                .collect()
        };
        let size = waits.iter().filter(|&&place| of(place) >= own).count();
        let came = |place: u32| waits.contains(&place) && of(place) > own;
        let down = |pairs: &Vec<(u32, u32)>| -> Vec<u32> {
            pairs
                .iter()
                .filter(|&&(u, v)| of(u) >= own && of(v) < own)
                .map(|&(u, _)| u)
                .collect()
        };
        let at = |place: u32| waits.iter().position(|&other| other == place).expect("it waits");
        keep_least(&mut all, |pairs| down(pairs).len());
        keep_least(&mut all, |pairs| {
            down(pairs).iter().filter(|&&place| came(place)).count()
        });
        let next = waits
            .iter()
            .map(|&place| of(place))
            .filter(|&points| points < own)
            .max();
        let too_far = |&&(u, v): &&(u32, u32)| of(u) >= own && of(v) < own && Some(of(v)) != next;
        keep_least(&mut all, |pairs| pairs.iter().filter(too_far).count());
        keep_least(&mut all, |pairs| {
            down(pairs).iter().map(|&place| size - 1 - at(place)).sum::<usize>()
        });
        assert!(
            all.iter().flatten().all(|&(u, v)| !came(u) || !came(v)),
            "they would have met above"
        );
        let first_own = waits.iter().filter(|&&place| of(place) > own).count();
        keep_least(&mut all, |pairs| {
            let taken = pairs.iter().filter(|&&(u, v)| came(u) && of(v) == own);
            taken.map(|&(_, v)| at(v) - first_own).sum::<usize>()
        });
        // The first list settles those who came down and those who go down; the rest is half against half.
        let first = all.iter().min().expect("one is left").clone();
        let settled = |pairs: &Vec<(u32, u32)>| -> Vec<(u32, u32)> {
            pairs
                .iter()
                .copied()
                .filter(|&(u, v)| came(u) && of(v) >= own)
                .collect()
        };
        all.retain(|pairs| settled(pairs) == settled(&first) && down(pairs) == down(&first));
        let halves: Vec<u32> = first
            .iter()
            .filter(|&&(u, v)| of(u) == own && of(v) == own)
            .flat_map(|&(u, v)| [u, v])
            .collect();
        let mut halves = halves;
        halves.sort_unstable();
        let rank = |place: u32| {
            let at = halves.iter().position(|&other| other == place).expect("in the halves");
            i64::try_from(at).expect("small")
        };
        let size = i64::try_from(halves.len()).expect("small");
        let own_pairs = |pairs: &Vec<(u32, u32)>| -> Vec<(u32, u32)> {
            pairs
                .iter()
                .copied()
                .filter(|&(u, v)| of(u) == own && of(v) == own)
                .collect()
        };
        let top = |place: u32| 2 * rank(place) < size;
        keep_least(&mut all, |pairs| {
            own_pairs(pairs).iter().filter(|&&(u, v)| top(u) == top(v)).count()
        });
        keep_least(&mut all, own_pairs);
    }
    assert_eq!(all.len(), 1, "the aims leave one pairing");
    let mut pairs: Vec<(u32, u32)> = all[0]
        .iter()
        .map(|&(u, v)| (field[u as usize], field[v as usize]))
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect();
    pairs.sort_unstable();
    Ok((pairs, bye))
}

fn check_against_all_pairings(history: &History, rules: &UsChessRules) {
    let expected = by_elimination(history, rules);
    let pairing = pair(history, rules);
    if let Ok(pairing) = &pairing {
        check_invariants(history, pairing, &[]);
        let bars = |bye: &PairingNumber| !may_have_the_bye(history, rules, bye.0);
        assert_eq!(pairing.again, pairing.bye.filter(bars).into_iter().collect::<Vec<_>>());
    }
    let found = pairing.map(|pairing| (uncolored(&pairing.pairs), pairing.bye.map(|bye| bye.0)));
    assert_eq!(found, expected);
}

#[test]
fn best_of_all_pairings_in_the_same_histories_every_time() {
    every_time(400, (histories(10), 3..=7_u32), |(history, rounds)| {
        check_against_all_pairings(&history, &UsChessRules { rounds, ..RULES });
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn best_of_all_pairings(history in histories(8), rounds in 3..=7_u32) {
        check_against_all_pairings(&history, &UsChessRules { rounds, ..RULES });
    }
}
