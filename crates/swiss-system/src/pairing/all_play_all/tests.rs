//! Whole tournaments of many sizes, and examples of the published tables.

use std::collections::HashMap;

use super::*;
use crate::pairing::colors::ColorSequence;
use crate::pairing::history::Encounter;
use crate::pairing::tests::{check_invariants, fresh, had, met, written};

const SINGLE: AllPlayAllRules = AllPlayAllRules { cycles: 1 };
const DOUBLE: AllPlayAllRules = AllPlayAllRules { cycles: 2 };
/// An odd number of cycles, and an even one.
const MORE: [AllPlayAllRules; 2] = [AllPlayAllRules { cycles: 3 }, AllPlayAllRules { cycles: 4 }];

/// Adds a paired round to the history; a player in no pair was absent, or had the bye.
fn play(history: &mut History, round: &RoundPairing) {
    for number in history.numbers() {
        let paired = round
            .pairs
            .iter()
            .any(|pair| pair.white == number || pair.black == number);
        if round.bye == Some(number) {
            had(history, number.0, Encounter::PairingAllocatedBye, 0);
        } else if !paired {
            had(history, number.0, Encounter::Absent, 0);
        }
    }
    let pairs: Vec<(u32, u32)> = round.pairs.iter().map(|pair| (pair.white.0, pair.black.0)).collect();
    met(history, &pairs);
}

/// Pairs round by round until no round is left.
fn play_all(players: usize, rules: &AllPlayAllRules) -> (History, Vec<RoundPairing>) {
    let mut history = fresh(&vec![0; players]);
    let mut rounds = Vec::new();
    loop {
        match pair(&history, rules) {
            Ok(round) => {
                check_invariants(&history, &round, &[]);
                play(&mut history, &round);
                rounds.push(round);
            }
            Err(error) => {
                assert_eq!(error, NoPairingError::NoRoundLeft);
                return (history, rounds);
            }
        }
    }
}

#[test]
fn nobody_and_one() {
    assert_eq!(pair(&History::default(), &SINGLE), Err(NoPairingError::NobodyPresent));
    let (_, rounds) = play_all(1, &SINGLE);
    assert_eq!(rounds.iter().map(written).collect::<Vec<_>>(), ["(1)"]);
    assert_eq!(play_all(1, &DOUBLE).1.len(), 2);
}

#[test]
fn the_table_of_four_twice() {
    // The table is 1-4 2-3, 4-3 1-2, 2-4 3-1: its last two rounds change places in the first cycle alone.
    let (_, rounds) = play_all(4, &DOUBLE);
    let expected = ["1-4 2-3", "2-4 3-1", "4-3 1-2", "4-1! 3-2!", "3-4! 2-1!", "4-2! 1-3!"];
    assert_eq!(rounds.iter().map(written).collect::<Vec<_>>(), expected);
    let (_, rounds) = play_all(4, &SINGLE);
    assert_eq!(
        rounds.iter().map(written).collect::<Vec<_>>(),
        ["1-4 2-3", "4-3 1-2", "2-4 3-1"]
    );
    let (_, rounds) = play_all(2, &DOUBLE);
    assert_eq!(rounds.iter().map(written).collect::<Vec<_>>(), ["1-2", "2-1!"]);
    let (_, rounds) = play_all(3, &DOUBLE);
    let expected = ["2-3 (1)", "3-1 (2)", "1-2 (3)", "3-2! (1)", "2-1! (3)", "1-3! (2)"];
    assert_eq!(rounds.iter().map(written).collect::<Vec<_>>(), expected);
}

#[test]
fn everybody_meets_everybody_with_colors_balanced() {
    for players in 2..=24 {
        for rules in [SINGLE, DOUBLE].into_iter().chain(MORE) {
            let times = rules.cycles as usize;
            let (history, rounds) = play_all(players, &rules);
            let once = if players % 2 == 0 { players - 1 } else { players };
            assert_eq!(rounds.len(), times * once, "{players} players");
            let mut games: HashMap<(u32, u32), usize> = HashMap::new();
            for pair in rounds.iter().flat_map(|round| &round.pairs) {
                *games.entry((pair.white.0, pair.black.0)).or_default() += 1;
            }
            let all = 1..=u32::try_from(players).expect("small");
            for (a, b) in all.clone().flat_map(|a| (1..a).map(move |b| (a, b))) {
                let both = [(a, b), (b, a)].map(|pair| games.get(&pair).copied().unwrap_or(0));
                assert_eq!(both[0] + both[1], times, "{a} and {b} of {players}");
                assert_eq!(both[0].abs_diff(both[1]), times % 2, "{a} and {b} of {players}");
            }
            for player in &history.players {
                let (whites, blacks) = ColorSequence::had_by(player).counts();
                assert!(whites.abs_diff(blacks) <= times % 2);
            }
        }
    }
}

#[test]
fn never_three_times_the_same_color_in_a_row() {
    for players in 2..=24 {
        for rules in [SINGLE, DOUBLE].into_iter().chain(MORE) {
            let (history, _) = play_all(players, &rules);
            for player in &history.players {
                let colors: Vec<_> = player
                    .rounds
                    .iter()
                    .filter_map(|round| match round.encounter {
                        Encounter::Met { color, .. } => Some(color),
                        _ => None,
                    })
                    .collect();
                let three = colors
                    .windows(3)
                    .any(|three| three[0] == three[1] && three[1] == three[2]);
                assert!(!three, "{players} players, {rules:?}: {colors:?}");
            }
        }
    }
}

#[test]
fn who_meets_an_absent_player_is_free() {
    let mut history = fresh(&[0; 5]);
    history.players[1].present = false;
    // The table of five: (1) 2-5 3-4.
    let round = pair(&history, &SINGLE).expect("there is a round");
    assert_eq!(written(&round), "3-4 (1)");
    assert_eq!(free(&history, &round), [PairingNumber(5)]);
    check_invariants(&history, &round, &free(&history, &round));
    play(&mut history, &round);
    // (4) 5-3 1-2; then (2) 3-1 4-5, where the absent player's bye falls to nobody.
    let round = pair(&history, &SINGLE).expect("there is a round");
    assert_eq!(written(&round), "5-3 (4)");
    assert_eq!(free(&history, &round), [PairingNumber(1)]);
    play(&mut history, &round);
    let round = pair(&history, &SINGLE).expect("there is a round");
    assert_eq!(written(&round), "3-1 4-5");
    assert_eq!(free(&history, &round), []);
    play(&mut history, &round);
    // Back for round 4 of the same table: (5) 1-4 2-3.
    history.players[1].present = true;
    let round = pair(&history, &SINGLE).expect("there is a round");
    assert_eq!(written(&round), "1-4 2-3 (5)");
    for player in &mut history.players {
        player.present = false;
    }
    assert_eq!(pair(&history, &SINGLE), Err(NoPairingError::NobodyPresent));
}

#[test]
fn a_forbidden_pair_has_no_other_place_in_the_table() {
    let mut history = fresh(&[0; 4]);
    history.forbidden = vec![(PairingNumber(3), PairingNumber(4))];
    let round = pair(&history, &SINGLE).expect("not yet");
    assert_eq!(written(&round), "1-4 2-3");
    play(&mut history, &round);
    assert_eq!(pair(&history, &SINGLE), Err(NoPairingError::Forbidden));
    history.players[3].present = false;
    assert_eq!(
        pair(&history, &SINGLE).map(|round| written(&round)).as_deref(),
        Ok("1-2")
    );
}

#[test]
fn sections_of_four_and_a_remainder_of_five_to_seven() {
    let check = |players: usize, expected: &str| {
        let section = |section: &Section| {
            let numbers: Vec<String> = section.players.iter().map(ToString::to_string).collect();
            let format = match section.format {
                SectionFormat::AllPlayAll => "RR".to_owned(),
                SectionFormat::Swiss { rounds } => format!("{rounds}-SS"),
            };
            format!("{format}: {}", numbers.join(" "))
        };
        let sections: Vec<String> = quads(players).iter().map(section).collect();
        assert_eq!(sections.join("; "), expected);
    };
    check(0, "");
    check(3, "RR: 1 2 3");
    check(4, "RR: 1 2 3 4");
    check(5, "3-SS: 1 2 3 4 5");
    check(8, "RR: 1 2 3 4; RR: 5 6 7 8");
    check(9, "RR: 1 2 3 4; 3-SS: 5 6 7 8 9");
    check(10, "RR: 1 2 3 4; 3-SS: 5 6 7 8 9 10");
    check(11, "RR: 1 2 3 4; 3-SS: 5 6 7 8 9 10 11");
    check(12, "RR: 1 2 3 4; RR: 5 6 7 8; RR: 9 10 11 12");
    for players in 0..100 {
        let sections = quads(players);
        let all: Vec<PairingNumber> = sections.iter().flat_map(|section| section.players.clone()).collect();
        assert_eq!(all, fresh(&vec![0; players]).numbers().collect::<Vec<_>>());
        assert!(players < 4 || sections.iter().all(|section| (4..=7).contains(&section.players.len())));
    }
}
