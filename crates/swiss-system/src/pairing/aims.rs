//! Finds the best round by aims strictly in turn: each aim's costs are digits of one weight per pair.
//!
//! May not: know the aims of any one system, or what a round is worth.

use crate::pairing::infeasible::NoPairingError;
use crate::pairing::matching::{EdgeCosts, Graph, minimum_weight_perfect_matching};
use crate::score::Points;

/// Aims strictly in turn as one weight per pair: perfect matchings of least weight are the best pairings, and no
/// amount of a later aim outweighs a unit of an earlier one. The costs are asked for again and again, and not stored.
pub(crate) struct InTurn<const AIMS: usize, F> {
    order: usize,
    /// The weight of a unit of each aim.
    units: [i128; AIMS],
    costs: F,
}

impl<const AIMS: usize, F: Fn(usize, usize) -> Option<[i128; AIMS]>> InTurn<AIMS, F> {
    /// `costs(u, v)`, asked for u < v, gives the cost of the pair by each aim, none below zero, or `None` if the two
    /// may not meet. A pairing costs the sum of its pairs. Returns `None` if the aims together overflow the integers
    /// used.
    pub(crate) fn new(order: usize, costs: F) -> Option<Self> {
        let mut most = [0; AIMS];
        for v in 0..order {
            for cost in (0..v).filter_map(|u| costs(u, v)) {
                for (most, cost) in most.iter_mut().zip(cost) {
                    *most = cost.max(*most);
                }
            }
        }
        // A unit of an aim weighs one more than all later aims of a whole round can sum up to.
        let pairs = i128::try_from(order / 2).ok()?;
        let mut units = [0; AIMS];
        let mut next: i128 = 1;
        for (unit, most) in units.iter_mut().zip(most).rev() {
            *unit = next;
            next = most.checked_mul(pairs)?.checked_add(1)?.checked_mul(next)?;
        }
        (next <= Graph::limit(order)).then_some(Self { order, units, costs })
    }

    /// The weight of a pair, u < v.
    fn weight(&self, u: usize, v: usize) -> Option<i128> {
        let cost = (self.costs)(u, v)?;
        Some(cost.iter().zip(self.units).map(|(cost, unit)| cost * unit).sum())
    }
}

impl<const AIMS: usize, F: Fn(usize, usize) -> Option<[i128; AIMS]>> EdgeCosts for InTurn<AIMS, F> {
    type Weight = i128;

    fn order(&self) -> usize {
        self.order
    }

    fn doubled(&self, u: usize, v: usize) -> Option<i128> {
        self.weight(u.min(v), u.max(v)).map(|weight| 2 * weight)
    }

    fn outside(&self, _: usize) -> Option<i128> {
        None
    }
}

/// Like [`InTurn`], but as a graph that stores all weights, for costs that are expensive to compute.
pub(crate) fn in_turn<const AIMS: usize>(
    order: usize,
    costs: impl Fn(usize, usize) -> Option<[i128; AIMS]>,
) -> Option<Graph> {
    let aims = InTurn::new(order, costs)?;
    Some(Graph::new(order, |u, v| aims.weight(u, v)))
}

/// Finds who of an odd number of players is left over, so that the cost of that choice and of the pairs of all others
/// is least, by aims strictly in turn. `bye(u)` gives the cost of leaving over `u` by each aim, and `pair(u, v)`, for
/// u < v, that of the pair; neither is below zero, and `None` means that it is not allowed. `None` if no choice
/// leaves a pairing.
///
/// # Errors
/// [`NoPairingError::TooManyPlayers`].
pub(crate) fn left_over<const AIMS: usize>(
    players: usize,
    bye: impl Fn(usize) -> Option<[i128; AIMS]>,
    pair: impl Fn(usize, usize) -> Option<[i128; AIMS]>,
) -> Result<Option<usize>, NoPairingError> {
    let out = players;
    let graph = in_turn(players + 1, |u, v| if v == out { bye(u) } else { pair(u, v) });
    let matching = minimum_weight_perfect_matching(&graph.ok_or(NoPairingError::TooManyPlayers)?);
    Ok(matching.ok().map(|matching| matching.mate[out]))
}

/// The rank of each place, from 0, in an order of some of them.
pub(crate) fn ranks(places: usize, order: &[usize]) -> Vec<Option<i128>> {
    let mut ranks = vec![None; places];
    for (rank, &place) in (0..).zip(order) {
        ranks[place] = Some(rank);
    }
    ranks
}

/// The pairs of a matching, smaller place first.
pub(crate) fn couples(mate: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    mate.iter().copied().enumerate().filter(|(u, v)| u < v)
}

/// A player's points, rank in the score group, from 1, and the size of that group.
pub(crate) type Standing = (Points, (i128, i128));

/// "A pair within a group of n costs (|i − j| − n/2)², a pair across groups costs (n − i)² + (j − 1)², i in the upper group
/// of n, j in the lower." Four times that, which is an integer.
pub(crate) fn rank_cost(one: Standing, other: Standing) -> i128 {
    let (upper, lower) = if one.0 >= other.0 { (one, other) } else { (other, one) };
    let ((i, n), (j, _)) = (upper.1, lower.1);
    if one.0 == other.0 {
        (2 * (i - j).abs() - n).pow(2)
    } else {
        4 * ((n - i).pow(2) + (j - 1).pow(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aims_strictly_in_turn() {
        // One unit of the first aim against everything that the second can sum up to.
        let dear = |u: usize, v: usize| Some(if (u, v) == (0, 1) { [1, 0] } else { [0, 1000] });
        let graph = in_turn(4, dear).expect("narrow");
        let mate = minimum_weight_perfect_matching(&graph).expect("complete").mate;
        assert_ne!(mate[0], 1);
        // With the first aim level, the second decides.
        let second = |u: usize, v: usize| Some([0, if (u, v) == (1, 3) { 0 } else { 7 }]);
        let graph = in_turn(4, second).expect("narrow");
        let mate = minimum_weight_perfect_matching(&graph).expect("complete").mate;
        assert_eq!(mate, [2, 3, 0, 1]);
        assert!(in_turn(4, |_, _| Some([1 << 60, 1 << 60])).is_none());
        assert!(in_turn(4, |_, _| Some([i128::MAX])).is_none());
    }

    #[test]
    fn left_over_by_cost_then_by_claim() {
        type Cost = fn(usize, usize) -> Option<i128>;
        let of = |players, order: &[usize], cost: Cost| {
            let claim = ranks(players, order);
            left_over(players, |u| Some([0, claim[u]?]), |u, v| Some([cost(u, v)?, 0]))
        };
        let no_cost: Cost = |_, _| Some(0);
        assert_eq!(of(3, &[1, 2, 0], no_cost), Ok(Some(1)));
        assert_eq!(of(1, &[0], no_cost), Ok(Some(0)));
        assert_eq!(of(3, &[], no_cost), Ok(None));
        // Without 1, the pair 0–2 costs something.
        let dear: Cost = |u, v| Some(i128::from((u, v) == (0, 2)));
        assert_eq!(of(3, &[1, 2, 0], dear), Ok(Some(2)));
        let none: Cost = |u, v| ((u, v) != (0, 2)).then_some(0);
        assert_eq!(of(3, &[1], none), Ok(None));
    }
}
