//! Two ways of looking ahead give the same pairing, every better-looking choice is ruled out by a rule, every pairing
//! is legal, and every round without a pairing has a proof. `tests/core/dutch` shows that the pairings are the right
//! ones.

use proptest::prelude::*;

use super::*;
use crate::pairing::check::illegalities;
use crate::pairing::deadlock::{ByeInDeadlock, Deadlock, Obstacle};
use crate::pairing::dutch::explain::{Choice, Rule, explain};
use crate::pairing::dutch::rules::DutchEdition;
use crate::pairing::file::{before_round, rounds_played};
use crate::pairing::generate::{Rate, Rates, Spec, generate};
use crate::pairing::history::{Encounter, PastPlayer};

/// The rounds of a random tournament for which somebody was there, each as it was before it was paired.
fn rounds(spec: &Spec) -> Vec<(History, DutchRules)> {
    let generated = generate(spec).expect("a tournament");
    let last = rounds_played(&generated.tournament);
    let mut rounds: Vec<(History, DutchRules)> = Vec::new();
    for round in 1..=last {
        let mut before = before_round(&generated.tournament, round).expect("its own file");
        // A file does not say whether colours count.
        before.rules.color = spec.color;
        before.rules.edition = spec.edition;
        if before.history.players.iter().any(|player| player.present) {
            rounds.push((before.history, before.rules));
        }
    }
    rounds
}

fn specs(players: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = Spec> {
    let rates = (0..=600_u32, 0..=100_u32, 0..=100_u32, 0..=80_u32, 0..=200_u32);
    let kinds = (any::<u64>(), any::<bool>(), any::<bool>(), any::<bool>(), 0..=3_u32);
    (players, 1..=9_u32, rates, kinds).prop_map(|(players, rounds, rates, kinds)| {
        let (draw, forfeit, half_point_bye, zero_point_bye, leaving) = rates;
        let (rng_seed, is_old, is_baku, is_ignored, forbidden_pairs) = kinds;
        Spec {
            rates: Rates {
                draw: Rate::per_mille(draw),
                forfeit: Rate::per_mille(forfeit),
                double_forfeit: Rate::per_mille(forfeit / 4),
                half_point_bye: Rate::per_mille(half_point_bye),
                zero_point_bye: Rate::per_mille(zero_point_bye),
                late_entry: Rate::per_mille(leaving),
                withdrawal: Rate::per_mille(leaving),
            },
            edition: if is_old {
                DutchEdition::Of2017
            } else {
                DutchEdition::Of2026
            },
            color: if is_ignored {
                rules::ColorRule::Ignore
            } else {
                rules::ColorRule::FirstGame
            },
            is_baku,
            forbidden_pairs: forbidden_pairs.min(players * (players - 1) / 2),
            ..Spec::new(players, rounds, rng_seed)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The brackets are the same whether all below a bracket are in view from the start or only when they have to be.
    #[test]
    fn foresight_changes_nothing(spec in specs(2..=70)) {
        for (history, rules) in rounds(&spec) {
            let full = pair_with(&history, &rules, Foresight::Full);
            prop_assert_eq!(&pair_with(&history, &rules, Foresight::Growing { few: 0 }), &full);
            prop_assert_eq!(&pair_with(&history, &rules, Foresight::Growing { few: 9 }), &full);
        }
    }

    /// "Everyone exactly once, at most one bye, nobody meets twice, no second bye, colour limits kept"; and the order in
    /// which forbidden pairs are listed changes nothing.
    #[test]
    fn what_is_paired_is_legal(spec in specs(1..=40)) {
        for (mut history, rules) in rounds(&spec) {
            let pairing = pair(&history, &rules).expect("its generator paired it");
            prop_assert_eq!(illegalities(&history, &rules, &pairing), Vec::new());
            history.forbidden.reverse();
            for (one, other) in &mut history.forbidden {
                std::mem::swap(one, other);
            }
            prop_assert_eq!(pair(&history, &rules).expect("paired"), pairing);
        }
    }

    /// No pair that would have come first is as good, nor is a pairing of the halves without exchanges.
    #[test]
    fn better_looking_pairs_are_ruled_out_by_a_rule(spec in specs(2..=24)) {
        for (history, rules) in rounds(&spec) {
            for explained in explain(&history, &rules).expect("paired").brackets {
                for what in &explained.ruled_out {
                    let is_by_rule = what.by != Rule::Order;
                    prop_assert!(is_by_rule || !matches!(what.choice, Choice::Pair(..) | Choice::NoExchange), "{:?}", explained);
                }
            }
        }
    }
}

/// Players who have all met in an all-play-all, except for the pairs given.
fn met_all_but(players: u32, open: &[(u32, u32)]) -> History {
    let all = (1..=players).flat_map(|one| (one + 1..=players).map(move |other| (one, other)));
    let meetings: Vec<(u32, u32)> = all.filter(|pair| !open.contains(pair)).collect();
    let mut history = History {
        players: vec![
            PastPlayer {
                present: true,
                ..PastPlayer::default()
            };
            players as usize
        ],
        ..History::default()
    };
    for (one, other) in meetings {
        for player in &mut history.players {
            player.rounds.push(Encounter::Absent.worth(Points::ZERO));
        }
        let colors = if (one + other) % 2 == 0 {
            [FirstColor::White, FirstColor::Black]
        } else {
            [FirstColor::Black, FirstColor::White]
        };
        for (own, opponent, color) in [(one, other, colors[0]), (other, one, colors[1])] {
            let opponent = PairingNumber(opponent);
            let last = history.players[own as usize - 1].rounds.last_mut();
            *last.expect("a round") = Encounter::Met { opponent, color }.worth(Points::ZERO);
        }
    }
    history
}

fn deadlock_of(history: &History, rules: &DutchRules) -> Deadlock {
    match pair(history, rules) {
        Err(NoPairingError::NoLegalPairing(deadlock)) => *deadlock,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_deadlock_names_who_is_in_the_way() {
    let colorless = DutchRules {
        color: rules::ColorRule::Ignore,
        ..DutchRules::default()
    };
    // 2, 3 and 4 have only 1 left; two of them are enough for a proof.
    let history = met_all_but(4, &[(1, 2), (1, 3), (1, 4)]);
    let deadlock = deadlock_of(&history, &colorless);
    let numbers = |numbers: &[u32]| numbers.iter().copied().map(PairingNumber).collect::<Vec<_>>();
    assert_eq!(deadlock.groups, [numbers(&[2]), numbers(&[3])]);
    assert_eq!(deadlock.opponents, numbers(&[1]));
    assert_eq!(deadlock.bye, ByeInDeadlock::NotNeeded);
    insta::assert_snapshot!(deadlock, @"2, 3 can meet only 1: 2 need an opponent each, with only 1 available. Who must not meet: 2 and 3 (met in round 1, C1); 2 and 4 (met in round 2, C1); 3 and 4 (met in round 3, C1). What an arbiter can do: let somebody sit this round out with a requested bye, or end the tournament here");
}

#[test]
fn forbidden_pairs_and_the_bye_are_named_too() {
    let mut history = met_all_but(3, &[(1, 2), (1, 3), (2, 3)]);
    for player in &mut history.players {
        player.rounds.push(Encounter::PairingAllocatedBye.worth(Points::ONE));
    }
    history.forbidden = vec![(PairingNumber(1), PairingNumber(2))];
    let deadlock = deadlock_of(&history, &DutchRules::default());
    assert_eq!(deadlock.bye, ByeInDeadlock::Denied);
    insta::assert_snapshot!(deadlock, @"1, 2 can meet only 3: 2 need an opponent each, with only 1 available; none of them may have the bye (C2). Who must not meet: 1 and 2 (forbidden by the organizer). What an arbiter can do: allow one of the forbidden pairs, let somebody sit this round out with a requested bye, or end the tournament here");
    history.players[2].present = false;
    let deadlock = deadlock_of(&history, &DutchRules::default());
    let (one, two) = (PairingNumber(1), PairingNumber(2));
    assert_eq!(deadlock.reasons, [(one, two, Obstacle::Forbidden)]);
}

#[test]
fn nobody_and_one() {
    let nobody = History::default();
    assert_eq!(
        pair(&nobody, &DutchRules::default()),
        Err(NoPairingError::NobodyPresent)
    );
    let alone = met_all_but(1, &[]);
    let pairing = pair(&alone, &DutchRules::default()).expect("a bye");
    assert_eq!((pairing.pairs, pairing.bye), (Vec::new(), Some(PairingNumber(1))));
}
