//! Explains a round that is the best one by aims strictly in turn: for each player of a top half, the opponent that
//! ranks alone would give, and the aim against it.
//!
//! Each answer is computed: the pair is forced, and the best round that has it is compared with the pairing aim by aim.
//!
//! May not: know the aims of any one system; write sentences.

use crate::pairing::aims;
use crate::pairing::history::{History, Pair, PairingNumber, RoundPairing};
use crate::pairing::matching::{EdgeCosts, minimum_weight_perfect_matching};
use crate::pairing::meetings;
use crate::score::Points;

/// Why a round was paired as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AimsExplanation {
    /// The player who has the bye.
    pub bye: Option<PairingNumber>,
    /// True if that player has no right to it.
    pub again: bool,
    /// The score groups of those who were paired, the highest first.
    pub groups: Vec<(Points, Vec<PairingNumber>)>,
    /// The pairs in board order, with the opponents that their players were not given.
    pub pairs: Vec<(Pair, Vec<RuledOutOpponent>)>,
}

/// An opponent that was not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuledOutOpponent {
    /// The player.
    pub player: PairingNumber,
    /// The opponent by rank: top half against bottom half of the score group.
    pub opponent: PairingNumber,
    /// The aim that stood against it.
    pub by: Aim,
}

/// A reason against a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// An organizer forbids it, or forbids all that would be left.
    Forbidden,
    /// The two met in this round.
    Met(usize),
    /// The pairs of the round would have met more often, or less evenly: the sum of m² would be larger.
    Repeats,
    /// More players would have a colour too often in a row.
    ColorStreak,
    /// The sum of squared differences of points would be larger.
    Distance,
    /// Pairs would meet again sooner: the sum of the rounds in which they last met would be larger.
    LastMet,
    /// The sum of rank costs would be larger.
    RankCost,
    /// The list of pairs would come later in order.
    Order,
}

/// The data from which a round was paired.
pub(super) struct Grounds<'a, const AIMS: usize, C: EdgeCosts<Weight = i128>> {
    /// Those to be paired, called by their index in this list.
    pub(super) numbers: &'a [PairingNumber],
    /// Their points, and their ranks in the score group, from 1, with its size.
    pub(super) standings: Vec<aims::Standing>,
    /// All aims as one weight per pair.
    pub(super) weights: C,
    /// The cost of a pair by each aim.
    pub(super) costs: &'a dyn Fn(usize, usize) -> [i128; AIMS],
    /// The meaning of each of these aims.
    pub(super) aims: [Aim; AIMS],
}

/// The same costs without the pairs that would keep two players from meeting.
struct ForcedPairCosts<'a, C> {
    weights: &'a C,
    pair: [usize; 2],
}

impl<C: EdgeCosts> EdgeCosts for ForcedPairCosts<'_, C> {
    type Weight = C::Weight;

    fn order(&self) -> usize {
        self.weights.order()
    }

    fn doubled(&self, u: usize, v: usize) -> Option<C::Weight> {
        let may_stay = self.pair.contains(&u) == self.pair.contains(&v);
        may_stay.then(|| self.weights.doubled(u, v)).flatten()
    }

    fn outside(&self, vertex: usize) -> Option<C::Weight> {
        self.weights.outside(vertex)
    }
}

impl<const AIMS: usize, C: EdgeCosts<Weight = i128>> Grounds<'_, AIMS, C> {
    /// Explains the best round.
    pub(super) fn explain(&self, history: &History, pairing: &RoundPairing) -> AimsExplanation {
        let place = |number: PairingNumber| {
            let place = self.numbers.iter().position(|&other| other == number);
            place.expect("it is paired")
        };
        let taken: Vec<(usize, usize)> = pairing
            .pairs
            .iter()
            .map(|pair| (place(pair.white), place(pair.black)))
            .collect();
        let totals = self.totals(&taken);
        let explained = pairing.pairs.iter().zip(&taken).map(|(&pair, &(u, v))| {
            let not_given = |(player, mate): (usize, usize)| {
                let natural = self.opposite(player).filter(|&natural| natural != mate)?;
                let (one, other) = (self.numbers[player], self.numbers[natural]);
                let by = match meetings::met_in(history, one, other) {
                    Some(round) if !pair.repeat => Aim::Met(round),
                    _ => self.against(player, natural, totals),
                };
                Some(RuledOutOpponent {
                    player: one,
                    opponent: other,
                    by,
                })
            };
            (pair, [(u, v), (v, u)].into_iter().filter_map(not_given).collect())
        });
        AimsExplanation {
            bye: pairing.bye,
            again: !pairing.again.is_empty(),
            groups: self.groups(),
            pairs: explained.collect(),
        }
    }

    /// The score groups by rank, the highest first.
    fn groups(&self) -> Vec<(Points, Vec<PairingNumber>)> {
        let mut places: Vec<usize> = (0..self.numbers.len()).collect();
        places.sort_by_key(|&place| (std::cmp::Reverse(self.standings[place].0), self.standings[place].1));
        let groups = places.chunk_by(|&one, &other| self.standings[one].0 == self.standings[other].0);
        groups
            .map(|group| {
                let members = group.iter().map(|&place| self.numbers[place]);
                (self.standings[group[0]].0, members.collect())
            })
            .collect()
    }

    /// For a player in the top half of a score group, the one equally far down in the bottom half.
    fn opposite(&self, player: usize) -> Option<usize> {
        let (points, (rank, size)) = self.standings[player];
        let half = size / 2;
        let it = (points, (rank + half, size));
        (rank <= half).then(|| self.standings.iter().position(|&standing| standing == it))?
    }

    fn totals(&self, pairs: &[(usize, usize)]) -> [i128; AIMS] {
        let mut totals = [0; AIMS];
        for &(u, v) in pairs {
            for (total, cost) in totals.iter_mut().zip((self.costs)(u, v)) {
                *total += cost;
            }
        }
        totals
    }

    /// The reason against a pair: the first aim that the best round with it meets less well.
    fn against(&self, u: usize, v: usize, taken: [i128; AIMS]) -> Aim {
        let forced = ForcedPairCosts {
            weights: &self.weights,
            pair: [u, v],
        };
        let Ok(matching) = minimum_weight_perfect_matching(&forced) else {
            return Aim::Forbidden;
        };
        let pairs: Vec<(usize, usize)> = aims::couples(&matching.mate).collect();
        let best = self.totals(&pairs);
        let worse = (0..AIMS).find(|&aim| best[aim] != taken[aim]);
        worse.map_or(Aim::Order, |aim| self.aims[aim])
    }
}
