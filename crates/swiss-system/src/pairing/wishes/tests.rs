//! Wishes around three systems, and every way to refuse one.

use super::*;
use crate::pairing::all_play_all;
use crate::pairing::boards;
use crate::pairing::bye::ByeCriterion;
use crate::pairing::history::{Encounter, FirstColor};
use crate::pairing::tests::{check_invariants, every_time, fresh, had, histories, met, uncolored, written};
use crate::pairing::{double_swiss, dutch, immortal, match_points, us_chess};
use crate::score::Points;

type PairFunction = fn(&History) -> Result<RoundPairing, NoPairingError>;

const SYSTEMS: [PairFunction; 5] = [by_match_points, by_immortal, by_dutch, by_double_swiss, by_us_chess];

fn by_dutch(history: &History) -> Result<RoundPairing, NoPairingError> {
    dutch::pair(history, &dutch::rules::DutchRules::default())
}

fn by_double_swiss(history: &History) -> Result<RoundPairing, NoPairingError> {
    let rules = double_swiss::DoubleSwissRules {
        rounds: 20,
        initial_color: FirstColor::White,
        win: Points::whole(2),
    };
    double_swiss::pair(history, &rules)
}

fn by_us_chess(history: &History) -> Result<RoundPairing, NoPairingError> {
    let rules = us_chess::UsChessRules {
        rounds: 20,
        games: 1,
        initial_color: FirstColor::White,
    };
    us_chess::pair(history, &rules)
}

fn by_match_points(history: &History) -> Result<RoundPairing, NoPairingError> {
    let bye_order = vec![ByeCriterion::FewestByes, ByeCriterion::LowestMatchPoints];
    match_points::pair(history, &match_points::MatchPointsRules { bye_order })
}

fn by_immortal(history: &History) -> Result<RoundPairing, NoPairingError> {
    let rules = immortal::ImmortalRules {
        initial_color: FirstColor::White,
        color_streak: Some(2),
    };
    immortal::pair(history, &rules)
}

fn forced(history: &History, pairs: &[(u32, u32)]) -> Result<RoundPairing, WishError> {
    let pairs: Vec<_> = pairs
        .iter()
        .map(|&(a, b)| (PairingNumber(a), PairingNumber(b)))
        .collect();
    with_forced(history, &pairs, by_match_points)
}

fn check(history: &History, pairs: &[(u32, u32)], expected: &str) {
    let pairing = forced(history, pairs);
    assert_eq!(pairing.map(|pairing| written(&pairing)).as_deref(), Ok(expected));
}

#[test]
fn without_a_wish_nothing_changes() {
    let history = fresh(&[0; 7]);
    assert_eq!(forced(&history, &[]), Ok(by_match_points(&history).expect("complete")));
    let nobody = Err(WishError::Infeasible(NoPairingError::NobodyPresent));
    assert_eq!(forced(&History::default(), &[]), nobody);
}

#[test]
fn the_others_are_paired_as_if_the_two_were_absent() {
    check(&fresh(&[0; 6]), &[(6, 1)], "6-1 2-4 3-5");
    check(&fresh(&[0; 6]), &[(2, 1), (5, 6)], "2-1 3-4 5-6");
    check(&fresh(&[0; 2]), &[(2, 1)], "2-1");
    check(&fresh(&[0; 3]), &[(3, 1)], "3-1 (2)");
    check(&fresh(&[0; 4]), &[(3, 1), (2, 4)], "3-1 2-4");
    // Boards by points: the wished pair is where its points put it.
    check(&fresh(&[0, 0, 2, 2, 1, 1]), &[(1, 5)], "3-4 1-5 2-6");
    check(&fresh(&[0, 0, 2, 2, 1, 1]), &[(1, 3)], "4-5 1-3 2-6");
}

#[test]
fn a_wished_repeat_is_marked() {
    let mut history = fresh(&[0; 4]);
    met(&mut history, &[(1, 3), (2, 4)]);
    check(&history, &[(1, 3)], "1-3! 4-2!");
    check(&history, &[(1, 2)], "1-2 3-4");
}

#[test]
fn what_is_forced_counts_for_the_colors_of_the_others() {
    // C.04.3, 5.2.5: the numbers of those who take part, and the two wished for do.
    let by_number = |pairs: &[(PairingNumber, PairingNumber)]| {
        let pairing = with_forced(&fresh(&[0; 6]), pairs, by_dutch);
        pairing.map(|pairing| written(&pairing))
    };
    let [one, four, six] = [1, 4, 6].map(PairingNumber);
    assert_eq!(by_number(&[]).as_deref(), Ok("1-4 5-2 3-6"));
    assert_eq!(by_number(&[(one, four)]).as_deref(), Ok("1-4 5-2 3-6"));
    assert_eq!(by_number(&[(four, one)]).as_deref(), Ok("4-1 5-2 3-6"));
    assert_eq!(by_number(&[(one, six)]).as_deref(), Ok("1-6 4-2 3-5"));
}

#[test]
fn what_the_system_does_anyway_changes_nothing() {
    every_time(
        100,
        (histories(9), 0..9_usize, 0..9_usize),
        |(history, first, second)| {
            for system in SYSTEMS {
                let Ok(round) = system(&history) else {
                    continue;
                };
                let count = round.pairs.len().max(1);
                let mut wishes: Vec<_> = round.pairs.iter().map(|pair| (pair.white, pair.black)).collect();
                wishes.rotate_left(first % count);
                wishes.truncate(second % count + 1);
                assert_eq!(with_forced(&history, &wishes, system), Ok(round.clone()));
                let mut forbidding = history.clone();
                for (one, other) in history.numbers().zip(history.numbers().skip(first + 1)) {
                    if !round
                        .pairs
                        .iter()
                        .any(|pair| [(one, other), (other, one)].contains(&(pair.white, pair.black)))
                    {
                        forbidding.forbidden.push((one, other));
                    }
                }
                assert_eq!(system(&forbidding), Ok(round));
            }
        },
    );
}

#[test]
fn refused() {
    let mut history = fresh(&[0; 6]);
    history.players[5].present = false;
    history.forbidden = vec![(PairingNumber(3), PairingNumber(2))];
    let [two, three, four, six] = [2, 3, 4, 6].map(PairingNumber);
    assert_eq!(forced(&history, &[(1, 6)]), Err(WishError::Absent(six)));
    assert_eq!(forced(&history, &[(1, 7)]), Err(WishError::Unknown(PairingNumber(7))));
    assert_eq!(forced(&history, &[(0, 1)]), Err(WishError::Unknown(PairingNumber(0))));
    assert_eq!(forced(&history, &[(4, 4)]), Err(WishError::Twice(four)));
    assert_eq!(forced(&history, &[(1, 4), (4, 5)]), Err(WishError::Twice(four)));
    assert_eq!(forced(&history, &[(2, 3)]), Err(WishError::Forbidden(two, three)));
    // Of the others, only 2 and 3 are left, and they may not meet.
    history.players[4].present = false;
    assert_eq!(
        forced(&history, &[(1, 4)]),
        Err(WishError::Infeasible(NoPairingError::Forbidden))
    );
    assert_eq!(
        WishError::Infeasible(NoPairingError::Forbidden).to_string(),
        NoPairingError::Forbidden.to_string()
    );
}

#[test]
fn the_bye_goes_round_the_wish() {
    // Without the wish 3 would be left over.
    let history = fresh(&[0; 3]);
    assert_eq!(by_immortal(&history).map(|p| written(&p)).as_deref(), Ok("1-2 (3)"));
    let wish = [(PairingNumber(3), PairingNumber(2))];
    let pairing = with_forced(&history, &wish, by_immortal);
    assert_eq!(pairing.map(|p| written(&p)).as_deref(), Ok("3-2 (1)"));
    let mut history = history;
    for number in 1..=3 {
        let had_bye = Encounter::PairingAllocatedBye;
        had(
            &mut history,
            number,
            if number == 1 { had_bye } else { Encounter::Absent },
            0,
        );
    }
    let pairing = with_forced(&history, &wish, by_immortal);
    let again = pairing.map(|pairing| (written(&pairing), pairing.again));
    assert_eq!(again, Ok(("3-2 (1)".to_owned(), vec![PairingNumber(1)])));
}

#[test]
fn around_an_all_play_all_the_tables_opponents_are_free() {
    let history = fresh(&[0; 4]);
    let wish = [(PairingNumber(1), PairingNumber(2))];
    let pairing = with_forced(&history, &wish, |others| {
        all_play_all::pair(others, &all_play_all::AllPlayAllRules::default())
    });
    let pairing = pairing.expect("round 1 is 1-4 2-3");
    assert_eq!(written(&pairing), "1-2");
    assert_eq!(
        all_play_all::free(&history, &pairing),
        [PairingNumber(3), PairingNumber(4)]
    );
}

#[test]
fn wishes_are_granted_and_the_rest_is_whole() {
    let wishes = proptest::collection::vec((1..=8_u32, 1..=8_u32), 0..=2);
    every_time(300, (histories(8), wishes), |(history, wishes)| {
        let Ok(pairing) = forced(&history, &wishes) else {
            return;
        };
        check_invariants(&history, &pairing, &[]);
        let pairs = uncolored(&pairing.pairs);
        for &(a, b) in &wishes {
            assert!(pairs.contains(&(a.min(b), a.max(b))));
            assert!(pairing.pairs.iter().any(|pair| (pair.white.0, pair.black.0) == (a, b)));
        }
        let mut sorted = pairing.pairs.clone();
        boards::sort(&history, &mut sorted);
        assert_eq!(sorted, pairing.pairs);
        if wishes.is_empty() {
            assert_eq!(by_match_points(&history), Ok(pairing));
        }
    });
}
