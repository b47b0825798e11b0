//! The pairing against a search of all sets and all pairings of small fields, written anew from the articles, and by
//! example.

use proptest::prelude::*;

use super::*;
use crate::pairing::meetings;
use crate::pairing::tests::{
    all_pairings, check_invariants, every_time, fresh, had, histories, met, uncolored, written,
};

const RULES: DoubleSwissRules = DoubleSwissRules {
    rounds: 9,
    initial_color: FirstColor::White,
    win: Points::whole(2),
};

fn check(history: &History, expected: &str) {
    check_against_search(history, &RULES);
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
fn the_first_round() {
    // With every pairing legal 1 2 3 4 5 6 7 8 is the first identifier.
    check(&fresh(&[0; 8]), "1-5 6-2 3-7 8-4");
    check(&fresh(&[0; 7]), "1-4 5-2 3-6 (7)");
    let black = DoubleSwissRules {
        initial_color: FirstColor::Black,
        ..RULES
    };
    let pairing = pair(&fresh(&[0; 4]), &black).expect("legal");
    assert_eq!(written(&pairing), "3-1 2-4");
}

#[test]
fn the_first_identifier_that_is_legal() {
    let mut history = fresh(&[0; 6]);
    // 1 2 3 | 4 5 6 with 1–4 met: 5 is the next bottom member for 1, then 4 for 2.
    met(&mut history, &[(1, 4)]);
    check(&history, "5-1 4-2 3-6");
    // 1 has met 4, 5 and 6: then 1–2 or 1–3. Top members 1 2 4 come before 1 3 4: 1–3 and 2–5, 4–6.
    met(&mut history, &[(5, 1)]);
    met(&mut history, &[(1, 6)]);
    check(&history, "3-1 2-5 4-6");
}

#[test]
fn an_identifier_is_its_top_members_then_their_opponents() {
    // The example of article 3.6.2.
    let pairs = [(11, 24), (6, 16), (9, 10), (4, 8)];
    assert_eq!(identifier(&pairs), [4, 6, 9, 11, 8, 16, 10, 24]);
}

#[test]
fn the_example_of_the_order_of_sets() {
    // Article 3.5.4: 2, 6, 8 have 3 points and 1, 3, 5 have 2½. Three are to float up: 9, 10 and 11 have all met. Two
    // of those with 3 points: 4 has met 1, 3 and 5, so that one of 2, 6, 8 is needed below.
    let mut history = fresh(&[5, 6, 5, 0, 5, 6, 4, 6, 8, 8, 8]);
    history.players[6].present = false;
    met(&mut history, &[(9, 10)]);
    met(&mut history, &[(10, 11)]);
    met(&mut history, &[(11, 9)]);
    for number in [1, 3, 5] {
        met(&mut history, &[(4, number)]);
    }
    check_against_search(&history, &RULES);
    let pairing = pair(&history, &RULES).expect("legal");
    let leaders = uncolored(&pairing.pairs).into_iter().filter(|&(_, larger)| larger > 8);
    assert_eq!(leaders.collect::<Vec<_>>(), [(1, 9), (2, 10), (6, 11)]);
}

#[test]
fn upfloaters_come_from_the_nearest_group_and_leave_it_whole() {
    // One leader; 2, 3 and 4 below: 2 floats up.
    check(&fresh(&[4, 2, 2, 2]), "1-2 3-4");
    // 1 has met 2: 3 floats up. C5 comes before the order.
    let mut history = fresh(&[4, 2, 2, 2, 0, 0]);
    met(&mut history, &[(1, 2)]);
    check(&history, "3-1 2-4 5-6");
    // C6: 3 has met all of its group but 2. If 2 floats up, the others need two more from below; so 3 does, and 2 4 5 6
    // can be paired.
    let mut history = fresh(&[4, 2, 2, 2, 2, 2, 0, 0]);
    for rival in [4, 5, 6] {
        round(&mut history, &[(3, rival)]);
    }
    check(&history, "1-3 5-2 4-6 7-8");
}

/// Adds a round in which these have met and all others were absent.
fn round(history: &mut History, pairs: &[(u32, u32)]) {
    met(history, pairs);
    for number in 1..=u32::try_from(history.players.len()).expect("small") {
        if !pairs.iter().any(|&(a, b)| a == number || b == number) {
            had(history, number, Encounter::Absent, 0);
        }
    }
}

#[test]
fn the_look_ahead_is_pass_or_fail() {
    // 3, 4, 5 and 6 have all met. If 2 floats up to 1, they need four from below; if 3 does, two. No set passes C6, so
    // that the first one is taken.
    let mut history = fresh(&[4, 2, 2, 2, 2, 2, 0, 0, 0, 0]);
    for pairs in [[(3, 4), (5, 6)], [(3, 5), (4, 6)], [(3, 6), (4, 5)]] {
        round(&mut history, &pairs);
    }
    round(&mut history, &[]);
    check_against_search(&history, &RULES);
    let pairing = pair(&history, &RULES).expect("legal");
    assert_eq!(uncolored(&pairing.pairs), [(1, 2), (3, 7), (4, 8), (5, 9), (6, 10)]);
}

#[test]
fn a_following_scoregroup_of_the_bye_alone_is_empty() {
    // All but 2 have had a bye. Below 1 then comes the empty group of 2, so that C6 does not ask whether 3, 4 and 5, of
    // whom 4 and 5 have met, need anybody from below.
    let mut history = fresh(&[8, 6, 4, 4, 4, 0, 0]);
    round(&mut history, &[(4, 5)]);
    for number in [1, 3, 4, 5, 6, 7] {
        had(&mut history, number, Encounter::PairingAllocatedBye, 3);
    }
    had(&mut history, 2, Encounter::Absent, 0);
    check_against_search(&history, &RULES);
    let pairing = pair(&history, &RULES).expect("legal");
    assert_eq!(uncolored(&pairing.pairs), [(1, 3), (4, 6), (5, 7)]);
    assert_eq!(pairing.bye, Some(PairingNumber(2)));
}

#[test]
fn who_floated_in_the_previous_round_does_not_again() {
    // In round 1 the late 2 met 5, who had another score.
    let mut history = fresh(&[4, 2, 2, 2, 0, 0]);
    for (own, opponent, points) in [(1, 6, 0), (2, 5, 0), (5, 2, 0), (6, 1, 4)] {
        let opponent = PairingNumber(opponent);
        let color = FirstColor::White;
        had(&mut history, own, Encounter::Met { opponent, color }, points);
    }
    had(&mut history, 3, Encounter::Absent, 0);
    had(&mut history, 4, Encounter::Absent, 0);
    check_against_search(&history, &RULES);
    let pairing = pair(&history, &RULES).expect("legal");
    assert_eq!(uncolored(&pairing.pairs), [(1, 3), (2, 4), (5, 6)]);
    // In the last round that no longer counts.
    let last = DoubleSwissRules { rounds: 2, ..RULES };
    check_against_search(&history, &last);
    let pairing = pair(&history, &last).expect("legal");
    assert_eq!(uncolored(&pairing.pairs), [(1, 2), (3, 4), (5, 6)]);
}

#[test]
fn the_bye() {
    // Lowest score, then most matches, then largest number.
    let mut history = fresh(&[0, 0, 0, 2, 2]);
    met(&mut history, &[(1, 4)]);
    for number in [2, 3, 5] {
        had(&mut history, number, Encounter::Absent, 0);
    }
    check(&history, "4-5 3-2 (1)");
    had(&mut history, 1, Encounter::PairingAllocatedBye, 3);
    check(&history, "4-5 2-1 (3)");
    // A match won by forfeit bars, a lost one does not.
    let forfeit = |number| Encounter::Forfeit {
        opponent: PairingNumber(number),
    };
    for number in [2, 3, 4, 5] {
        had(&mut history, number, Encounter::Absent, 0);
    }
    had(&mut history, 3, forfeit(2), 4);
    had(&mut history, 2, forfeit(3), 0);
    for number in [1, 4, 5] {
        had(&mut history, number, Encounter::Absent, 0);
    }
    check(&history, "4-5 3-1 (2)");
    // So does a full-point bye, but not one of half the points.
    had(&mut history, 2, Encounter::Absent, 4);
    had(&mut history, 5, Encounter::Absent, 2);
    for number in [1, 3, 4] {
        had(&mut history, number, Encounter::Absent, 0);
    }
    let pairing = pair(&history, &RULES).expect("legal");
    assert_eq!(pairing.bye, Some(PairingNumber(4)));
    check_against_search(&history, &RULES);
    had(&mut history, 4, Encounter::PairingAllocatedBye, 3);
    had(&mut history, 5, Encounter::PairingAllocatedBye, 3);
    assert_eq!(pair(&history, &RULES), Err(NoPairingError::NobodyForTheBye));
}

#[test]
fn the_bye_leaves_a_legal_pairing() {
    // 1 and 2 have met: 3 cannot be the one left over.
    let mut history = fresh(&[2, 2, 0]);
    met(&mut history, &[(1, 2)]);
    check(&history, "3-1 (2)");
}

#[test]
fn no_second_meeting_and_no_forbidden_pair_ever() {
    let mut history = fresh(&[0; 2]);
    met(&mut history, &[(1, 2)]);
    assert_eq!(pair(&history, &RULES), Err(NoPairingError::OnlySecondMeetings));
    let mut history = fresh(&[0; 4]);
    history.forbidden = vec![(PairingNumber(3), PairingNumber(1))];
    check(&history, "1-4 3-2");
    history.forbidden.push((PairingNumber(1), PairingNumber(2)));
    history.forbidden.push((PairingNumber(1), PairingNumber(4)));
    assert_eq!(pair(&history, &RULES), Err(NoPairingError::OnlySecondMeetings));
}

#[test]
fn colors_count_whites_not_the_difference() {
    // 1 had W B B W, 2 had W: White goes to 2.
    let mut history = fresh(&[4, 4, 0, 0, 0, 0]);
    for opponents in [(1, 3), (4, 1), (5, 1), (1, 6), (2, 3)] {
        met(&mut history, &[opponents]);
    }
    for player in &mut history.players[2..] {
        player.present = false;
    }
    check(&history, "2-1");
}

#[test]
fn large_fields() {
    // Several weights' worth of digits.
    let pairing = pair(&fresh(&vec![0; 260]), &RULES).expect("legal");
    let expected: Vec<(u32, u32)> = (1..=130).map(|number| (number, number + 130)).collect();
    assert_eq!(uncolored(&pairing.pairs), expected);
    // Many scores, each group odd.
    let halves: Vec<i64> = (0..150).map(|number| number / 5).collect();
    let history = fresh(&halves);
    let pairing = pair(&history, &RULES).expect("legal");
    check_invariants(&history, &pairing, &[]);
    // 120 have all met: each needs an upfloater, and the first 120 of the 180 others float up.
    let mut history = fresh(&[vec![2; 120], vec![0; 180]].concat());
    for one in 1..=120 {
        let rivals: Vec<(u32, u32)> = (one + 1..=120).map(|other| (one, other)).collect();
        met(&mut history, &rivals);
    }
    let pairing = pair(&history, &DoubleSwissRules { rounds: 1, ..RULES }).expect("legal");
    let expected = (1..=120).map(|number| (number, number + 120));
    let expected: Vec<(u32, u32)> = expected
        .chain((241..=270).map(|number| (number, number + 30)))
        .collect();
    assert_eq!(uncolored(&pairing.pairs), expected);
}

/// Top members in ascending order, then the bottom member of each.
fn identifier(pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut pairs: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    let tops = pairs.iter().map(|pair| pair.0);
    tops.chain(pairs.iter().map(|pair| pair.1)).collect()
}

/// Pairs with the smaller number first, sorted, and the bye.
type Found = (Vec<(u32, u32)>, Option<u32>);

/// A history as the articles speak of it.
struct Text<'a> {
    history: &'a History,
    rules: &'a DoubleSwissRules,
}

impl Text<'_> {
    fn score(&self, number: u32) -> Points {
        self.history.players[number as usize - 1].points
    }

    fn legal(&self, a: u32, b: u32) -> bool {
        let (a, b) = (PairingNumber(a), PairingNumber(b));
        !meetings::have_met(self.history, a, b) && !meetings::is_forbidden(self.history, a, b)
    }

    /// True if these can all be paired.
    fn pairable(&self, numbers: &[u32]) -> bool {
        let Some((&first, rest)) = numbers.split_first() else {
            return true;
        };
        rest.iter().any(|&second| {
            let others: Vec<u32> = rest.iter().copied().filter(|&other| other != second).collect();
            self.legal(first, second) && self.pairable(&others)
        })
    }

    fn floated(&self, number: u32) -> bool {
        let done = self.history.players[number as usize - 1].rounds.len();
        let before = |number: u32| {
            let player = &self.history.players[number as usize - 1];
            player.rounds.get(done - 1).map(|round| player.points - round.points)
        };
        let last = self.history.players[number as usize - 1].rounds.last();
        match last.map(|round| round.encounter) {
            Some(Encounter::Met { opponent, .. }) => before(number) != before(opponent.0),
            _ => false,
        }
    }

    fn is_last_round(&self) -> bool {
        u32::try_from(self.history.players[0].rounds.len()).expect("few") + 1 >= self.rules.rounds
    }

    fn bye(&self, present: &[u32]) -> Result<u32, NoPairingError> {
        let barred = |number: u32| {
            let rounds = &self.history.players[number as usize - 1].rounds;
            rounds.iter().enumerate().any(|(at, round)| match round.encounter {
                Encounter::PairingAllocatedBye => true,
                Encounter::Absent => round.points >= self.rules.win,
                Encounter::Forfeit { opponent } => {
                    round.points > self.history.players[opponent.index()].rounds[at].points
                }
                Encounter::Met { .. } => false,
            })
        };
        let matches = |number: u32| {
            let rounds = &self.history.players[number as usize - 1].rounds;
            rounds
                .iter()
                .filter(|round| matches!(round.encounter, Encounter::Met { .. }))
                .count()
        };
        let open: Vec<u32> = present.iter().copied().filter(|&number| !barred(number)).collect();
        if open.is_empty() {
            return Err(NoPairingError::NobodyForTheBye);
        }
        let leaves_a_pairing = |&number: &u32| self.pairable(&without(present, &[number]));
        let claim = |&number: &u32| (self.score(number), Reverse(matches(number)), Reverse(number));
        let best = open.into_iter().filter(leaves_a_pairing).min_by_key(claim);
        best.ok_or(NoPairingError::OnlySecondMeetings)
    }

    /// The fewest upfloaters with which these can be paired so that the rest can.
    fn fewest_upfloaters(&self, group: &[u32], below: &[u32]) -> Option<usize> {
        let sets = subsets(below)
            .into_iter()
            .filter(|set| self.pairable(&[group, set.as_slice()].concat()) && self.pairable(&without(below, set)));
        sets.map(|set| set.len()).min()
    }

    /// Article 3.5 for those who are not paired yet.
    fn upfloaters(&self, residents: &[u32], below: &[u32], scores: &[Points]) -> Option<Vec<u32>> {
        let top = self.score(residents[0]);
        let following = scores.iter().copied().filter(|&score| score < top).max();
        let key = |set: &Vec<u32>| {
            let mut differences: Vec<Points> = set.iter().map(|&number| top - self.score(number)).collect();
            differences.sort_unstable();
            differences.reverse();
            let rest = without(below, set);
            let (group, lower): (Vec<u32>, Vec<u32>) = rest
                .into_iter()
                .filter(|&number| Some(self.score(number)) <= following)
                .partition(|&number| Some(self.score(number)) == following);
            let fails = self.fewest_upfloaters(&group, &lower) != Some(group.len() % 2);
            let again = set
                .iter()
                .filter(|&&number| !self.is_last_round() && self.floated(number))
                .count();
            let mut in_order = set.clone();
            in_order.sort_by_key(|&number| (Reverse(self.score(number)), number));
            (set.len(), differences, fails, again, in_order)
        };
        let legal = subsets(below)
            .into_iter()
            .filter(|set| self.pairable(&[residents, set.as_slice()].concat()) && self.pairable(&without(below, set)));
        legal.min_by_key(key)
    }

    /// Article 3.6.
    fn bracket(&self, bracket: &[u32]) -> Vec<(u32, u32)> {
        let repeated = |&&(a, b): &&(u32, u32)| {
            let higher = if self.score(a) > self.score(b) { a } else { b };
            self.score(a) != self.score(b) && !self.is_last_round() && self.floated(higher)
        };
        let legal = all_pairings(bracket)
            .into_iter()
            .filter(|pairs| pairs.iter().all(|&(a, b)| self.legal(a, b)));
        let best = legal.min_by_key(|pairs| (pairs.iter().filter(repeated).count(), identifier(pairs)));
        best.expect("the set was chosen so")
    }

    fn round(&self) -> Result<Found, NoPairingError> {
        let mut left: Vec<u32> = meetings::present(self.history).iter().map(|number| number.0).collect();
        let scores: Vec<Points> = left.iter().map(|&number| self.score(number)).collect();
        let mut bye = None;
        if left.len() % 2 == 1 {
            let number = self.bye(&left)?;
            left.retain(|&other| other != number);
            bye = Some(number);
        }
        let mut pairs = Vec::new();
        while let Some(top) = left.iter().map(|&number| self.score(number)).max() {
            let (residents, below): (Vec<u32>, Vec<u32>) = left.iter().partition(|&&number| self.score(number) == top);
            let up = self
                .upfloaters(&residents, &below, &scores)
                .ok_or(NoPairingError::OnlySecondMeetings)?;
            let bracket = [residents, up].concat();
            left = without(&left, &bracket);
            pairs.extend(self.bracket(&bracket).into_iter().map(|(a, b)| (a.min(b), a.max(b))));
        }
        pairs.sort_unstable();
        Ok((pairs, bye))
    }
}

fn without(numbers: &[u32], taken: &[u32]) -> Vec<u32> {
    numbers
        .iter()
        .copied()
        .filter(|number| !taken.contains(number))
        .collect()
}

fn subsets(numbers: &[u32]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for &number in numbers {
        let with: Vec<Vec<u32>> = all.iter().map(|set| [set.as_slice(), &[number]].concat()).collect();
        all.extend(with);
    }
    all
}

fn check_against_search(history: &History, rules: &DoubleSwissRules) {
    let expected = Text { history, rules }.round();
    let pairing = pair(history, rules);
    if let Ok(pairing) = &pairing {
        check_invariants(history, pairing, &[]);
        assert!(pairing.pairs.iter().all(|pair| !pair.repeat));
    }
    let found = pairing.map(|pairing| (uncolored(&pairing.pairs), pairing.bye.map(|bye| bye.0)));
    assert_eq!(found, expected);
}

#[test]
fn as_the_search_in_the_same_histories_every_time() {
    every_time(400, (histories(8), 1..=8_u32), |(history, rounds)| {
        check_against_search(&history, &DoubleSwissRules { rounds, ..RULES });
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn as_the_search(history in histories(8), rounds in 1..=8_u32) {
        check_against_search(&history, &DoubleSwissRules { rounds, ..RULES });
    }
}
