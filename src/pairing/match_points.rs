//! The `"match-points"` pairing: each round exactly the best one by a fixed list of aims.
//!
//! The rule (Global Chess Challenge, final tournament, with what it leaves open settled here): pairing by cumulative
//! match points, opponents of similar match points, repeat pairings avoided whenever feasible. In turn:
//! 1. the bye is settled ([`crate::pairing::bye`]);
//! 2. the fewest repeats, 0 whenever 0 is possible; a forced repeat is marked;
//! 3. then the smallest sum of squared differences of match points;
//! 4. then the smallest sum of rank costs: with ranks by pairing number inside each score group, a pair within a group
//!    of n costs (|i − j| − n/2)² (top half meets bottom half), a pair across groups costs (n − i)² + (j − 1)², i in
//!    the upper group of n, j in the lower (the last of the upper meets the first of the lower);
//! 5. then the lexicographically smallest list of pairs.
//!
//! Colours are balanced inside every mini-match, so pairs are made without regard to colour; White in game 1 goes to
//! the one with fewer such Whites so far, then to the one who had Black last, then by pairing number.
//!
//! May not: know what a round consists of, what points were given for, or the names of players.

pub mod explain;

use std::collections::BTreeMap;

use crate::pairing::boards;
use crate::pairing::bye::{self, ByeCriterion};
use crate::pairing::history::{Encounter, FirstColor, History, Pair, PairingNumber, RoundPairing};
use crate::pairing::infeasible::Infeasible;
use crate::pairing::lexicographic::first_minimum_weight_perfect_matching;
use crate::pairing::matching::Graph;
use crate::score::Points;

/// What the pairing leaves to the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Who gets the bye: criteria, strictly in turn.
    pub bye_order: Vec<ByeCriterion>,
}

/// The pairing of the coming round. Everybody present is in exactly one pair, or has the one bye of an odd number; a
/// single player present has the bye.
///
/// Boards are in order of the higher match points of the pair, then of the sum of its match points, then of the
/// pairing number of its higher ranked player. A pair is a repeat if the two have met; a pairing of which no game was played is no meeting and
/// gives no colour.
///
/// # Errors
/// [`Infeasible::NobodyPresent`]; [`Infeasible::PointsTooFarApart`] for absurd points; [`Infeasible::Forbidden`] where
/// the forbidden pairs leave no pairing. Without forbidden pairs there always is one, if need be with repeats.
///
/// # Panics
/// When a player's opponent is not in the history.
pub fn pair(history: &History, rules: &Rules) -> Result<RoundPairing, Infeasible> {
    if history.players.iter().all(|player| !player.present) {
        return Err(Infeasible::NobodyPresent);
    }
    let bye = bye::choose(history, &rules.bye_order);
    let numbers = (0..history.players.len()).map(PairingNumber::from_index);
    let field: Vec<PairingNumber> = numbers
        .filter(|&number| history.player(number).present && Some(number) != bye)
        .collect();

    let aims = Aims::new(history, &field);
    let mate = first_minimum_weight_perfect_matching(&aims.graph()?).map_err(|_| Infeasible::Forbidden)?;
    let mut pairs: Vec<Pair> = (0..field.len())
        .filter(|&u| u < mate[u])
        .map(|u| with_colors(history, field[u], field[mate[u]], aims.met(u, mate[u])))
        .collect();
    boards::sort(history, &mut pairs);
    Ok(RoundPairing::new(pairs, bye))
}

/// Aims 2 to 4 for the players to be paired, who are called by their place in the field, from 0.
struct Aims {
    /// Match points.
    points: Vec<Points>,
    /// Rank in the score group by pairing number, from 1, and the size of the group; only those to be paired count.
    ranks: Vec<(i128, i128)>,
    /// Who has met whom, and whom the organizer keeps apart.
    field: boards::Field,
}

impl Aims {
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

        Self {
            points,
            ranks,
            field: boards::Field::new(history, field.to_vec()),
        }
    }

    fn met(&self, u: usize, v: usize) -> bool {
        self.field.met(u, v)
    }

    /// What the ranks of a pair cost.
    fn rank_cost(&self, one: usize, other: usize) -> i128 {
        let standing = |place: usize| (self.points[place], self.ranks[place]);
        boards::rank_cost(standing(one), standing(other))
    }

    /// The aims as one weight a pair: each aim is multiplied by more than the sum of the aims after it can be.
    fn graph(&self) -> Result<Graph, Infeasible> {
        let order = self.points.len();
        let apart = |u: usize, v: usize| (self.points[u] - self.points[v]).units().unsigned_abs();
        let unit = (1..order).fold(0, |unit, v| gcd(unit, apart(0, v))).max(1);
        let apart = |u: usize, v: usize| i128::from(apart(u, v) / unit);

        let pairs = i128::try_from(order / 2).expect("fits");
        let others = || (0..order).flat_map(|u| (0..u).map(move |v| (u, v)));
        let widest = others().map(|(u, v)| apart(u, v)).max().unwrap_or(0);
        let costliest = others().map(|(u, v)| self.rank_cost(u, v)).max().unwrap_or(0);
        let distance = pairs * costliest + 1;
        // 0 to `repeat` − 1 is what distances and rank costs of a whole round can sum up to.
        let repeat = widest
            .checked_pow(2)
            .and_then(|square| square.checked_mul(pairs)?.checked_add(1)?.checked_mul(distance));
        let repeat = repeat
            .filter(|repeat| repeat <= &(Graph::limit(order) / 2))
            .ok_or(Infeasible::PointsTooFarApart)?;

        Ok(Graph::new(order, |u, v| {
            let repeats = if self.met(u, v) { repeat } else { 0 };
            let cost = repeats + apart(u, v).pow(2) * distance + self.rank_cost(u, v);
            (!self.field.forbidden(u, v)).then_some(cost)
        }))
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
