//! The `"match-points"` pairing: each round exactly the best one by a fixed list of aims.
//!
//! The rule (Global Chess Challenge, final tournament, with what it leaves open settled here): pairing by cumulative
//! match points, opponents of similar match points, repeat pairings avoided whenever feasible. In turn:
//! 1. the bye is settled ([`crate::pairing::bye`]);
//! 2. the fewest repeats, the smallest sum over the pairs of m², m = meetings of the two so far in which a game was
//!    played: 0 whenever a pairing without a repeat exists; a forced repeat is marked;
//! 3. then the smallest sum of squared differences of match points;
//! 4. then the smallest sum over repeated pairs of the number of the round in which the two last met;
//! 5. then the smallest sum of rank costs: with ranks by pairing number inside each score group, a pair within a group
//!    of n costs (|i − j| − n/2)² (top half meets bottom half), a pair across groups costs (n − i)² + (j − 1)², i in
//!    the upper group of n, j in the lower (the last of the upper meets the first of the lower);
//! 6. then the lexicographically smallest list of pairs.
//!
//! The cost of a pair by aims 2 to 5 is defined in one place, `Aims::costs`; a pairing costs the sum of its pairs,
//! and no amount of a later aim outweighs a unit of an earlier one.
//!
//! Colours are balanced inside every mini-match, so pairs are made without regard to colour; White in game 1 goes to
//! the one with fewer such Whites so far, then to the one who had Black last, then by pairing number.
//!
//! May not: know what a round consists of, what points were given for, or the names of players.

pub mod explain;

use std::collections::BTreeMap;

use crate::pairing::aims;
use crate::pairing::aims::InTurn;
use crate::pairing::boards;
use crate::pairing::bye::{self, ByeCriterion};
use crate::pairing::history::{Encounter, FirstColor, History, Pair, PairingNumber, RoundPairing, SitsOut};
use crate::pairing::infeasible::NoPairingError;
use crate::pairing::lexicographic::first_minimum_weight_perfect_matching;
use crate::pairing::matching::EdgeCosts;
use crate::pairing::meetings;
use crate::score::Points;

/// The settings that the pairing leaves to the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchPointsRules {
    /// The criteria for the bye, strictly in turn.
    pub bye_order: Vec<ByeCriterion>,
}

/// The pairing of the coming round. Everybody present is in exactly one pair, or has the one bye of an odd number; a
/// single player present has the bye.
/// Boards are in order of the higher match points of the pair, then of the sum of its match points, then of the
/// pairing number of its higher ranked player. A pair is a repeat if the two have met; a pairing of which no game was
/// played is not a meeting and gives no colour.
///
/// # Errors
/// [`NoPairingError::NobodyPresent`]; [`NoPairingError::PointsTooFarApart`] for absurd points; [`NoPairingError::Forbidden`] if
/// the forbidden pairs leave no pairing. Without forbidden pairs there always is one, if need be with repeats.
///
/// # Panics
/// When a player's opponent is not in the history.
pub fn pair(history: &History, rules: &MatchPointsRules) -> Result<RoundPairing, NoPairingError> {
    if history.players.iter().all(|player| !player.present) {
        return Err(NoPairingError::NobodyPresent);
    }
    let bye = bye::choose(history, &rules.bye_order);
    let numbers = (0..history.players.len()).map(PairingNumber::from_index);
    let field: Vec<PairingNumber> = numbers
        .filter(|&number| history.player(number).present && Some(number) != bye)
        .collect();

    let aims = MatchPointsAims::new(history, &field);
    let mate = first_minimum_weight_perfect_matching(&aims.weights()?).map_err(|_| NoPairingError::Forbidden)?;
    let mut pairs: Vec<Pair> = (0..field.len())
        .filter(|&u| u < mate[u])
        .map(|u| with_colors(history, field[u], field[mate[u]], aims.met(u, mate[u])))
        .collect();
    boards::sort(history, &mut pairs);
    // Nobody is barred from the bye; a further one counts as one without a right to it.
    let out = bye.map(|player| SitsOut {
        player,
        again: history.player(player).byes() > 0,
    });
    Ok(RoundPairing::without(pairs, out))
}

/// Aims 2 to 5 for the players to be paired, who are called by their place in the field, from 0.
struct MatchPointsAims {
    points: Vec<Points>,
    /// The largest part of a point of which all differences of points are multiples.
    unit: u64,
    /// Rank in the score group by pairing number, from 1, and the size of the group; only those to be paired count.
    ranks: Vec<(i128, i128)>,
    /// The meetings so far, and the pairs that the organizer forbids.
    field: meetings::PairingField,
}

impl MatchPointsAims {
    fn new(history: &History, field: &[PairingNumber]) -> Self {
        let points: Vec<Points> = field.iter().map(|&number| history.player(number).points).collect();
        let mut sizes: BTreeMap<Points, i128> = BTreeMap::new();
        let rank = |points: &Points| {
            let size = sizes.entry(*points).or_default();
            *size += 1;
            *size
        };
        let ranks: Vec<i128> = points.iter().map(rank).collect();
        let ranks = ranks
            .into_iter()
            .zip(points.iter().map(|points| sizes[points]))
            .collect();

        let apart = |v: usize| (points[0] - points[v]).units().unsigned_abs();
        Self {
            unit: (1..points.len()).fold(0, |unit, v| gcd(unit, apart(v))).max(1),
            points,
            ranks,
            field: meetings::PairingField::new(history, field.to_vec()),
        }
    }

    fn met(&self, u: usize, v: usize) -> bool {
        self.field.met(u, v)
    }

    /// The cost of a pair, aim by aim, none below zero:
    /// - aim 2: m² for m meetings so far;
    /// - aim 3: the squared difference of match points, in units of the largest common measure of all differences;
    /// - aim 4: the round in which the two last met, from 1; 0 if they have not;
    /// - aim 5: the rank cost, times four.
    fn costs(&self, u: usize, v: usize) -> [i128; 4] {
        let meetings = self.field.meetings(u, v);
        let apart = (self.points[u] - self.points[v]).units().unsigned_abs() / self.unit;
        let standing = |place: usize| (self.points[place], self.ranks[place]);
        [
            meetings.repeats(),
            i128::from(apart).saturating_pow(2),
            meetings.last.into(),
            aims::rank_cost(standing(u), standing(v)),
        ]
    }

    /// The aims as one weight per pair.
    fn weights(&self) -> Result<impl EdgeCosts<Weight = i128>, NoPairingError> {
        let costs = |u: usize, v: usize| (!self.field.forbidden(u, v)).then(|| self.costs(u, v));
        InTurn::new(self.points.len(), costs).ok_or(NoPairingError::PointsTooFarApart)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// "White in game 1 goes to the one with fewer such Whites so far, then to the one who had Black last, then by pairing
/// number": `last` is the last round in which a game was played.
fn with_colors(history: &History, smaller: PairingNumber, larger: PairingNumber, repeat: bool) -> Pair {
    let claim = |number: PairingNumber| {
        let mut colors = history
            .player(number)
            .rounds
            .iter()
            .filter_map(|round| match round.encounter {
                Encounter::Met { color, .. } => Some(color),
                _ => None,
            });
        let whites = colors.clone().filter(|&color| color == FirstColor::White).count();
        (whites, colors.next_back() != Some(FirstColor::Black), number)
    };
    let (white, black) = if claim(smaller) < claim(larger) {
        (smaller, larger)
    } else {
        (larger, smaller)
    };
    Pair { white, black, repeat }
}

#[cfg(test)]
mod tests;
