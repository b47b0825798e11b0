//! The `"immortal"` pairing (Immortal Game Swiss): each round exactly the best one by a fixed list of aims.
//!
//! The rule: in the first round high meets low by rating, top half against bottom half; in later rounds players with
//! equal points meet; never three times the same colour in a row unless the round could not be paired otherwise; with
//! an odd number the one left over has a bye, once per tournament, with the lowest points, then the lowest rating.
//! What this leaves open is settled here. In turn:
//! 1. no forbidden pair;
//! 2. who sits out of an odd number ([`bye::sits_out`]): a player without a bye so far; if all present have had one, a player who has
//!    been left over the fewest times, and this player has it without a right to it ([`RoundPairing::again`]);
//! 3. the fewest repeats, the smallest sum over the pairs of m², m = meetings of the two so far in which a game was
//!    played: 0 whenever a pairing without a repeat exists; a forced repeat is marked;
//! 4. the fewest players who get the same colour more often in a row than [`ImmortalRules::color_streak`] says: with 2 for the
//!    third time, or later;
//! 5. the smallest sum of squared differences of points: equal points meet as far as possible, else the nearest;
//! 6. the smallest sum of rank costs: with ranks by rating (then pairing number) inside each score group, a pair within
//!    a group of n costs (|i − j| − n/2)² (top half meets bottom half), a pair across groups costs (n − i)² + (j − 1)²,
//!    i in the upper group of n, j in the lower (the last of the upper meets the first of the lower);
//! 7. the lexicographically smallest list of pairs.
//!
//! Before round 1 all points are equal, so that aim 6 alone is the first round's rule.
//!
//! White goes, in turn: to the player who has had Black as often in a row as may be, or against the one who has had White
//! so often; to the one whose Whites exceed its Blacks by less; by alternation to the latest time when one of the two
//! had White and the other Black; by alternation to the last colour of the higher ranked (points, rating, pairing
//! number), then of the other; to the higher ranked by the initial colour if its pairing number is odd, else to its
//! opponent. Rounds without play are left out of every "in a row" and "last". In mini-matches the colour of a meeting is that
//! of its first game.
//!
//! May not: know what a round consists of, what points were given for, or the names of players.

pub mod explain;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::pairing::aims;
use crate::pairing::boards;
use crate::pairing::bye;
use crate::pairing::colors;
use crate::pairing::colors::ColorSequence;
use crate::pairing::history::{FirstColor, History, Pair, PairingNumber, RoundPairing};
use crate::pairing::infeasible::NoPairingError;
use crate::pairing::lexicographic::first_minimum_weight_perfect_matching;
use crate::pairing::matching::Graph;
use crate::pairing::meetings;
use crate::pairing::meetings::PairingField;
use crate::score::Points;

/// The settings that the pairing leaves to the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImmortalRules {
    /// The colour of odd pairing numbers if neither of two players has played.
    pub initial_color: FirstColor,
    /// How often in a row a player has the same colour at most, unless the round could not be paired otherwise; with
    /// `None`, who meets whom does not depend on colours.
    pub color_streak: Option<u32>,
}

/// The pairing of the coming round. Everybody present is in exactly one pair, or has the one bye of an odd number; a
/// single player present has the bye. Boards are in the order of C.04.2, article 3.6.
///
/// # Errors
/// [`NoPairingError::NobodyPresent`]; [`NoPairingError::Forbidden`] if the forbidden pairs leave no pairing;
/// [`NoPairingError::TooManyPlayers`];
/// [`NoPairingError::PointsTooFarApart`] for absurd points.
///
/// # Panics
/// When a player's opponent is not in the history.
pub fn pair(history: &History, rules: &ImmortalRules) -> Result<RoundPairing, NoPairingError> {
    let mut numbers = meetings::present(history);
    if numbers.is_empty() {
        return Err(NoPairingError::NobodyPresent);
    }
    let out = bye::sits_out(history, &mut numbers, |player| player.byes() == 0)?;

    let aims = ImmortalAims::new(history, rules, numbers);
    let mate = first_minimum_weight_perfect_matching(&aims.graph()?).map_err(|_| NoPairingError::Forbidden)?;
    let mut pairs: Vec<Pair> = aims::couples(&mate).map(|(u, v)| aims.seated(rules, u, v)).collect();
    boards::sort(history, &mut pairs);
    Ok(RoundPairing::without(pairs, out))
}

/// Highest rating first, the unrated last, then the smaller pairing number first.
type Rank = (Reverse<Option<u32>>, PairingNumber);

fn rank(history: &History, number: PairingNumber) -> Rank {
    (Reverse(history.player(number).rating), number)
}

/// The aims for an even number of players, who are called by their place in the field.
struct ImmortalAims {
    field: PairingField,
    points: Vec<Points>,
    /// Rank in the score group by rating, from 1, and the size of the group.
    ranks: Vec<(i128, i128)>,
    colors: Vec<ColorSequence>,
    /// The colour that a player has to have next, by [`ImmortalRules::color_streak`].
    due: Vec<Option<FirstColor>>,
}

impl ImmortalAims {
    fn new(history: &History, rules: &ImmortalRules, numbers: Vec<PairingNumber>) -> Self {
        let points: Vec<Points> = numbers.iter().map(|&number| history.player(number).points).collect();
        let colors: Vec<ColorSequence> = numbers
            .iter()
            .map(|&number| ColorSequence::had_by(history.player(number)))
            .collect();
        let due = |colors: &ColorSequence| rules.color_streak.and_then(|streak| colors.due(streak));
        let mut groups: BTreeMap<Points, Vec<usize>> = BTreeMap::new();
        for (place, &points) in points.iter().enumerate() {
            groups.entry(points).or_default().push(place);
        }
        let mut ranks = vec![(0, 0); numbers.len()];
        for group in groups.values_mut() {
            group.sort_by_key(|&place| rank(history, numbers[place]));
            let size = i128::try_from(group.len()).expect("fits");
            for (rank, &place) in (1..).zip(group.iter()) {
                ranks[place] = (rank, size);
            }
        }
        Self {
            field: PairingField::new(history, numbers),
            points,
            ranks,
            due: colors.iter().map(due).collect(),
            colors,
        }
    }

    /// Aims 1 and 3 to 6, as weights of pairs.
    fn graph(&self) -> Result<Graph, NoPairingError> {
        let order = self.points.len();
        let apart = |u: usize, v: usize| (self.points[u] - self.points[v]).units().unsigned_abs();
        let unit = (1..order).fold(0, |unit, v| gcd(unit, apart(0, v))).max(1);
        let graph = aims::in_turn(order, |u, v| {
            let squared = i128::from(apart(u, v) / unit).saturating_pow(2);
            (!self.field.forbidden(u, v)).then(|| {
                [
                    self.field.meetings(u, v).repeats(),
                    i128::from(self.due_alike(u, v)),
                    squared,
                    self.rank_cost(u, v),
                ]
            })
        });
        graph.ok_or(NoPairingError::PointsTooFarApart)
    }

    /// True if one of the two must get a colour once more than it should.
    fn due_alike(&self, u: usize, v: usize) -> bool {
        self.due[u].is_some() && self.due[u] == self.due[v]
    }

    /// The rank cost of a pair.
    fn rank_cost(&self, one: usize, other: usize) -> i128 {
        let standing = |place: usize| (self.points[place], self.ranks[place]);
        aims::rank_cost(standing(one), standing(other))
    }

    /// The board of two players, with colours.
    fn seated(&self, rules: &ImmortalRules, u: usize, v: usize) -> Pair {
        let standing = |place: usize| (Reverse(self.points[place]), self.ranks[place]);
        let (higher, lower) = if standing(u) < standing(v) { (u, v) } else { (v, u) };
        let (own, opponent) = (self.field.numbers()[higher], self.field.numbers()[lower]);
        let first = colors::first_color(own, rules.initial_color);
        let color = match (self.due[higher], self.due[lower]) {
            (Some(due), None) => due,
            (None, Some(due)) => due.opposite(),
            (Some(due), Some(theirs)) if due != theirs => due,
            _ => self.colors[higher].equalised(&self.colors[lower], first),
        };
        colors::seated(own, color, opponent, self.field.met(u, v))
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests;
