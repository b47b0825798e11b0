//! The definition against itself: is the order of generation the one that the text generates, and does no legal pairing
//! beat the one it chooses?
//!
//! May not: use the library's pairing code.

use std::collections::HashSet;

use swiss_system::pairing::check::illegalities;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::dutch::rules::DutchRules;
use swiss_system::pairing::history::History;
use swiss_system::pairing::history::Pair;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::history::PastPlayer;
use swiss_system::pairing::history::RoundPairing;
use swiss_system::score::Points;

use super::bracket::Bracket;
use super::bracket::Kind;
use super::events::event;
use super::generation::generation_key;
use super::pair;
use super::position::Position;
use crate::dutch::criteria::Verdict;
use crate::dutch::criteria::Which;
use crate::dutch::criteria::compare;

/// The pairs of a candidate, the higher ranked player first, in order.
type Pairs = Vec<(usize, usize)>;

/// All orders of some players, by the first `taken` of them, in lexicographic order.
fn orders(players: &[usize], taken: usize) -> Vec<Vec<usize>> {
    if taken == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, &first) in players.iter().enumerate() {
        let mut rest = players.to_vec();
        rest.remove(index);
        all.extend(
            orders(&rest, taken - 1)
                .into_iter()
                .map(|order| [vec![first], order].concat()),
        );
    }
    all
}

/// All choices of `count` players, in lexicographic order.
fn choices(players: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut all = orders(players, count);
    all.retain(|choice| choice.is_sorted());
    all
}

/// Every candidate of a homogeneous bracket or remainder, as the text generates them: each exchange in the order of its
/// four rules, written out here in sentences of their own; then each transposition.
fn generate_remainder(players: &[usize], n1: usize) -> Vec<Pairs> {
    let (s1, s2) = players.split_at(n1);
    let number = |player: &usize| players.iter().position(|other| other == player).expect("one of them");
    let mut exchanges: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for count in 0..=n1.min(s2.len()) {
        for down in choices(s1, count) {
            exchanges.extend(choices(s2, count).into_iter().map(|up| (down.clone(), up)));
        }
    }
    let sum = |list: &[usize]| list.iter().map(number).sum::<usize>();
    exchanges.sort_by(|(down_a, up_a), (down_b, up_b)| {
        let fewer = down_a.len().cmp(&down_b.len());
        let closer = (sum(up_a) - sum(down_a)).cmp(&(sum(up_b) - sum(down_b)));
        // "The highest different number", "the lowest different number".
        let unlike = |mine: &[usize], theirs: &[usize]| {
            mine.iter()
                .filter(|player| !theirs.contains(player))
                .map(number)
                .collect::<Vec<_>>()
        };
        let highest_down = unlike(down_b, down_a)
            .into_iter()
            .max()
            .cmp(&unlike(down_a, down_b).into_iter().max());
        let lowest_up = unlike(up_a, up_b)
            .into_iter()
            .min()
            .cmp(&unlike(up_b, up_a).into_iter().min());
        fewer.then(closer).then(highest_down).then(lowest_up)
    });
    let mut generated = Vec::new();
    for (down, up) in exchanges {
        let new = |old: &[usize], leaving: &[usize], entering: &[usize]| {
            let mut new: Vec<usize> = old.iter().filter(|player| !leaving.contains(player)).copied().collect();
            new.extend(entering);
            new.sort_unstable();
            new
        };
        let (s1, s2) = (new(s1, &down, &up), new(s2, &up, &down));
        for order in orders(&s2, n1) {
            generated.push(s1.iter().copied().zip(order).collect());
        }
    }
    generated
}

/// Every candidate of a bracket with `m0` moved-down players of one score, of whom `m1` are paired.
fn generate_bracket(m0: usize, m1: usize, residents: &[usize], n1: usize) -> Vec<Pairs> {
    let mdps: Vec<usize> = (0..m0).collect();
    let mut generated = Vec::new();
    for s1 in choices(&mdps, m1) {
        for order in orders(residents, m1) {
            let rest: Vec<usize> = residents
                .iter()
                .filter(|player| !order.contains(player))
                .copied()
                .collect();
            for remainder in generate_remainder(&rest, n1) {
                let of_mdps: Pairs = s1.iter().copied().zip(order.iter().copied()).collect();
                generated.push([of_mdps, remainder].concat());
            }
        }
    }
    generated
}

/// The same pairs, each once, where they come first.
fn first_appearances(generated: Vec<Pairs>) -> Vec<Pairs> {
    let mut known = HashSet::new();
    let in_order = generated.into_iter().map(|pairs| {
        let mut pairs: Pairs = pairs.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
        pairs.sort_unstable();
        pairs
    });
    in_order.filter(|pairs| known.insert(pairs.clone())).collect()
}

#[test]
fn the_key_orders_candidates_as_they_are_generated() {
    // (moved down, of these paired, residents, pairs of the remainder)
    let brackets = [
        (0, 0, 4, 2),
        (0, 0, 5, 2),
        (0, 0, 6, 3),
        (0, 0, 6, 2),
        (0, 0, 7, 3),
        (1, 1, 5, 2),
        (2, 2, 4, 1),
        (3, 2, 4, 1),
        (3, 1, 4, 1),
        (2, 1, 5, 2),
        (2, 0, 4, 2),
        (1, 1, 6, 2),
    ];
    for (m0, m1, residents, n1) in brackets {
        let rules = DutchRules::default();
        let player = |index| PastPlayer {
            points: if index < m0 { Points::ONE } else { Points::ZERO },
            present: true,
            ..PastPlayer::default()
        };
        let history = History {
            players: (0..m0 + residents).map(player).collect(),
            ..History::default()
        };
        let position = Position::read(&history, &rules).expect("a small field");
        let bracket = Bracket {
            kind: Kind::Usual,
            mdps: (0..m0).collect(),
            residents: (m0..m0 + residents).collect(),
            below: Vec::new(),
        };
        let generated = first_appearances(generate_bracket(m0, m1, &bracket.residents, n1));
        let mut sorted = generated.clone();
        sorted.sort_by_cached_key(|pairs| generation_key(&position, &bracket, pairs));
        assert!(generated.len() > 2, "{generated:?}");
        assert_eq!(
            generated, sorted,
            "{m0} moved down, {m1} of them paired, {residents} residents"
        );
    }
}

#[test]
fn the_first_transpositions_and_exchanges_of_eleven() {
    // The text's own examples: an exchange of 6 with 5 comes first, then 7 with 5, then 6 with 4.
    let players: Vec<usize> = (1..=11).collect();
    let transpositions = orders(&players[5..], 5);
    assert_eq!(transpositions.len(), 720);
    assert_eq!(transpositions[1], [6, 7, 8, 9, 11]);
    assert_eq!(transpositions[719], [11, 10, 9, 8, 7]);
    let generated = generate_remainder(&players, 5);
    let s1 = |index: usize| generated[index * 720].iter().map(|pair| pair.0).collect::<Vec<_>>();
    assert_eq!(s1(0), [1, 2, 3, 4, 5]);
    assert_eq!(s1(1), [1, 2, 3, 4, 6]);
    assert_eq!(s1(2), [1, 2, 3, 4, 7]);
    assert_eq!(s1(3), [1, 2, 3, 5, 6]);
}

/// All pairings of those present, legal or not, with a bye when they are odd in number.
fn all_pairings(left: &[PairingNumber]) -> Vec<RoundPairing> {
    let Some((&first, rest)) = left.split_first() else {
        return vec![RoundPairing::default()];
    };
    let mut all = Vec::new();
    for (index, &opponent) in rest.iter().enumerate() {
        let mut others = rest.to_vec();
        others.remove(index);
        for mut pairing in all_pairings(&others) {
            pairing.pairs.push(Pair {
                white: first,
                black: opponent,
                repeat: false,
            });
            all.push(pairing);
        }
    }
    if left.len() % 2 == 1 {
        for mut pairing in all_pairings(rest) {
            pairing.bye = Some(first);
            all.push(pairing);
        }
    }
    all
}

/// No legal pairing is better, and where there is none, none is chosen.
fn unbeaten(edition: DutchEdition, events: std::ops::Range<u64>) -> usize {
    let mut judged = 0;
    for seed in events {
        for round in event(seed, edition, 8, 1_000_000) {
            let present: Vec<PairingNumber> = round
                .history
                .numbers()
                .filter(|&number| round.history.player(number).present)
                .collect();
            let is_legal = |pairing: &RoundPairing| illegalities(&round.history, &round.rules, pairing).is_empty();
            let legal: Vec<RoundPairing> = all_pairings(&present).into_iter().filter(is_legal).collect();
            let Some(chosen) = round.pairing else {
                assert_eq!(legal, [], "event {seed}: a legal pairing was not found");
                continue;
            };
            assert!(is_legal(&chosen), "event {seed}: {chosen:?} is not legal");
            for other in &legal {
                let verdict = compare(&round.history, &round.rules, &chosen, other);
                let stands = match &verdict {
                    Verdict::Same => true,
                    Verdict::Better { which, .. } => *which == Which::First,
                    Verdict::Illegal { .. } | Verdict::TooLarge => false,
                };
                assert!(stands, "event {seed}: {chosen:?} against {other:?}: {verdict}");
                judged += 1;
            }
        }
    }
    judged
}

#[test]
fn nothing_beats_the_chosen_pairing() {
    assert!(unbeaten(DutchEdition::Of2026, 0..150) > 1_000);
    assert!(unbeaten(DutchEdition::Of2017, 0..150) > 1_000);
}

#[test]
fn nobody_and_nothing_left() {
    let rules = DutchRules::default();
    let nobody = History::default();
    assert_eq!(pair(&nobody, &rules), Some(RoundPairing::default()));
    let mut two = History {
        players: vec![
            PastPlayer {
                present: true,
                ..PastPlayer::default()
            };
            2
        ],
        ..History::default()
    };
    let white_first = pair(&two, &rules).expect("they may meet");
    assert_eq!((white_first.pairs[0].white, white_first.bye), (PairingNumber(1), None));
    two.forbidden = vec![(PairingNumber(2), PairingNumber(1))];
    assert_eq!(pair(&two, &rules), None);
}
