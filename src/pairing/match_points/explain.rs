//! Why a pairing by match points is what it is: for each player of a top half the opponent that the aims would give if
//! nobody had met before, and the aim that stands against it.
//!
//! Each answer is computed: the pair is forced, and the best round that has it is compared with the pairing aim by aim.
//!
//! May not: write sentences.

use crate::pairing::bye;
use crate::pairing::history::{Encounter, History, Pair, PairingNumber};
use crate::pairing::infeasible::Infeasible;
use crate::pairing::match_points::{Aims, Rules, pair};
use crate::pairing::matching::{Graph, minimum_weight_perfect_matching};
use crate::score::Points;

/// Why a round was paired as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Who has the bye.
    pub bye: Option<PairingNumber>,
    /// The score groups of those who were paired, the highest first.
    pub groups: Vec<(Points, Vec<PairingNumber>)>,
    /// The pairs in board order, and what each player of theirs was not given.
    pub pairs: Vec<(Pair, Vec<RuledOut>)>,
    /// How well the aims are met.
    pub totals: Totals,
}

/// The aims of a whole round, in order: each the less the better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Totals {
    /// Pairs who meet again.
    pub repeats: usize,
    /// Sum of the squared differences of match points, in squared units of points.
    pub distance: i128,
    /// Sum of rank costs, four times over.
    pub rank_cost: i128,
}

/// An opponent that was not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuledOut {
    /// The player.
    pub player: PairingNumber,
    /// The opponent by rank: top half against bottom half of the score group.
    pub opponent: PairingNumber,
    /// What stood against it.
    pub by: Aim,
}

/// What stands against a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// An organizer forbids it, or forbids all that would be left.
    Forbidden,
    /// The two met in this round.
    Met(usize),
    /// Others would have to meet again.
    Repeats,
    /// The sum of squared differences of match points would be larger.
    Distance,
    /// The sum of rank costs would be larger.
    RankCost,
    /// The list of pairs would come later in order.
    Order,
}

/// Explains the pairing of the coming round.
///
/// # Errors
/// As [`pair`].
///
/// # Panics
/// Never: what was paired once is paired again.
pub fn explain(history: &History, rules: &Rules) -> Result<Explanation, Infeasible> {
    let pairing = pair(history, rules)?;
    let bye = bye::choose(history, &rules.bye_order);
    let present = history.numbers().filter(|&number| history.player(number).present);
    let field: Vec<PairingNumber> = present.filter(|&number| Some(number) != bye).collect();
    let aims = Aims::new(history, &field);
    let place = |number: PairingNumber| field.iter().position(|&other| other == number).expect("it is paired");
    let taken: Vec<(usize, usize)> = pairing
        .pairs
        .iter()
        .map(|pair| (place(pair.white), place(pair.black)))
        .collect();
    let totals = aims.totals(&taken);
    let mut pairs = Vec::new();
    for (&pair, &(u, v)) in pairing.pairs.iter().zip(&taken) {
        let mut ruled_out = Vec::new();
        for (player, mate) in [(u, v), (v, u)] {
            let Some(natural) = aims.opposite(player).filter(|&natural| natural != mate) else {
                continue;
            };
            let (one, other) = (field[player], field[natural]);
            let by = match met_in(history, one, other) {
                Some(round) if !pair.repeat => Aim::Met(round),
                _ => aims.against(player, natural, totals)?,
            };
            ruled_out.push(RuledOut {
                player: one,
                opponent: other,
                by,
            });
        }
        pairs.push((pair, ruled_out));
    }
    let mut groups: Vec<(Points, Vec<PairingNumber>)> = Vec::new();
    for &number in &field {
        let points = history.player(number).points;
        match groups.iter_mut().find(|(score, _)| *score == points) {
            Some((_, members)) => members.push(number),
            None => groups.push((points, vec![number])),
        }
    }
    groups.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
    Ok(Explanation {
        bye,
        groups,
        pairs,
        totals,
    })
}

fn met_in(history: &History, one: PairingNumber, other: PairingNumber) -> Option<usize> {
    let met = |encounter: Encounter| matches!(encounter, Encounter::Met { opponent, .. } if opponent == other);
    let mut rounds = (1..).zip(&history.player(one).rounds);
    rounds.find(|(_, round)| met(round.encounter)).map(|(round, _)| round)
}

impl Aims {
    /// For a player in the top half of a score group, the one as far down in the bottom half.
    fn opposite(&self, player: usize) -> Option<usize> {
        let (rank, size) = self.ranks[player];
        let half = size / 2;
        let is_it = |other: &usize| self.points[*other] == self.points[player] && self.ranks[*other].0 == rank + half;
        (rank <= half).then(|| (0..self.points.len()).find(is_it))?
    }

    fn totals(&self, pairs: &[(usize, usize)]) -> Totals {
        pairs.iter().fold(Totals::default(), |totals, &(u, v)| Totals {
            repeats: totals.repeats + usize::from(self.met(u, v)),
            distance: totals.distance + i128::from((self.points[u] - self.points[v]).units()).pow(2),
            rank_cost: totals.rank_cost + self.rank_cost(u, v),
        })
    }

    /// What stands against a pair: the first aim that the best round with it meets less well.
    fn against(&self, u: usize, v: usize, taken: Totals) -> Result<Aim, Infeasible> {
        let whole = self.graph()?;
        let order = self.points.len();
        let forced = Graph::new(order, |a, b| {
            let touched = [u, v].map(|end| a == end || b == end);
            let is_it = touched == [true, true];
            (is_it || touched == [false, false])
                .then(|| whole.weight(a, b))
                .flatten()
        });
        let Ok(matching) = minimum_weight_perfect_matching(&forced) else {
            return Ok(Aim::Forbidden);
        };
        let pairs: Vec<(usize, usize)> = (0..order)
            .map(|a| (a, matching.mate[a]))
            .filter(|(a, b)| a < b)
            .collect();
        let best = self.totals(&pairs);
        Ok(if best.repeats > taken.repeats {
            Aim::Repeats
        } else if best.distance > taken.distance {
            Aim::Distance
        } else if best.rank_cost > taken.rank_cost {
            Aim::RankCost
        } else {
            Aim::Order
        })
    }
}
