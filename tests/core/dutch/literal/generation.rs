//! Candidates in the order in which the rules generate them, and the best of them.
//!
//! The order (articles 3 and 4; B and D of 2017). A bracket with moved-down players: S1 holds as many of them as can be
//! paired, the rest is in limbo; they meet residents by the transpositions of S2; then the remainder is paired like a
//! homogeneous bracket. First the remainder's transpositions and exchanges are exhausted, then the next transposition
//! of the MDP-pairing is tried, then the next exchange between S1 and limbo. The best candidate is taken, and the first
//! generated of those.
//!
//! Two things are skipped, and neither changes the outcome:
//! - a beginning of a candidate that is not better than the best complete one: what follows can only make it worse, and
//!   being as good is too late;
//! - a candidate in which somebody of S1 meets a higher ranked player of S2: turn every such pair round, and S1 has
//!   fewer new players, or lower ones went and higher ones came: the same pairs were generated earlier. (`tests`
//!   generates without this.)
//!
//! May not: judge candidates.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::bracket::Bracket;
use super::bracket::Worth;
use super::bracket::best_downfloaters;
use super::bracket::subsets;
use super::completion::Completion;
use super::completion::TooLarge;
use super::position::Position;
use super::position::Set;
use super::position::members;
use super::position::one;
use super::position::set_of;
use super::quality::quality;

/// A bracket's pairing.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The pairs, the higher ranked player first.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// Who is left over.
    pub(crate) downfloaters: Set,
    /// What [`quality`] says.
    pub(crate) quality: Worth,
}

/// What a search needs to know all along.
struct Search<'a> {
    position: &'a Position<'a>,
    completion: &'a Completion<'a>,
    bracket: &'a Bracket,
    /// The sets of downfloaters that are best by the criteria above [`quality`]'s.
    floaters: Vec<Set>,
    best: Option<Candidate>,
}

/// The bracket's pairing.
///
/// # Errors
/// [`TooLarge`].
///
/// # Panics
/// When the downfloaters' criteria promised a pairing that is not there.
pub(crate) fn best_candidate(
    position: &Position<'_>,
    completion: &Completion<'_>,
    bracket: &Bracket,
) -> Result<Candidate, TooLarge> {
    let mut search = Search {
        position,
        completion,
        bracket,
        floaters: best_downfloaters(position, completion, bracket)?,
        best: None,
    };
    search.run();
    completion.spend(0)?;
    Ok(search.best.expect("the others can all be paired"))
}

impl Search<'_> {
    fn run(&mut self) {
        // By C6 (C5 of 2017) all of these sets have as many players; by C7 (C6) as many of them moved down before. Only in
        // a collapsed bracket of 2017 C6 hangs on the pairs, so M1, "the maximum number of MDPs that can be paired (see
        // C.6)", comes out of C6 as well: each value that it may have is tried, the largest first.
        let mdps = set_of(&self.bracket.mdps);
        let max_pairs = (self.bracket.everybody().count_ones() - self.floaters[0].count_ones()) as usize / 2;
        let m1 = |floaters: &Set| (mdps & !floaters).count_ones() as usize;
        let values: BTreeSet<usize> = self.floaters.iter().map(m1).collect();
        for m1 in values.into_iter().rev() {
            for s1 in self.mdp_exchanges(m1) {
                let limbo = mdps & !set_of(&s1);
                if self.may_float(limbo) {
                    self.mdp_pairing(&s1, limbo, max_pairs, &mut Vec::new());
                }
            }
        }
    }

    /// 4.4 (D.3): all choices of S1 among the MDPs, the original one first: higher scores, then the lower numbers.
    fn mdp_exchanges(&self, m1: usize) -> Vec<Vec<usize>> {
        let mut choices: Vec<Vec<usize>> = subsets(&self.bracket.mdps, m1).into_iter().map(members).collect();
        choices.sort_by_key(|choice| mdp_exchange_key(self.position, choice));
        choices
    }

    /// 4.2 (D.1): S1 in order meets residents, by the lexicographic order of the residents' numbers.
    fn mdp_pairing(&mut self, s1: &[usize], limbo: Set, max_pairs: usize, pairs: &mut Vec<(usize, usize)>) {
        if !self.may_still_be_better(pairs) {
            return;
        }
        let used = pairs.iter().fold(0, |set, &(_, opponent)| set | one(opponent));
        let mut residents = self.bracket.residents.clone();
        residents.retain(|&resident| used & one(resident) == 0);
        let Some(&mdp) = s1.get(pairs.len()) else {
            self.remainder(&residents, limbo, max_pairs - s1.len(), pairs);
            return;
        };
        residents.retain(|&resident| self.position.may_meet[mdp] & one(resident) != 0);
        for resident in residents {
            pairs.push((mdp, resident));
            self.mdp_pairing(s1, limbo, max_pairs, pairs);
            pairs.pop();
        }
    }

    /// 3.6, 3.7 (B.6, B.7): a homogeneous bracket or a remainder: original S1 and S2, then exchange after exchange.
    fn remainder(&mut self, players: &[usize], limbo: Set, n1: usize, pairs: &mut Vec<(usize, usize)>) {
        let (s1, s2) = players.split_at(n1);
        for count in 0..=n1.min(s2.len()) {
            for (leaving, entering) in exchanges(players, n1, count) {
                if !self.may_still_be_better(pairs) {
                    return;
                }
                let new_s1 = set_of(s1) & !leaving | entering;
                let new_s2 = set_of(s2) & !entering | leaving;
                self.transpositions(&members(new_s1), new_s2, limbo, pairs);
            }
        }
    }

    /// 4.2 (D.1) in a homogeneous bracket or a remainder: whoever of S2 meets nobody floats down.
    fn transpositions(&mut self, s1: &[usize], s2: Set, limbo: Set, pairs: &mut Vec<(usize, usize)>) {
        if !self.may_still_be_better(pairs) {
            return;
        }
        let Some((&player, rest)) = s1.split_first() else {
            self.candidate(pairs, limbo | s2);
            return;
        };
        for opponent in members(s2 & self.position.may_meet[player]) {
            // Generated earlier, the other way round.
            if opponent < player {
                continue;
            }
            pairs.push((player, opponent));
            self.transpositions(rest, s2 & !one(opponent), limbo, pairs);
            pairs.pop();
        }
    }

    /// 3.8: better than all before, or not.
    fn candidate(&mut self, pairs: &[(usize, usize)], downfloaters: Set) {
        if !self.floaters.contains(&downfloaters) {
            return;
        }
        let quality = quality(self.position, self.completion, self.bracket, pairs, downfloaters);
        if self.best.as_ref().is_none_or(|best| quality < best.quality) {
            self.best = Some(Candidate {
                pairs: pairs.to_vec(),
                downfloaters,
                quality,
            });
        }
    }

    fn may_float(&self, limbo: Set) -> bool {
        self.floaters.iter().any(|floaters| floaters & limbo == limbo)
    }

    fn may_still_be_better(&self, pairs: &[(usize, usize)]) -> bool {
        let quality = || quality(self.position, self.completion, self.bracket, pairs, 0);
        self.completion.spend(1).is_ok() && self.best.as_ref().is_none_or(|best| quality() < best.quality)
    }
}

/// Less is an earlier choice of S1.
type MdpExchangeKey = (Reverse<usize>, Vec<Reverse<i64>>, Vec<usize>);

/// 4.4 (D.3): "the highest different score", then the lowest numbers. `s1` is in order.
fn mdp_exchange_key(position: &Position<'_>, s1: &[usize]) -> MdpExchangeKey {
    let scores = s1.iter().map(|&player| Reverse(position.score(player).units()));
    (Reverse(s1.len()), scores.collect(), s1.to_vec())
}

/// Less is an earlier exchange.
type ExchangeKey = (usize, usize, Vec<Reverse<usize>>, Vec<usize>);

/// 4.3 (D.2): fewest numbers; smallest difference of their sums; the highest leaving S1; the lowest entering it.
///
/// 4.1 (D): numbers are given in the bracket or remainder at hand, "1, 2, 3, …": a remainder numbers its players anew.
fn exchange_key(players: &[usize], leaving: Set, entering: Set) -> ExchangeKey {
    let numbers = |set| {
        (1..)
            .zip(players)
            .filter(move |&(_, &player)| set & one(player) != 0)
            .map(|(bsn, _)| bsn)
    };
    let mut highest_leaving: Vec<Reverse<usize>> = numbers(leaving).map(Reverse).collect();
    highest_leaving.sort_unstable();
    (
        numbers(entering).count(),
        numbers(entering).sum::<usize>() - numbers(leaving).sum::<usize>(),
        highest_leaving,
        numbers(entering).collect(),
    )
}

/// All exchanges of so many players between the original S1 (the first `n1`) and S2, in order: (leaving S1, entering it).
fn exchanges(players: &[usize], n1: usize, count: usize) -> Vec<(Set, Set)> {
    let (s1, s2) = players.split_at(n1);
    let entering = subsets(s2, count);
    let pair = |leaving: Set| entering.iter().map(move |&entering| (leaving, entering));
    let mut all: Vec<(Set, Set)> = subsets(s1, count).into_iter().flat_map(pair).collect();
    all.sort_by_cached_key(|&(leaving, entering)| exchange_key(players, leaving, entering));
    all
}

/// When a candidate is generated: less is earlier. For candidates of one bracket that leave over as many players and as
/// many moved-down ones; `pairs` name the higher ranked player first.
pub(crate) fn generation_key(
    position: &Position<'_>,
    bracket: &Bracket,
    pairs: &[(usize, usize)],
) -> impl Ord + std::fmt::Debug + use<> {
    let mdps = set_of(&bracket.mdps);
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    // Moved-down players stand before all residents.
    let of_mdps = pairs.partition_point(|&(higher, _)| mdps & one(higher) != 0);
    let (of_mdps, of_remainder) = pairs.split_at(of_mdps);
    let s1: Vec<usize> = of_mdps.iter().map(|&(mdp, _)| mdp).collect();
    let met: Vec<usize> = of_mdps.iter().map(|&(_, opponent)| opponent).collect();
    let mut remainder = bracket.residents.clone();
    remainder.retain(|player| !met.contains(player));
    let original_s1 = set_of(&remainder[..of_remainder.len()]);
    let new_s1 = of_remainder.iter().fold(0, |set, &(higher, _)| set | one(higher));
    let exchange = exchange_key(&remainder, original_s1 & !new_s1, new_s1 & !original_s1);
    let transposition: Vec<usize> = of_remainder.iter().map(|&(_, lower)| lower).collect();
    (mdp_exchange_key(position, &s1), met, exchange, transposition)
}
