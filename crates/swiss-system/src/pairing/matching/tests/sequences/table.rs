//! Costs such as the pairing systems have, and what brute force finds.

use crate::pairing::matching::tests::at;
use crate::pairing::matching::{EdgeCosts, Lexicographic, Weight};

/// A weight of the parts that pairing systems put into one, the most important first.
pub(super) trait Digits: Weight {
    fn doubled(cost: i128, charge: usize, question: usize) -> Self;
}

/// The less important digits in one number.
fn lower_digits(charge: usize, question: usize) -> i128 {
    let digit = |count: usize| i128::try_from(count).expect("few vertices");
    (digit(charge) << 41) + (digit(question) << 1)
}

impl Digits for i128 {
    fn doubled(cost: i128, charge: usize, question: usize) -> Self {
        (cost << 81) + lower_digits(charge, question)
    }
}

impl Digits for Lexicographic<2> {
    fn doubled(cost: i128, charge: usize, question: usize) -> Self {
        Self([cost << 1, lower_digits(charge, question)])
    }
}

/// What a vertex of the bracket may still become; as in the Dutch system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BracketRole {
    Any,
    Paired,
    Leaves,
    NotHigher,
    Higher,
}

/// A question about a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BracketQuestion {
    Paired,
    NotHigher,
    Higher,
    FirstPartner,
}

/// Costs such as the Dutch system has: some vertices form the bracket, some may be left outside.
#[derive(Clone, Debug)]
pub(super) struct BracketCosts<W> {
    pub(super) order: usize,
    pub(super) bracket: usize,
    pub(super) edges: Vec<Option<W>>,
    pub(super) outside: Vec<Option<W>>,
    pub(super) roles: Vec<BracketRole>,
    /// The extra cost of a vertex if it is the higher of a pair in the bracket, and if it is not.
    pub(super) higher: Vec<W>,
    pub(super) lower: Vec<W>,
    pub(super) question: Option<(usize, BracketQuestion)>,
}

impl<W: Digits> BracketCosts<W> {
    pub(super) fn set(&mut self, u: usize, v: usize, cost: Option<W>) {
        let place = at(self.order, u, v);
        self.edges[place] = cost;
    }

    pub(super) fn remove(&mut self, vertex: usize) {
        for other in (0..self.order).filter(|&other| other != vertex) {
            self.set(vertex, other, None);
        }
        self.outside[vertex] = None;
    }

    /// Puts a cost on exchanges between the first `pairs` of some vertices and the others.
    pub(super) fn charge_exchanges(&mut self, vertices: &[usize], pairs: usize) {
        for (position, &vertex) in vertices.iter().enumerate() {
            let (cost, charge) = if position < pairs {
                (&mut self.lower[vertex], pairs - 1 - position)
            } else {
                (&mut self.higher[vertex], 20 + position - pairs)
            };
            *cost = *cost + W::doubled(0, charge, 0);
        }
    }

    pub(super) fn is_granted(&self, wish: BracketQuestion, vertex: usize, mate: Option<usize>) -> bool {
        let is_inside = mate.is_some_and(|mate| mate < self.bracket);
        let is_higher = is_inside && mate > Some(vertex);
        match wish {
            BracketQuestion::Paired => is_inside,
            BracketQuestion::NotHigher => !is_higher,
            BracketQuestion::Higher => is_higher,
            BracketQuestion::FirstPartner => unreachable!("a wish of many answers"),
        }
    }

    fn question_cost(&self, vertex: usize, mate: Option<usize>) -> W {
        let question = match self.question {
            Some((asked, wish)) if asked == vertex => match wish {
                BracketQuestion::FirstPartner => mate.unwrap_or(self.order),
                wish => usize::from(!self.is_granted(wish, vertex, mate)),
            },
            _ => 0,
        };
        W::doubled(0, 0, question)
    }
}

impl<W: Digits> EdgeCosts for BracketCosts<W> {
    type Weight = W;

    fn order(&self) -> usize {
        self.order
    }

    fn doubled(&self, u: usize, v: usize) -> Option<W> {
        let (u, v) = (u.min(v), u.max(v));
        let is_inside = v < self.bracket;
        let may = match (self.roles[u], self.roles[v]) {
            (BracketRole::Leaves | BracketRole::NotHigher, _) | (_, BracketRole::Leaves | BracketRole::Higher)
                if is_inside =>
            {
                false
            }
            (BracketRole::Paired | BracketRole::Higher, _) => is_inside,
            _ => true,
        };
        let base = self.edges[at(self.order, u, v)].filter(|_| may)?;
        let base = base + self.question_cost(u, Some(v)) + self.question_cost(v, Some(u));
        Some(match (u < self.bracket, is_inside) {
            (true, true) => base + self.higher[u] + self.lower[v],
            (true, false) => base + self.lower[u],
            _ => base,
        })
    }

    fn outside(&self, vertex: usize) -> Option<W> {
        let may = !matches!(self.roles[vertex], BracketRole::Paired | BracketRole::Higher);
        let price = self.outside[vertex].filter(|_| may)?;
        Some(price + self.lower[vertex] + self.question_cost(vertex, None))
    }
}

pub(super) struct Truth<W> {
    pub(super) least: W,
    /// For each vertex, its places in matchings of least cost: partners, ascending, and then outside.
    pub(super) outcomes: Vec<Vec<Option<usize>>>,
}

/// The least cost of each set of the vertices (a bit each), and from that the places that each may have. `None` if
/// there is no matching.
pub(super) fn brute_force<W: Digits>(costs: &BracketCosts<W>, live: &[usize]) -> Option<Truth<W>> {
    let size = live.len();
    let edge = |a: usize, b: usize| (a != b).then(|| costs.doubled(live[a], live[b])).flatten();
    let edges: Vec<Vec<Option<W>>> = (0..size).map(|a| (0..size).map(|b| edge(a, b)).collect()).collect();
    let alone: Vec<Option<W>> = live.iter().map(|&vertex| costs.outside(vertex)).collect();
    let mut least: Vec<Option<W>> = vec![None; 1 << size];
    least[0] = Some(W::ZERO);
    for set in 1..1_usize << size {
        let first = (0..size).find(|a| set >> a & 1 == 1).expect("the set is not empty");
        let rest = set ^ (1 << first);
        let mut best = alone[first].and_then(|price| Some(price + least[rest]?));
        for (b, cost) in edges[first].iter().enumerate().skip(first + 1) {
            if let Some(cost) = *cost
                && rest >> b & 1 == 1
                && let Some(others) = least[rest ^ (1 << b)]
            {
                best = Some(best.map_or(cost + others, |best| best.min(cost + others)));
            }
        }
        least[set] = best;
    }
    let everybody = (1 << size) - 1;
    let best = least[everybody]?;
    let mut outcomes = vec![Vec::new(); costs.order];
    for a in 0..size {
        let is_best =
            |cost: Option<W>, left: usize| cost.is_some_and(|cost| least[left].map(|l| l + cost) == Some(best));
        let others = everybody ^ (1 << a);
        let partners = (0..size).filter(|&b| b != a && is_best(edges[a][b], others ^ (1 << b)));
        outcomes[live[a]].extend(partners.map(|b| Some(live[b])));
        outcomes[live[a]].extend(is_best(alone[a], others).then_some(None));
    }
    Some(Truth { least: best, outcomes })
}
