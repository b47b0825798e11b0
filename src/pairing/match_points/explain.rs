//! Why a pairing by match points is what it is: for each player of a top half the opponent that the aims would give if
//! nobody had met before, and the aim that stands against it.
//!
//! Each answer is computed: the pair is forced, and the best round that has it is compared with the pairing aim by aim.
//!
//! May not: write sentences.

use crate::pairing::boards;
use crate::pairing::bye;
use crate::pairing::history::{History, Pair, PairingNumber};
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
            let by = match boards::met_in(history, one, other) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::bye::ByeCriterion;
    use crate::pairing::history::{Encounter, FirstColor, PastPlayer};

    /// Players with these whole points, of whom these pairs have met, one round each.
    fn history(points: &[i64], met: &[(u32, u32)]) -> History {
        let players = points.iter().zip(0..).map(|(&points, submission)| PastPlayer {
            points: Points::whole(points),
            present: true,
            submission,
            ..PastPlayer::default()
        });
        let mut history = History {
            players: players.collect(),
            forbidden: Vec::new(),
        };
        for &(white, black) in met {
            for player in &mut history.players {
                player.rounds.push(Encounter::Absent.worth(Points::ZERO));
            }
            for (own, other, color) in [(white, black, FirstColor::White), (black, white, FirstColor::Black)] {
                let opponent = PairingNumber(other);
                let last = history.players[own as usize - 1].rounds.last_mut();
                *last.expect("a round") = Encounter::Met { opponent, color }.worth(Points::ZERO);
            }
        }
        history
    }

    fn check(history: &History, expected: &[(u32, u32, Aim)]) {
        let rules = Rules {
            bye_order: vec![ByeCriterion::EarliestSubmission],
        };
        let explained = explain(history, &rules).expect("somebody is present");
        assert_eq!(
            explained.pairs.iter().map(|(pair, _)| *pair).collect::<Vec<_>>(),
            pair(history, &rules).expect("paired").pairs
        );
        let found = explained.pairs.iter().flat_map(|(_, ruled_out)| ruled_out);
        let mut found: Vec<_> = found.map(|what| (what.player.0, what.opponent.0, what.by)).collect();
        found.sort_by_key(|&(player, opponent, _)| (player, opponent));
        assert_eq!(found, expected);
    }

    #[test]
    fn nothing_to_explain_where_top_halves_meet_bottom_halves() {
        check(&history(&[0; 4], &[]), &[]);
        check(&history(&[1, 1, 0, 0], &[]), &[]);
    }

    #[test]
    fn who_met_does_not_meet() {
        check(
            &history(&[0; 4], &[(1, 3), (2, 4)]),
            &[(1, 3, Aim::Met(1)), (2, 4, Aim::Met(2))],
        );
        // 2 and 4 could meet, but then 1 and 3 would meet again.
        check(
            &history(&[0; 4], &[(1, 3)]),
            &[(1, 3, Aim::Met(1)), (2, 4, Aim::Repeats)],
        );
    }

    #[test]
    fn a_forbidden_pair_is_said_to_be_one() {
        let mut history = history(&[0; 4], &[]);
        history.forbidden.push((PairingNumber(1), PairingNumber(3)));
        check(&history, &[(1, 3, Aim::Forbidden), (2, 4, Aim::Forbidden)]);
    }
}
