//! Tie-breaks of US Chess, rule 34E (7th edition, as secondary sources quote it).
//!
//! May not: rank anybody.

use super::criterion::Score;
use super::results::{Fate, MatchResult};
use super::table::Table;
use super::term::{Cut, Note, Term};
use super::value::Value;
use crate::pairing::history::PairingNumber;
use crate::score::Points;

/// From so many rounds on two opponents are discarded where else one is.
const MANY_ROUNDS: usize = 9;

/// Adjusted score: "each of his unplayed games (bye, forfeit, withdrawn) counts as half a point".
pub(super) fn adjusted(table: &Table<'_>, player: PairingNumber) -> Points {
    let draw = table.results().worth.draw;
    let unplayed = table.rounds(player).iter().filter(|round| round.fate.is_unplayed());
    table.total(Score::Match, player) + unplayed.map(|round| draw - round.points).sum()
}

/// Solkoff: "the sum of the opponents' adjusted scores; an own unplayed round counts as an opponent with adjusted score 0".
pub(super) fn solkoff(table: &Table<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    terms.clear();
    let adjusted = table.us_adjusted();
    for (index, round) in table.rounds(player).iter().enumerate() {
        if let Some(opponent) = round.fate.played() {
            terms.push(Term::of_opponent(index, opponent, adjusted[opponent.index()].into()));
        } else if round.fate.is_unplayed() {
            terms.push(Term {
                note: Note::NoOpponent,
                ..Term::of_round(index, Value::ZERO)
            });
        }
    }
    Term::sum(terms)
}

/// How many are discarded where one or two are.
fn discarded(terms: &[Term]) -> usize {
    if terms.len() >= MANY_ROUNDS { 2 } else { 1 }
}

fn discard(terms: &mut [Term], lowest: usize, highest: usize) -> Value {
    for (count, why) in [(lowest, Cut::Lowest), (highest, Cut::Highest)] {
        for _ in 0..count {
            let left = (0..terms.len()).filter(|&index| terms[index].cut.is_none());
            let next = match why {
                Cut::Highest => left.max_by(|&one, &other| terms[one].amount.cmp(&terms[other].amount)),
                _ => left.min_by(|&one, &other| terms[one].amount.cmp(&terms[other].amount)),
            };
            if let Some(index) = next {
                terms[index].cut = Some(why);
            }
        }
    }
    Term::sum(terms)
}

/// Median: "Solkoff without the highest and the lowest; from nine rounds on two of each".
pub(super) fn median(table: &Table<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    solkoff(table, player, terms);
    let count = discarded(terms);
    discard(terms, count, count)
}

/// Modified Median: "discarding for an even score (exactly half of the maximum) the highest and the lowest opponent, for a
/// plus score only the lowest, for a minus score only the highest; nine rounds or more: two instead of one each time".
pub(super) fn modified_median(table: &Table<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    solkoff(table, player, terms);
    let count = discarded(terms);
    let rounds = i64::try_from(terms.len()).expect("few rounds");
    let half = table.results().worth.win.halved_times(rounds);
    match table.total(Score::Match, player).cmp(&half) {
        std::cmp::Ordering::Greater => discard(terms, count, 0),
        std::cmp::Ordering::Equal => discard(terms, count, count),
        std::cmp::Ordering::Less => discard(terms, 0, count),
    }
}

/// Cumulative: "sum of the running score after each round; less 1 for each unplayed win or full-point bye, less 0.5 for
/// each unplayed draw or half-point bye": what an unplayed round gave is taken off once.
pub(super) fn cumulative(table: &Table<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    terms.clear();
    let mut running = Points::ZERO;
    for (index, round) in table.rounds(player).iter().enumerate() {
        running += round.points;
        if matches!(round.fate, Fate::Annulled | Fate::Unfinished { .. }) {
            continue;
        }
        terms.push(Term::of_round(index, running.into()));
    }
    for (index, round) in table.rounds(player).iter().enumerate() {
        if round.fate.is_unplayed() && round.points != Points::ZERO {
            terms.push(Term {
                note: Note::UnplayedPoints,
                ..Term::of_round(index, (-round.points).into())
            });
        }
    }
    Term::sum(terms)
}

/// Cumulative of opposition: "the sum of the opponents' cumulative scores, their deductions made".
pub(super) fn cumulative_of_opposition(table: &Table<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    terms.clear();
    let cumulative = table.cumulative();
    for (index, round) in table.rounds(player).iter().enumerate() {
        let opponent = round.fate.played();
        terms.extend(opponent.map(|opponent| Term::of_opponent(index, opponent, cumulative[opponent.index()])));
    }
    Term::sum(terms)
}

/// Kashdan: "4 for a win, 2 for a draw, 1 for a loss, 0 for an unplayed game".
pub(super) fn kashdan(table: &Table<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    terms.clear();
    for (index, round) in table.rounds(player).iter().enumerate() {
        let Fate::Played { opponent, result, .. } = round.fate else {
            continue;
        };
        let points = match result {
            MatchResult::Won => 4,
            MatchResult::Drawn => 2,
            MatchResult::Lost => 1,
        };
        terms.push(Term::of_opponent(index, opponent, Value::whole(points)));
    }
    Term::sum(terms)
}
