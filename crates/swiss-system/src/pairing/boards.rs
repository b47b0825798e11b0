//! Boards: who may sit at one together, which boards are best by aims strictly in turn, who has White, and in which
//! order the boards stand.
//!
//! May not: know the aims of any one system, or what a round is worth.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::pairing::history::{Encounter, FirstColor, History, Pair, PairingNumber, PastPlayer};
use crate::pairing::infeasible::Infeasible;
use crate::pairing::matching::{Costs, Graph, minimum_weight_perfect_matching};
use crate::score::Points;

/// Some players of a tournament, called by their place in this field, from 0, and what stands between any two of them.
#[derive(Clone, Debug)]
pub struct Field {
    numbers: Vec<PairingNumber>,
    /// For each place the places after it whose players it has met.
    met: Vec<BTreeMap<usize, Meetings>>,
    /// Pairs that the organizer forbids, the smaller place first.
    forbidden: BTreeSet<(usize, usize)>,
}

/// How often two players have met so far, counting meetings in which a game was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meetings {
    /// So often.
    pub count: u32,
    /// The round of the last time, from 1; 0 where they have not met.
    pub last: u32,
}

impl Meetings {
    /// What the pair adds to the repeats of a round: m² for m meetings so far. "Fewest repeats means the smallest sum over
    /// the pairs of m²", so that repeats spread over all pairs.
    #[must_use]
    pub const fn repeats(self) -> i128 {
        (self.count as i128).pow(2)
    }
}

impl Field {
    /// The field of these players, in this order.
    ///
    /// # Panics
    /// When a player, an opponent, or a player of a forbidden pair is not in the history.
    #[must_use]
    pub fn new(history: &History, numbers: Vec<PairingNumber>) -> Self {
        let mut place = vec![None; history.players.len()];
        for (at, number) in numbers.iter().enumerate() {
            place[number.index()] = Some(at);
        }
        let forbidden = history.forbidden.iter().filter_map(|(one, other)| {
            let (u, v) = (place[one.index()]?, place[other.index()]?);
            Some((u.min(v), u.max(v)))
        });
        let forbidden = forbidden.collect();
        let mut met = vec![BTreeMap::<usize, Meetings>::new(); numbers.len()];
        for (u, &number) in numbers.iter().enumerate() {
            for (round, past) in (1..).zip(&history.player(number).rounds) {
                if let Encounter::Met { opponent, .. } = past.encounter
                    && let Some(v) = place[opponent.index()].filter(|&v| u < v)
                {
                    let meetings = met[u].entry(v).or_default();
                    *meetings = Meetings {
                        count: meetings.count + 1,
                        last: round,
                    };
                }
            }
        }
        Self {
            numbers,
            met,
            forbidden,
        }
    }

    /// The players in the order of their places.
    #[must_use]
    pub fn numbers(&self) -> &[PairingNumber] {
        &self.numbers
    }

    /// How often the two have met: a pairing of which no game was played is no meeting.
    #[must_use]
    pub fn meetings(&self, u: usize, v: usize) -> Meetings {
        self.met[u.min(v)].get(&u.max(v)).copied().unwrap_or_default()
    }

    /// Whether the two have met.
    #[must_use]
    pub fn met(&self, u: usize, v: usize) -> bool {
        self.meetings(u, v).count > 0
    }

    /// Whether the organizer forbids the pair.
    #[must_use]
    pub fn forbidden(&self, u: usize, v: usize) -> bool {
        self.forbidden.contains(&(u.min(v), u.max(v)))
    }
}

/// Who is to be paired in the coming round, in order of pairing numbers.
#[must_use]
pub fn present(history: &History) -> Vec<PairingNumber> {
    history
        .numbers()
        .filter(|&number| history.player(number).present)
        .collect()
}

/// The round, from 1, in which the two first met in this tournament.
///
/// # Panics
/// When `one` is not in the history.
#[must_use]
pub fn met_in(history: &History, one: PairingNumber, other: PairingNumber) -> Option<usize> {
    let with_other = |encounter| matches!(encounter, Encounter::Met { opponent, .. } if opponent == other);
    let mut rounds = (1..).zip(&history.player(one).rounds);
    rounds
        .find(|(_, round)| with_other(round.encounter))
        .map(|(round, _)| round)
}

/// Whether the two have met in this tournament.
///
/// # Panics
/// When `one` is not in the history.
#[must_use]
pub fn have_met(history: &History, one: PairingNumber, other: PairingNumber) -> bool {
    met_in(history, one, other).is_some()
}

/// A player's points, rank in the score group, from 1, and the size of that group.
pub type Standing = (Points, (i128, i128));

/// "A pair within a group of n costs (|i − j| − n/2)², a pair across groups costs (n − i)² + (j − 1)², i in the upper group
/// of n, j in the lower." Four times that, which is an integer.
#[must_use]
pub fn rank_cost(one: Standing, other: Standing) -> i128 {
    let (upper, lower) = if one.0 >= other.0 { (one, other) } else { (other, one) };
    let ((i, n), (j, _)) = (upper.1, lower.1);
    if one.0 == other.0 {
        (2 * (i - j).abs() - n).pow(2)
    } else {
        4 * ((n - i).pow(2) + (j - 1).pow(2))
    }
}

/// Whether the organizer forbids the pair.
#[must_use]
pub fn is_forbidden(history: &History, one: PairingNumber, other: PairingNumber) -> bool {
    history.forbidden.contains(&(one, other)) || history.forbidden.contains(&(other, one))
}

/// Aims strictly in turn as one weight a pair: perfect matchings of least weight are the best pairings, and no amount of a
/// later aim outweighs a unit of an earlier one. The costs are asked for again and again, and held nowhere.
pub struct InTurn<const AIMS: usize, F> {
    order: usize,
    /// What a unit of each aim weighs.
    units: [i128; AIMS],
    costs: F,
}

impl<const AIMS: usize, F: Fn(usize, usize) -> Option<[i128; AIMS]>> InTurn<AIMS, F> {
    /// `costs(u, v)`, asked for u < v, tells what the pair costs by each aim, none below zero, or `None` where the two may
    /// not meet. A pairing costs what its pairs cost together. `None` when the aims together leave the integers used.
    pub fn new(order: usize, costs: F) -> Option<Self> {
        let mut most = [0; AIMS];
        for v in 0..order {
            for cost in (0..v).filter_map(|u| costs(u, v)) {
                for (most, cost) in most.iter_mut().zip(cost) {
                    *most = cost.max(*most);
                }
            }
        }
        // A unit of an aim weighs one more than all that the later aims of a whole round can sum up to.
        let pairs = i128::try_from(order / 2).ok()?;
        let mut units = [0; AIMS];
        let mut next: i128 = 1;
        for (unit, most) in units.iter_mut().zip(most).rev() {
            *unit = next;
            next = most.checked_mul(pairs)?.checked_add(1)?.checked_mul(next)?;
        }
        (next <= Graph::limit(order)).then_some(Self { order, units, costs })
    }

    /// What a pair weighs, u < v.
    fn weight(&self, u: usize, v: usize) -> Option<i128> {
        let cost = (self.costs)(u, v)?;
        Some(cost.iter().zip(self.units).map(|(cost, unit)| cost * unit).sum())
    }
}

impl<const AIMS: usize, F: Fn(usize, usize) -> Option<[i128; AIMS]>> Costs for InTurn<AIMS, F> {
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

/// The same as a graph that holds all weights, for costs that are dear to compute.
pub fn in_turn<const AIMS: usize>(order: usize, costs: impl Fn(usize, usize) -> Option<[i128; AIMS]>) -> Option<Graph> {
    let aims = InTurn::new(order, costs)?;
    Some(Graph::new(order, |u, v| aims.weight(u, v)))
}

/// Who of an odd number of players is left over: what that one and the pairs of all others cost together is as little as
/// possible, by aims strictly in turn. `bye(u)` tells what it costs by each aim to leave over `u`, `pair(u, v)`, for u < v, what
/// the pair does; neither is below zero, and `None` says that it may not be. `None` when nobody leaves a pairing.
///
/// # Errors
/// [`Infeasible::TooManyPlayers`].
pub fn left_over<const AIMS: usize>(
    players: usize,
    bye: impl Fn(usize) -> Option<[i128; AIMS]>,
    pair: impl Fn(usize, usize) -> Option<[i128; AIMS]>,
) -> Result<Option<usize>, Infeasible> {
    let out = players;
    let graph = in_turn(players + 1, |u, v| if v == out { bye(u) } else { pair(u, v) });
    let matching = minimum_weight_perfect_matching(&graph.ok_or(Infeasible::TooManyPlayers)?);
    Ok(matching.ok().map(|matching| matching.mate[out]))
}

/// The rank of each of so many places, from 0, in an order of some of them.
#[must_use]
pub fn ranks(places: usize, order: &[usize]) -> Vec<Option<i128>> {
    let mut ranks = vec![None; places];
    for (rank, &place) in (0..).zip(order) {
        ranks[place] = Some(rank);
    }
    ranks
}

/// The pairs of a matching, smaller place first.
pub fn couples(mate: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    mate.iter().copied().enumerate().filter(|(u, v)| u < v)
}

/// Puts pairs into the order of the boards (C.04.2, article 3.6): the higher points of the pair, then the sum of its
/// points, then the pairing number of its higher ranked player.
///
/// # Panics
/// When a player is not in the history.
pub fn sort(history: &History, pairs: &mut [Pair]) {
    pairs.sort_by_key(|pair| {
        let [one, other] = [pair.white, pair.black].map(|number| (Reverse(history.player(number).points), number));
        let (higher, lower) = (one.min(other), one.max(other));
        (higher.0, lower.0, higher.1)
    });
}

/// The colours a player had in meetings, oldest first. Rounds without play are left out, so that what stands on both
/// sides of them is "in a row" (C.04.2, article 3.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colors(Vec<FirstColor>);

impl Colors {
    /// The colours of a player so far.
    #[must_use]
    pub fn of(player: &PastPlayer) -> Self {
        let played = player.rounds.iter().filter_map(|round| match round.encounter {
            Encounter::Met { color, .. } => Some(color),
            _ => None,
        });
        Self(played.collect())
    }

    /// How often White.
    #[must_use]
    pub fn whites(&self) -> usize {
        self.0.iter().filter(|&&color| color == FirstColor::White).count()
    }

    /// How often White, how often Black.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.whites(), self.0.len() - self.whites())
    }

    /// The colour that is due where nobody is to have one more than `streak` times in a row: the other one, after so many
    /// of the same; `None` where either will do.
    #[must_use]
    pub fn due(&self, streak: u32) -> Option<FirstColor> {
        let last = *self.0.last()?;
        let in_a_row = self.0.iter().rev().take_while(|&&color| color == last).count();
        (in_a_row >= streak as usize).then(|| last.opposite())
    }

    /// What `self` has against `opponent` where nothing but alternation is left to decide. In turn: the opposite of
    /// what it had when last one of the two had White and the other Black (both histories are walked back in step); the
    /// opposite of its own last colour; the opponent's last colour; `first` when neither has played.
    #[must_use]
    pub fn alternated(&self, opponent: &Self, first: FirstColor) -> FirstColor {
        let mut in_step = self.0.iter().rev().zip(opponent.0.iter().rev());
        let differing = in_step.find(|(own, theirs)| own != theirs).map(|(own, _)| *own);
        let own_last = differing.or(self.0.last().copied()).map(FirstColor::opposite);
        own_last.or(opponent.0.last().copied()).unwrap_or(first)
    }

    /// What `self` has against `opponent` by "equalise, then alternate": White for the one whose Whites exceed its
    /// Blacks by less, then as [`Colors::alternated`].
    #[must_use]
    pub fn equalised(&self, opponent: &Self, first: FirstColor) -> FirstColor {
        let ((whites, blacks), (their_whites, their_blacks)) = (self.counts(), opponent.counts());
        match (whites + their_blacks).cmp(&(their_whites + blacks)) {
            std::cmp::Ordering::Less => FirstColor::White,
            std::cmp::Ordering::Greater => FirstColor::Black,
            std::cmp::Ordering::Equal => self.alternated(opponent, first),
        }
    }
}

/// The colour of a player who meets another one with neither having played before: the initial colour for an odd
/// pairing number, the other one for an even number.
#[must_use]
pub const fn first_color(number: PairingNumber, initial: FirstColor) -> FirstColor {
    if number.0.is_multiple_of(2) {
        initial.opposite()
    } else {
        initial
    }
}

/// The pair with `color` for `own`.
#[must_use]
pub const fn seated(own: PairingNumber, color: FirstColor, opponent: PairingNumber, repeat: bool) -> Pair {
    let (white, black) = match color {
        FirstColor::White => (own, opponent),
        FirstColor::Black => (opponent, own),
    };
    Pair { white, black, repeat }
}

#[cfg(test)]
pub(crate) mod tests;
