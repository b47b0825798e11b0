//! Each pair of a Swiss round in one sentence that needs no knowledge of the system.
//!
//! May not: know why the system chose a pair; it tells only what is seen of the two players.

use std::cmp::Reverse;
use std::fmt::Write as _;

use swiss_system::pairing::history::{History, Pair, PairingNumber, RoundPairing};
use swiss_system::pairing::meetings;
use swiss_system::pairing::system::PairingSystem;
use swiss_system::score::Points;

use super::Names;

/// A sentence for each pair of the round, in board order. `by_arbiter` has the pairs that the arbiter wanted.
pub fn text(
    history: &History,
    system: PairingSystem,
    pairing: &RoundPairing,
    by_arbiter: &[[PairingNumber; 2]],
    name: Names<'_>,
) -> String {
    let round = ExplainedRound::new(history, system, pairing);
    let mut text = String::new();
    for pair in &pairing.pairs {
        let why = match by_arbiter.contains(&[pair.white, pair.black]) {
            true => "the arbiter paired them".to_owned(),
            false => round.why(pair, name),
        };
        let _ = writeln!(text, "{} – {}: {why}.", name(pair.white), name(pair.black));
    }
    text
}

struct ExplainedRound<'a> {
    history: &'a History,
    /// The players that the system paired, in order of points and rank.
    ranked: Vec<PairingNumber>,
}

impl<'a> ExplainedRound<'a> {
    fn new(history: &'a History, system: PairingSystem, pairing: &RoundPairing) -> Self {
        let by_rating = matches!(system, PairingSystem::Immortal | PairingSystem::UsChess);
        let mut ranked = meetings::present(history);
        ranked.retain(|&number| pairing.byes().all(|bye| bye != number));
        ranked.sort_by_key(|&number| {
            let player = history.player(number);
            (
                Reverse(player.points),
                Reverse(player.rating.filter(|_| by_rating)),
                number,
            )
        });
        Self { history, ranked }
    }

    fn points(&self, number: PairingNumber) -> Points {
        self.history.player(number).points
    }

    /// The players with so many points, by rank.
    fn group(&self, points: Points) -> Vec<PairingNumber> {
        let ranked = self.ranked.iter().copied();
        ranked.filter(|&number| self.points(number) == points).collect()
    }

    fn why(&self, pair: &Pair, name: Names<'_>) -> String {
        let (white, black) = (pair.white, pair.black);
        let met = match meetings::met_in(self.history, white, black) {
            Some(round) => format!("they meet again, after round {round}"),
            None if self.history.rounds_paired() == 0 => String::new(),
            None => "they have not met".to_owned(),
        };
        let points = match self.points(white) == self.points(black) {
            true => self.of_equals(white, black, name),
            false => self.of_floater(white, black, name),
        };
        let both = [points, met].into_iter().filter(|part| !part.is_empty());
        both.collect::<Vec<_>>().join("; ")
    }

    /// A sentence on two players with the same points.
    fn of_equals(&self, one: PairingNumber, other: PairingNumber, name: Names<'_>) -> String {
        let points = self.points(one);
        let group = self.group(points);
        let place = |number| group.iter().position(|&member| member == number);
        let same = format!("both have {}", counted(points));
        let (Some(one), Some(other)) = (place(one), place(other)) else {
            return same;
        };
        let (upper, lower) = (one.min(other), one.max(other));
        let half = group.len() / 2;
        match upper < half && lower >= half && group.len() > 2 && group.len().is_multiple_of(2) {
            true => format!(
                "{same}, {} in the top half of these {}, {} in the bottom half",
                name(group[upper]),
                group.len(),
                name(group[lower])
            ),
            false => same,
        }
    }

    /// A sentence on two players with different points.
    fn of_floater(&self, one: PairingNumber, other: PairingNumber, name: Names<'_>) -> String {
        let (upper, lower) = match self.points(one) > self.points(other) {
            true => (one, other),
            false => (other, one),
        };
        let points = self.points(upper);
        let group = self.group(points);
        let others = || group.iter().filter(|&&member| member != upper);
        let has_met = |other: &PairingNumber| meetings::met_in(self.history, upper, *other).is_some();
        let because = match group.len() {
            1 => format!(": nobody else has {}", counted(points)),
            _ if others().all(has_met) => format!(": it has met all others who have {}", counted(points)),
            size if !size.is_multiple_of(2) => format!(": {size} players have {}, an odd number", counted(points)),
            _ => String::new(),
        };
        format!(
            "{} floated down from {} to {}, who has {}{because}",
            name(upper),
            counted(points),
            name(lower),
            counted(self.points(lower))
        )
    }
}

fn counted(points: Points) -> String {
    match points == Points::ONE {
        true => "1 point".to_owned(),
        false => format!("{points} points"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swiss_system::pairing::history::{Encounter, FirstColor, PastPlayer};

    #[test]
    fn every_pair_has_a_sentence() {
        // A beat D, B beat E, C beat F; C and F meet again.
        let met = |opponent: u32, halves: i64| {
            let encounter = Encounter::Met {
                opponent: PairingNumber(opponent),
                color: FirstColor::White,
            };
            PastPlayer {
                points: Points::halves(halves),
                rounds: vec![encounter.worth(Points::halves(halves))],
                present: true,
                ..PastPlayer::default()
            }
        };
        let history = History {
            players: vec![met(4, 2), met(5, 2), met(6, 2), met(1, 0), met(2, 0), met(3, 0)],
            ..History::default()
        };
        let pair = |white, black| Pair {
            white: PairingNumber(white),
            black: PairingNumber(black),
            repeat: false,
        };
        let name = |number: PairingNumber| char::from(b'@' + u8::try_from(number.0).expect("few")).to_string();
        let told = |history: &History, pairs: &[Pair]| {
            let pairing = RoundPairing::new(pairs.to_vec(), None);
            let forced = [[PairingNumber(5), PairingNumber(4)]];
            text(history, PairingSystem::MatchPoints, &pairing, &forced, &name)
        };
        insta::assert_snapshot!(told(&history, &[pair(1, 2), pair(6, 3), pair(5, 4)]), @"
        A – B: both have 1 point; they have not met.
        F – C: C floated down from 1 point to F, who has 0 points: 3 players have 1 point, an odd number; they meet again, after round 1.
        E – D: the arbiter paired them.
        ");
        let fresh = PastPlayer {
            present: true,
            ..PastPlayer::default()
        };
        let first = History {
            players: vec![fresh; 4],
            ..History::default()
        };
        insta::assert_snapshot!(told(&first, &[pair(1, 3), pair(2, 4)]), @"
        A – C: both have 0 points, A in the top half of these 4, C in the bottom half.
        B – D: both have 0 points, B in the top half of these 4, D in the bottom half.
        ");
    }
}
