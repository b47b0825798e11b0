//! The pairing against a search of all pairings for small fields, written anew from the rule's words, and by example.

use proptest::prelude::*;

use super::*;
use crate::pairing::history::{Encounter, PastRound};
use crate::pairing::tests::{
    all_pairings, check_invariants, every_time, fresh, had, histories, met, uncolored, written,
};

const RULES: ImmortalRules = ImmortalRules {
    initial_color: FirstColor::White,
    color_streak: Some(2),
};

fn check(history: &History, expected: &str) {
    check_against_all_pairings(history);
    assert_eq!(
        pair(history, &RULES).map(|pairing| written(&pairing)).as_deref(),
        Ok(expected)
    );
}

fn rated(halves: &[i64], ratings: &[u32]) -> History {
    let mut history = fresh(halves);
    for (player, &rating) in history.players.iter_mut().zip(ratings) {
        player.rating = (rating > 0).then_some(rating);
    }
    history
}

#[test]
fn nobody_and_one() {
    assert_eq!(pair(&History::default(), &RULES), Err(NoPairingError::NobodyPresent));
    let mut history = fresh(&[0, 0]);
    history.players[0].present = false;
    check(&history, "(2)");
    had(&mut history, 2, Encounter::PairingAllocatedBye, 2);
    check(&history, "(2)");
    assert_eq!(
        pair(&history, &RULES).map(|pairing| pairing.again),
        Ok(vec![PairingNumber(2)])
    );
}

#[test]
fn first_round_top_half_against_bottom_half_by_rating() {
    check(&fresh(&[0; 8]), "1-5 6-2 3-7 8-4");
    // By rating 3 1 4 2, 5 unrated: 5 is left over, 3 meets 4 and 1 meets 2.
    check(&rated(&[0; 5], &[2100, 1500, 2400, 1900, 0]), "1-2 3-4 (5)");
    // Level ratings: the largest number is left over.
    check(&rated(&[0; 3], &[1500, 1500, 1500]), "1-2 (3)");
    let black = ImmortalRules {
        initial_color: FirstColor::Black,
        ..RULES
    };
    let pairing = pair(&fresh(&[0; 4]), &black).expect("complete");
    assert_eq!(written(&pairing), "3-1 2-4");
}

#[test]
fn later_rounds_equal_points_meet_else_the_nearest() {
    // 1 and 2 have won, 3 and 4 have lost.
    let mut history = fresh(&[2, 2, 0, 0]);
    met(&mut history, &[(1, 3), (4, 2)]);
    check(&history, "2-1 3-4");
    // Three on 2, three on 1: one pair across, the last of the upper with the first of the lower.
    check(&fresh(&[4, 4, 4, 2, 2, 2]), "1-2 3-4 5-6");
    // 3½ and 2, 2, ½: 1–2 and 3–4 (2¼ twice) are nearer than 2–3 and 1–4 (0 and 9).
    check(&fresh(&[7, 4, 4, 1]), "1-2 3-4");
}

#[test]
fn no_third_time_the_same_color() {
    // 1 and 2 lead and both had White twice: they may meet only if nothing else is possible.
    let mut history = fresh(&[4, 4, 0, 0]);
    for opponent in [5, 6] {
        for own in [1, 2] {
            let opponent = PairingNumber(opponent);
            let color = FirstColor::White;
            had(&mut history, own, Encounter::Met { opponent, color }, 2);
        }
        for own in [3, 4] {
            let opponent = PairingNumber(opponent);
            let color = FirstColor::Black;
            had(&mut history, own, Encounter::Met { opponent, color }, 0);
        }
    }
    let mut two_more = fresh(&[0, 0]);
    history.players.append(&mut two_more.players);
    for player in &mut history.players[4..] {
        player.present = false;
    }
    check(&history, "3-1 4-2");
    // Forbidden or met across: then 1 and 2 do meet, and one of them has White once more.
    let mut forced = history.clone();
    forced.forbidden = vec![
        (PairingNumber(1), PairingNumber(3)),
        (PairingNumber(1), PairingNumber(4)),
    ];
    check(&forced, "2-1 3-4");
    // A third time before a second meeting.
    met(&mut history, &[(1, 3), (2, 4)]);
    met(&mut history, &[(1, 4), (2, 3)]);
    for own in [1, 2] {
        let rounds = &mut history.players[own - 1].rounds;
        assert_eq!(rounds.len(), 4);
        assert_eq!(ColorSequence::had_by(&history.players[own - 1]).counts(), (4, 0));
    }
    check(&history, "2-1 3-4");
}

#[test]
fn a_streak_of_another_length() {
    // 1 and 2 lead and both had White twice, 3 and 4 Black.
    let mut history = fresh(&[4, 4, 0, 0]);
    for opponent in [5, 6].map(PairingNumber) {
        for (own, color) in [
            (1, FirstColor::White),
            (2, FirstColor::White),
            (3, FirstColor::Black),
            (4, FirstColor::Black),
        ] {
            had(&mut history, own, Encounter::Met { opponent, color }, 2);
        }
    }
    history.players.append(&mut fresh(&[0, 0]).players);
    history.players[4..]
        .iter_mut()
        .for_each(|player| player.present = false);
    let paired = |color_streak| {
        let pairing = pair(&history, &ImmortalRules { color_streak, ..RULES });
        written(&pairing.expect("complete"))
    };
    assert_eq!(paired(Some(1)), "3-1 4-2");
    assert_eq!(paired(Some(2)), "3-1 4-2");
    // Twice in a row is not yet too often, and with no limit nothing is.
    assert_eq!(paired(Some(3)), "2-1 3-4");
    assert_eq!(paired(None), "2-1 3-4");
}

#[test]
fn the_bye_once_to_the_lowest() {
    let mut history = rated(&[2, 2, 1, 1, 1], &[2000, 1000, 1800, 1700, 1900]);
    check(&history, "1-2 5-3 (4)");
    had(&mut history, 4, Encounter::PairingAllocatedBye, 2);
    for number in [1, 2, 3, 5] {
        had(&mut history, number, Encounter::Absent, 0);
    }
    check(&history, "1-2 5-4 (3)");
    // A requested bye, however much it was worth, does not bar.
    had(&mut history, 3, Encounter::Absent, 2);
    check(&history, "1-2 5-4 (3)");
    // The unrated are the lowest.
    history.players[4].rating = None;
    check(&history, "1-2 3-4 (5)");
    // Avoiding a second meeting comes before the lowest rating.
    met(&mut history, &[(3, 4)]);
    history.players[0].present = false;
    history.players[1].present = false;
    check(&history, "4-5 (3)");
}

#[test]
fn who_sits_out_where_nobody_may_have_the_bye() {
    // All three have had a bye. 3 has the fewest points, and was left over once more.
    let mut history = fresh(&[4, 2, 0]);
    for number in [1, 2, 3, 3] {
        had(&mut history, number, Encounter::PairingAllocatedBye, 2);
    }
    check(&history, "1-3 (2)");
    let again = |history: &History| pair(history, &RULES).map(|pairing| pairing.again);
    assert_eq!(again(&history), Ok(vec![PairingNumber(2)]));
    // Equally often: repeats come before points. 1 and 2 have met, and so have 2 and 3.
    for number in [1, 2] {
        had(&mut history, number, Encounter::PairingAllocatedBye, 0);
    }
    met(&mut history, &[(1, 2), (2, 3)]);
    check(&history, "3-1 (2)");
    met(&mut history, &[(3, 1)]);
    check(&history, "1-2! (3)");
    // A player with a right to the bye comes first, however many repeats that takes.
    let mut history = fresh(&[4, 2, 0]);
    for number in [2, 3] {
        had(&mut history, number, Encounter::PairingAllocatedBye, 2);
    }
    met(&mut history, &[(2, 3)]);
    check(&history, "3-2! (1)");
    assert_eq!(again(&history), Ok(Vec::new()));
    // Unless the others then have no pairing.
    history.forbidden = vec![(PairingNumber(2), PairingNumber(3))];
    check(&history, "1-2 (3)");
    assert_eq!(again(&history), Ok(vec![PairingNumber(3)]));
}

/// Players with ratings, highest first; in each round White wins, and a player who sits out gets nothing unless it is
/// the bye.
fn played_on(players: usize, rounds: usize) -> History {
    let mut history = fresh(&vec![0; players]);
    for _ in 0..rounds {
        check_against_all_pairings(&history);
        let pairing = pair(&history, &RULES).expect("nobody is forbidden");
        for board in &pairing.pairs {
            met(&mut history, &[(board.white.0, board.black.0)]);
            history.players[board.white.index()].points += Points::ONE;
        }
        if let Some(bye) = pairing.bye {
            let worth = if pairing.again.is_empty() { 2 } else { 0 };
            had(&mut history, bye.0, Encounter::PairingAllocatedBye, worth);
            history.players[bye.index()].points += Points::halves(worth);
        }
    }
    history
}

#[test]
fn more_rounds_than_players() {
    for players in [1, 2, 3, 4, 5, 7] {
        let history = played_on(players, 12);
        let byes = || history.players.iter().map(|player| player.byes());
        assert!(byes().max() <= byes().min().map(|least| least + 1), "in turn");
        assert_eq!(byes().sum::<usize>(), if players % 2 == 1 { 12 } else { 0 });
    }
    let met = played_on(4, 9);
    assert_eq!(
        (meetings(&met, 1, 2), meetings(&met, 1, 3), meetings(&met, 2, 3)),
        (3, 3, 3)
    );
}

#[test]
fn repeats_only_where_forced_and_marked() {
    let mut history = fresh(&[0; 4]);
    met(&mut history, &[(1, 3), (4, 2)]);
    met(&mut history, &[(2, 1), (3, 4)]);
    check(&history, "1-4 3-2");
    met(&mut history, &[(4, 1), (2, 3)]);
    assert!(
        pair(&history, &RULES)
            .expect("repeats are allowed")
            .pairs
            .iter()
            .all(|pair| pair.repeat)
    );
    check_against_all_pairings(&history);
}

#[test]
fn forbidden_pairs_bind() {
    let mut history = fresh(&[0; 4]);
    history.forbidden = vec![(PairingNumber(3), PairingNumber(1))];
    check(&history, "1-2 3-4");
    history.forbidden.push((PairingNumber(1), PairingNumber(2)));
    history.forbidden.push((PairingNumber(1), PairingNumber(4)));
    assert_eq!(pair(&history, &RULES), Err(NoPairingError::Forbidden));
    // With an odd number, the player whom nobody may meet has the bye, whatever its rating.
    history.players[3].present = false;
    check(&history, "3-2 (1)");
}

#[test]
fn absurd_points_are_an_error() {
    let far: Points = "999999999.999".parse().expect("three decimals");
    let mut history = fresh(&[0; 512]);
    history.players[0].points = far;
    history.players[1].points = "0.001".parse().expect("three decimals");
    assert_eq!(pair(&history, &RULES), Err(NoPairingError::PointsTooFarApart));
}

#[test]
fn the_order_of_the_boards_of_a_large_field() {
    let pairing = pair(&fresh(&vec![0; 200]), &RULES).expect("complete");
    let expected: Vec<(u32, u32)> = (1..=100).map(|number| (number, number + 100)).collect();
    assert_eq!(uncolored(&pairing.pairs), expected);
    let whites = pairing.pairs.iter().filter(|pair| pair.white.0 <= 100).count();
    assert_eq!(whites, 50, "colours alternate down the boards");
}

fn meetings(history: &History, a: u32, b: u32) -> usize {
    let with_b = |round: &&PastRound| matches!(round.encounter, Encounter::Met { opponent, .. } if opponent.0 == b);
    history.players[a as usize - 1].rounds.iter().filter(with_b).count()
}

fn forbidden(history: &History, a: u32, b: u32) -> bool {
    let named = |pair: &(PairingNumber, PairingNumber)| [(a, b), (b, a)].contains(&(pair.0.0, pair.1.0));
    history.forbidden.iter().any(named)
}

/// W and B in games played, oldest first.
fn colors(history: &History, number: u32) -> String {
    let letter = |round: &PastRound| match round.encounter {
        Encounter::Met { color, .. } => Some(if color == FirstColor::White { 'W' } else { 'B' }),
        _ => None,
    };
    history.players[number as usize - 1]
        .rounds
        .iter()
        .filter_map(letter)
        .collect()
}

/// The score group of a player among those to be paired, by rating, then number.
fn group(history: &History, field: &[u32], number: u32) -> Vec<u32> {
    let player = |number: u32| &history.players[number as usize - 1];
    let mut group: Vec<u32> = field
        .iter()
        .copied()
        .filter(|&other| player(other).points == player(number).points)
        .collect();
    group.sort_by_key(|&other| {
        (
            player(other).rating.is_none(),
            -i64::from(player(other).rating.unwrap_or(0)),
            other,
        )
    });
    group
}

/// Aims 4 to 6 of a pairing, the last one times four.
fn aims(history: &History, field: &[u32], pairs: &[(u32, u32)]) -> (usize, i128, i128) {
    let points = |number: u32| history.players[number as usize - 1].points;
    let size = |number: u32| i128::try_from(group(history, field, number).len()).expect("small");
    let rank = |number: u32| {
        let group = group(history, field, number);
        (1..)
            .zip(group)
            .find(|&(_, other)| other == number)
            .expect("own group")
            .0
    };
    let mut sums = (0, 0, 0);
    for &(a, b) in pairs {
        let (of_a, of_b) = (colors(history, a), colors(history, b));
        let third = ["WW", "BB"]
            .iter()
            .any(|two| of_a.ends_with(two) && of_b.ends_with(two));
        sums.0 += usize::from(third);
        sums.1 += i128::from((points(a) - points(b)).units()).pow(2);
        sums.2 += if points(a) == points(b) {
            let apart: i128 = rank(b) - rank(a);
            (2 * apart.abs() - size(a)).pow(2)
        } else {
            let (upper, lower) = if points(a) > points(b) { (a, b) } else { (b, a) };
            let (up, down): (i128, i128) = (size(upper) - rank(upper), rank(lower) - 1);
            4 * (up * up + down * down)
        };
    }
    sums
}

fn check_against_all_pairings(history: &History) {
    let present: Vec<u32> = (1..)
        .zip(&history.players)
        .filter(|(_, p)| p.present)
        .map(|(n, _)| n)
        .collect();
    let mut byes: Vec<Option<u32>> = vec![None];
    if present.len() % 2 == 1 {
        byes = present.iter().map(|&number| Some(number)).collect();
    }
    let mut rounds = Vec::new();
    for bye in &byes {
        let field: Vec<u32> = present.iter().copied().filter(|&number| Some(number) != *bye).collect();
        for pairs in all_pairings(&field) {
            if pairs.iter().any(|&(a, b)| forbidden(history, a, b)) {
                continue;
            }
            let repeats: usize = pairs.iter().map(|&(a, b)| meetings(history, a, b).pow(2)).sum();
            let claim = bye.map(|bye| {
                let player = &history.players[bye as usize - 1];
                (player.points, player.rating, std::cmp::Reverse(bye))
            });
            // Players without a bye may have it; of the others, those who were left over the fewest times.
            let times = bye.map_or(0, |bye| history.players[bye as usize - 1].byes());
            let aims = aims(history, &field, &pairs);
            rounds.push(((times, repeats, claim, aims, pairs), *bye));
        }
    }
    let pairing = pair(history, &RULES);
    let Some(((.., pairs), bye)) = rounds.into_iter().min() else {
        assert_eq!(pairing, Err(NoPairingError::Forbidden));
        return;
    };
    let pairing = pairing.expect("there is one");
    let had_one = |bye: &PairingNumber| history.player(*bye).byes() > 0;
    assert_eq!(
        pairing.again,
        pairing.bye.filter(had_one).into_iter().collect::<Vec<_>>()
    );
    assert_eq!(
        (uncolored(&pairing.pairs), pairing.bye),
        (pairs, bye.map(PairingNumber))
    );
    check_invariants(history, &pairing, &[]);
    check_colors(history, &pairing);
}

/// Checks that nobody has a colour for the third time if the other one was possible; else the excess decides.
fn check_colors(history: &History, pairing: &RoundPairing) {
    for pair in &pairing.pairs {
        let (white, black) = (colors(history, pair.white.0), colors(history, pair.black.0));
        let third = white.ends_with("WW") || black.ends_with("BB");
        let either_way = white.ends_with("BB") || black.ends_with("WW");
        assert!(!third || either_way, "{white} {black}");
        if third == either_way {
            let excess = |colors: &str| {
                let whites = i64::try_from(colors.matches('W').count()).expect("small");
                2 * whites - i64::try_from(colors.len()).expect("small")
            };
            assert!(excess(&white) <= excess(&black), "{white} {black}");
        }
    }
}

#[test]
fn best_of_all_pairings_in_the_same_histories_every_time() {
    every_time(400, histories(8), |history| check_against_all_pairings(&history));
}

#[test]
fn who_is_listed_first_does_not_matter() {
    // With all ratings different, the same players under other pairing numbers meet in the same way, as far as no aim
    // depends on the numbers: the bye, and the costs of the choice.
    let strategy = (histories(8), Just((0..8_usize).collect::<Vec<_>>()).prop_shuffle());
    every_time(200, strategy, |(mut history, order)| {
        for (rating, player) in (1500..).zip(&mut history.players) {
            player.rating = Some(rating);
        }
        let order: Vec<usize> = order.into_iter().filter(|&at| at < history.players.len()).collect();
        let renamed = |number: PairingNumber| {
            let at = order.iter().position(|&index| index == number.index());
            PairingNumber::from_index(at.expect("a permutation"))
        };
        let mut shuffled = History {
            players: order.iter().map(|&index| history.players[index].clone()).collect(),
            forbidden: history
                .forbidden
                .iter()
                .map(|&(a, b)| (renamed(a), renamed(b)))
                .collect(),
            ..History::default()
        };
        for round in shuffled.players.iter_mut().flat_map(|player| &mut player.rounds) {
            if let Encounter::Met { opponent, .. } | Encounter::Forfeit { opponent } = &mut round.encounter {
                *opponent = renamed(*opponent);
            }
        }
        let (one, other) = (pair(&history, &RULES), pair(&shuffled, &RULES));
        let costs = |history: &History, pairing: &RoundPairing| {
            let field: Vec<u32> = pairing
                .pairs
                .iter()
                .flat_map(|pair| [pair.white.0, pair.black.0])
                .collect();
            aims(history, &field, &uncolored(&pairing.pairs))
        };
        match (one, other) {
            (Ok(one), Ok(other)) => {
                assert_eq!(one.bye.map(renamed), other.bye);
                assert_eq!(costs(&history, &one), costs(&shuffled, &other));
            }
            (one, other) => assert_eq!(one, other),
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn best_of_all_pairings(history in histories(8)) {
        check_against_all_pairings(&history);
    }
}
