//! The judge on positions whose answer is plain.
//!
//! May not: use the library's pairing code.

use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::dutch::rules::DutchRules;
use swiss_system::pairing::history::Encounter;
use swiss_system::pairing::history::FirstColor;
use swiss_system::pairing::history::FirstColor::Black;
use swiss_system::pairing::history::FirstColor::White;
use swiss_system::pairing::history::History;
use swiss_system::pairing::history::Pair;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::history::PastPlayer;
use swiss_system::pairing::history::PastRound;
use swiss_system::pairing::history::RoundPairing;
use swiss_system::score::Points;

use super::compare;

fn history(pasts: &[&[PastRound]]) -> History {
    let player = |past: &&[PastRound]| PastPlayer {
        points: past.iter().map(|round| round.points).sum(),
        rounds: past.to_vec(),
        present: true,
        ..PastPlayer::default()
    };
    History {
        players: pasts.iter().map(player).collect(),
        ..History::default()
    }
}

fn met(opponent: u32, color: FirstColor, halves: i64) -> PastRound {
    let opponent = PairingNumber(opponent);
    Encounter::Met { opponent, color }.worth(Points::halves(halves))
}

/// Pairs as (White, Black), with 0 for the bye.
fn pairing(pairs: &[(u32, u32)]) -> RoundPairing {
    let pair = |&(white, black): &(u32, u32)| Pair {
        white: PairingNumber(white),
        black: PairingNumber(black),
        repeat: false,
    };
    RoundPairing::new(
        pairs.iter().filter(|pair| pair.1 != 0).map(pair).collect(),
        pairs.iter().find(|pair| pair.1 == 0).map(|pair| PairingNumber(pair.0)),
    )
}

/// The sentence for the two, and the mirrored one for the other order.
fn check(history: &History, edition: DutchEdition, better: &[(u32, u32)], worse: &[(u32, u32)], expected: &str) {
    let rules = DutchRules {
        edition,
        rounds: 9,
        ..DutchRules::default()
    };
    let judge = |a, b| compare(history, &rules, &pairing(a), &pairing(b)).to_string();
    let (forwards, backwards) = (judge(better, worse), judge(worse, better));
    assert_eq!(
        forwards.split(": ").next(),
        Some(format!("the first is better by {expected}").as_str()),
        "{forwards}"
    );
    assert_eq!(
        backwards.split(": ").next(),
        Some(format!("the second is better by {expected}").as_str()),
        "{backwards}"
    );
}

const BOTH: [DutchEdition; 2] = [DutchEdition::Of2017, DutchEdition::Of2026];

#[test]
fn before_round_1() {
    let four = history(&[&[], &[], &[], &[]]);
    let five = history(&[&[], &[], &[], &[], &[]]);
    for edition in BOTH {
        check(
            &four,
            edition,
            &[(1, 3), (4, 2)],
            &[(1, 4), (3, 2)],
            "generation order in the bracket of 0",
        );
        check(
            &four,
            edition,
            &[(1, 4), (3, 2)],
            &[(1, 2), (3, 4)],
            "generation order in the bracket of 0",
        );
        check(&four, edition, &[(1, 3), (4, 2)], &[(1, 3), (2, 4)], "article 5");
        check(
            &five,
            edition,
            &[(1, 3), (4, 2), (5, 0)],
            &[(1, 3), (5, 2), (4, 0)],
            "generation order in the bracket of 0",
        );
        let rules = DutchRules {
            edition,
            rounds: 9,
            ..DutchRules::default()
        };
        let judge = |a, b| compare(&four, &rules, &pairing(a), &pairing(b)).to_string();
        assert_eq!(judge(&[(1, 3), (4, 2)], &[(4, 2), (1, 3)]), "the same");
        assert_eq!(
            judge(&[(1, 3), (4, 2)], &[(1, 3)]),
            "first: legal; second: player 2 is present, but has neither an opponent nor the bye; player 4 is present, \
             but has neither an opponent nor the bye"
        );
    }
}

#[test]
fn after_round_1() {
    // 1 and 2 won, 3 and 4 lost, 5 had the bye and may not have it again.
    let five = history(&[
        &[met(3, White, 2)],
        &[met(4, Black, 2)],
        &[met(1, Black, 0)],
        &[met(2, White, 0)],
        &[Encounter::PairingAllocatedBye.worth(Points::ONE)],
    ]);
    let (low_bye, high_bye) = ([(2, 1), (5, 4), (3, 0)], [(2, 5), (4, 3), (1, 0)]);
    // 2026 settles the bye before all: to no points, not to one. 2017 first looks at the bracket of 1, where 5 would
    // float down a second time running.
    check(&five, DutchEdition::Of2026, &low_bye, &high_bye, "C5");
    check(
        &five,
        DutchEdition::Of2017,
        &high_bye,
        &low_bye,
        "C12 in the bracket of 1",
    );
    for (edition, fewest_floaters, wishes) in [(DutchEdition::Of2026, "C6", "C12"), (DutchEdition::Of2017, "C5", "C10")]
    {
        // All Whites won: the winners can meet each other.
        let four = history(&[
            &[met(3, White, 2)],
            &[met(4, White, 2)],
            &[met(1, Black, 0)],
            &[met(2, Black, 0)],
        ]);
        let expected = format!("{fewest_floaters} in the bracket of 1");
        check(&four, edition, &[(2, 1), (4, 3)], &[(4, 1), (3, 2)], &expected);
        // Four winners: 1 and 3 wish for Black, 2 and 4 for White. Only the winners are paired differently.
        let eight = history(&[
            &[met(5, White, 2)],
            &[met(6, Black, 2)],
            &[met(7, White, 2)],
            &[met(8, Black, 2)],
            &[met(1, Black, 0)],
            &[met(2, White, 0)],
            &[met(3, Black, 0)],
            &[met(4, White, 0)],
        ]);
        let (granted, refused) = ([(4, 1), (2, 3), (5, 6), (7, 8)], [(3, 1), (2, 4), (5, 6), (7, 8)]);
        check(
            &eight,
            edition,
            &granted,
            &refused,
            &format!("{wishes} in the bracket of 1"),
        );
    }
}
