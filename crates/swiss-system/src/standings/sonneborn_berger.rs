//! Sonneborn-Berger (C.07 art. 9), also with match and game points.
//!
//! May not: rank anybody.

use std::cmp::Ordering;

use super::buchholz::against;
use super::criterion::{Criterion, Score};
use super::table::ScoreTable;
use super::term::{CutReason, Term};
use super::unplayed::TieBreakEdition;
use super::value::Value;
use crate::pairing::history::PairingNumber;

/// "The sum of the scores of the opponents, each multiplied with the points scored against him": `theirs` is the kind
/// of the opponents' scores, `own` that of the points.
///
/// Under the text of 2022 an own unplayed round gives half of its virtual opponent's score, whatever it scored (the
/// custom of the time, with which the printed tables agree).
pub(super) fn sonneborn_berger(
    table: &ScoreTable<'_>,
    (theirs, own): (Score, Score),
    criterion: &Criterion,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Value {
    terms.clear();
    for (index, round) in table.rounds(player).iter().enumerate() {
        let Some(term) = against(table, theirs, criterion, player, index) else {
            continue;
        };
        let points = match (table.edition(), term.opponent) {
            (TieBreakEdition::Of2022, None) => own.worth(table.results()).draw,
            _ => own.of_round(round),
        };
        terms.push(Term {
            times: Some(points),
            amount: term.worth.times(points),
            ..term
        });
    }
    for _ in 0..criterion.lowest {
        cut_lowest(terms, table.edition());
    }
    for _ in 0..criterion.highest {
        let left = (0..terms.len()).filter(|&index| terms[index].cut.is_none());
        if let Some(index) = left.max_by(|&one, &other| by_score(&terms[one], &terms[other])) {
            terms[index].cut = Some(CutReason::Highest);
        }
    }
    Term::sum(terms)
}

fn by_score(one: &Term, other: &Term) -> Ordering {
    one.worth.cmp(&other.worth).then_with(|| one.amount.cmp(&other.amount))
}

/// "The contribution of the opponent with the lowest score is cut; of several such the lowest." Since 2023, if there
/// are voluntary unplayed rounds: "the lowest contribution coming from such rounds …, as long as such contribution is
/// not lower than the least significant value" (art. 16.5.1), so the larger of the two.
fn cut_lowest(terms: &mut [Term], edition: TieBreakEdition) {
    let left = || (0..terms.len()).filter(|&index| terms[index].cut.is_none());
    let lowest = left()
        .min_by(|&one, &other| by_score(&terms[one], &terms[other]))
        .map(|index| (index, CutReason::Lowest));
    let voluntary = match edition {
        TieBreakEdition::Of2024 | TieBreakEdition::Of2026 => left()
            .filter(|&index| terms[index].voluntary)
            .min_by(|&one, &other| by_contribution(&terms[one], &terms[other]))
            .map(|index| (index, CutReason::Voluntary)),
        TieBreakEdition::Of2022 | TieBreakEdition::PlayedOnly => None,
    };
    let larger = lowest
        .into_iter()
        .chain(voluntary)
        .max_by_key(|&(index, _)| terms[index].amount);
    if let Some((index, why)) = larger {
        terms[index].cut = Some(why);
    }
}

fn by_contribution(one: &Term, other: &Term) -> Ordering {
    one.amount.cmp(&other.amount).then_with(|| one.worth.cmp(&other.worth))
}
