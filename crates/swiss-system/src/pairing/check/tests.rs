//! Each breach once, and the legal pairing next to it.
//!
//! May not: use pairing code.

use super::*;
use crate::pairing::history::Pair;
use crate::pairing::history::PastPlayer;
use crate::pairing::history::PastRound;
use Encounter::Absent;
use Encounter::PairingAllocatedBye;
use FirstColor::Black;
use FirstColor::White;

fn met(opponent: u32, color: FirstColor, halves: i64) -> PastRound {
    let opponent = PairingNumber(opponent);
    Encounter::Met { opponent, color }.worth(Points::halves(halves))
}

fn forfeit(opponent: u32, halves: i64) -> PastRound {
    let opponent = PairingNumber(opponent);
    Encounter::Forfeit { opponent }.worth(Points::halves(halves))
}

/// Players with these past rounds, all present.
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

fn check(history: &History, rules: &DutchRules, pairs: &[(u32, u32)], expected: &[&str]) {
    let found = illegalities(history, rules, &pairing(pairs));
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "{pairs:?}");
}

fn rules_of(edition: DutchEdition) -> DutchRules {
    DutchRules {
        edition,
        rounds: 9,
        ..DutchRules::default()
    }
}

#[test]
fn everybody_once() {
    let mut four = history(&[&[], &[], &[], &[]]);
    let rules = rules_of(DutchEdition::Of2026);
    check(&four, &rules, &[(1, 3), (4, 2)], &[]);
    check(
        &four,
        &rules,
        &[(1, 3), (1, 4)],
        &[
            "player 1 is paired more than once",
            "player 2 is present, but has neither an opponent nor the bye",
        ],
    );
    check(
        &four,
        &rules,
        &[(1, 3), (2, 2), (4, 0)],
        &[
            "player 2 is paired more than once",
            "player 4 has the bye, but the number of players present is even: 4 (C.04.1 article 3)",
        ],
    );
    check(
        &four,
        &rules,
        &[(1, 3), (2, 4), (5, 6)],
        &[
            "there is no player 5: the pairing numbers are 1 to 4",
            "there is no player 6: the pairing numbers are 1 to 4",
        ],
    );
    four.players[1].present = false;
    check(&four, &rules, &[(1, 3), (4, 0)], &[]);
    check(
        &four,
        &rules,
        &[(1, 3), (4, 2)],
        &["player 2 is paired, but is not present in this round"],
    );
    check(
        &four,
        &rules,
        &[(1, 3)],
        &["player 4 is present, but has neither an opponent nor the bye"],
    );
    check(&History::default(), &rules, &[], &[]);
}

#[test]
fn nobody_twice() {
    let mut after_one = history(&[
        &[met(2, White, 2)],
        &[met(1, Black, 0)],
        &[forfeit(4, 2)],
        &[forfeit(3, 0)],
    ]);
    let rules = rules_of(DutchEdition::Of2026);
    // A game that was not played is not a meeting.
    check(
        &after_one,
        &rules,
        &[(2, 1), (3, 4)],
        &["players 2 and 1 have met before, in round 1 (C1: C.04.3 article 2.1.1, C.04.1 article 2)"],
    );
    after_one.forbidden = vec![(PairingNumber(3), PairingNumber(1))];
    check(
        &after_one,
        &rules_of(DutchEdition::Of2017),
        &[(1, 3), (4, 2)],
        &["players 1 and 3 are a forbidden pair (as binding as C.1 of 2017: C.04.1.b)"],
    );
}

#[test]
fn no_second_bye() {
    // In order: the bye; a forfeit win; a full-point bye; a half-point bye; a forfeit loss; nothing unplayed.
    let past: [&[PastRound]; 7] = [
        &[PairingAllocatedBye.worth(Points::ONE)],
        &[forfeit(5, 2)],
        &[Absent.worth(Points::ONE)],
        &[Absent.worth(Points::HALF)],
        &[forfeit(2, 0)],
        &[met(8, White, 2)],
        &[met(9, Black, 0)],
    ];
    let history = history(&past);
    let given_to = |player: u32| {
        let rest: Vec<u32> = [1, 2, 3, 6, 4, 5, 7]
            .into_iter()
            .filter(|&other| other != player)
            .collect();
        let mut pairs: Vec<(u32, u32)> = rest[..3].iter().copied().zip(rest[3..].iter().copied()).collect();
        pairs.push((player, 0));
        pairs
    };
    let bars = [
        (1, "had one in round 1", "had one in round 1"),
        (
            2,
            "got 1 without playing in round 1",
            "got 1 without playing in round 1",
        ),
        (3, "got 1 without playing in round 1", ""),
        (4, "", ""),
        (5, "", ""),
        (7, "", ""),
    ];
    for (player, of_2026, of_2017) in bars {
        for (edition, why, article) in [
            (
                DutchEdition::Of2026,
                of_2026,
                "C2: C.04.3 article 2.1.2, C.04.1 article 4",
            ),
            (DutchEdition::Of2017, of_2017, "C.2 of 2017: C.04.1.d"),
        ] {
            let sentence = format!("player {player} has the bye, but {why} ({article})");
            let expected = [sentence.as_str()];
            let expected = if why.is_empty() { &[][..] } else { &expected[..] };
            check(&history, &rules_of(edition), &given_to(player), expected);
        }
    }
}

#[test]
fn a_bye_worth_a_draw_bars_too() {
    let past: [&[PastRound]; 1] = [&[PairingAllocatedBye.worth(Points::HALF)]];
    check(
        &history(&past),
        &rules_of(DutchEdition::Of2026),
        &[(1, 0)],
        &["player 1 has the bye, but had one in round 1 (C2: C.04.3 article 2.1.2, C.04.1 article 4)"],
    );
}

#[test]
fn colors_that_nobody_can_have() {
    // 1 and 2 were White twice running; 3 only once in the rounds played; 4 is two Blacks ahead in difference.
    let past: [&[PastRound]; 4] = [
        &[met(9, Black, 2), met(8, White, 2), met(7, White, 2)],
        &[met(8, White, 2), met(9, White, 0), forfeit(3, 2)],
        &[met(7, Black, 0), met(6, White, 2), forfeit(2, 0)],
        &[met(6, Black, 0), met(5, Black, 0), Absent.worth(Points::ZERO)],
    ];
    let history = history(&past);
    let rules = rules_of(DutchEdition::Of2026);
    check(
        &history,
        &rules,
        &[(1, 2), (3, 4)],
        &[
            "players 1 and 2 both have an absolute preference for Black and neither is a topscorer (C3: C.04.3 article \
             2.1.3, C.04.1 articles 6 and 7)",
        ],
    );
    check(&history, &rules, &[(1, 4), (3, 2)], &[]);
    let ignored = DutchRules {
        color: ColorRule::Ignore,
        ..rules.clone()
    };
    check(&history, &ignored, &[(1, 2), (3, 4)], &[]);
    // In the last of four rounds more than 1.5 points make a topscorer; one is enough.
    let last = DutchRules { rounds: 4, ..rules };
    check(&history, &last, &[(1, 2), (3, 4)], &[]);
    let mut modest = history.clone();
    modest.players[0].points = Points::halves(3);
    modest.players[1].points = Points::halves(3);
    let found = illegalities(&modest, &last, &pairing(&[(1, 2), (3, 4)]));
    assert_eq!(found.len(), 1, "exactly half is not more than half: {found:?}");
    modest.players[1].points = Points::halves(4);
    check(&modest, &last, &[(1, 2), (3, 4)], &[]);
}
