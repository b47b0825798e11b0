//! Buchholz, Fore Buchholz, average of opponents' Buchholz (C.07 art. 8) and the cuts (art. 14).
//!
//! May not: rank anybody.

use super::criterion::{Code, Criterion, Score};
use super::dummy::dummy;
use super::results::{ResultsFormat, RoundFate};
use super::table::ScoreTable;
use super::term::{CutReason, Term};
use super::unplayed::TieBreakEdition;
use super::value::Value;
use crate::pairing::history::PairingNumber;

/// The opponent of a round whose score counts: one met over the board, and with `/P` and in a round robin also one of
/// a forfeited game ("forfeits count as regular games").
pub(super) fn faced(table: &ScoreTable<'_>, criterion: &Criterion, fate: RoundFate) -> Option<PairingNumber> {
    let forfeits_count = criterion.forfeits_played || table.results().format == ResultsFormat::RoundRobin;
    match fate {
        RoundFate::Played { opponent, .. } => Some(opponent),
        RoundFate::Forfeit { opponent, .. } if forfeits_count => opponent,
        _ => None,
    }
}

/// The opponent that a round counts as against, by score: a real one, or a dummy for an own unplayed round; `None` if
/// the round does not count.
pub(super) fn against(
    table: &ScoreTable<'_>,
    score: Score,
    criterion: &Criterion,
    player: PairingNumber,
    round: usize,
) -> Option<Term> {
    let fate = table.rounds(player)[round].fate;
    if let Some(opponent) = faced(table, criterion, fate) {
        return Some(Term::of_opponent(
            round,
            opponent,
            table.adjusted(score, opponent).into(),
        ));
    }
    let is_free_day = table.results().format == ResultsFormat::RoundRobin;
    if !fate.is_unplayed() || is_free_day {
        return None;
    }
    let (points, note) = dummy(table, score, player, round)?;
    Some(Term {
        note,
        voluntary: fate.is_voluntary(),
        ..Term::of_round(round, points.into())
    })
}

/// Marks the terms that the modifiers cut: "the lowest contribution … from 2024 that of a voluntary unplayed round
/// first, if there is one", then the highest.
pub(super) fn cut(terms: &mut [Term], criterion: &Criterion, edition: TieBreakEdition) {
    let voluntary_first = matches!(edition, TieBreakEdition::Of2024 | TieBreakEdition::Of2026);
    for _ in 0..criterion.lowest {
        let left = || (0..terms.len()).filter(|&index| terms[index].cut.is_none());
        let voluntary = left()
            .filter(|&index| voluntary_first && terms[index].voluntary)
            .min_by(|&one, &other| terms[one].amount.cmp(&terms[other].amount));
        let lowest = left().min_by(|&one, &other| terms[one].amount.cmp(&terms[other].amount));
        let (index, why) = match (voluntary, lowest) {
            (Some(index), _) => (index, CutReason::Voluntary),
            (None, Some(index)) => (index, CutReason::Lowest),
            (None, None) => return,
        };
        terms[index].cut = Some(why);
    }
    for _ in 0..criterion.highest {
        let left = (0..terms.len()).filter(|&index| terms[index].cut.is_none());
        let Some(index) = left.max_by(|&one, &other| terms[one].amount.cmp(&terms[other].amount)) else {
            return;
        };
        terms[index].cut = Some(CutReason::Highest);
    }
}

/// "The sum of the scores of the opponents", each as others see it (art. 8.1).
pub(super) fn buchholz(
    table: &ScoreTable<'_>,
    score: Score,
    criterion: &Criterion,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Value {
    terms.clear();
    let rounds = 0..table.rounds(player).len();
    terms.extend(rounds.filter_map(|round| against(table, score, criterion, player, round)));
    cut(terms, criterion, table.edition());
    Term::sum(terms)
}

/// Buchholz of all players.
fn buchholz_of_all<'a>(table: &'a ScoreTable<'_>, score: Score) -> &'a [Value] {
    table.of_all.buchholz.get_or_init(score, || {
        let criterion = Criterion::from(Code::Buchholz);
        let mut terms = Vec::new();
        let sum = |player| buchholz(table, score, &criterion, player, &mut terms);
        table.numbers().map(sum).collect()
    })
}

/// "The average of the Buchholz of the opponents met over the board" (art. 8.2); `None` without any.
pub(super) fn average_of_opponents(
    table: &ScoreTable<'_>,
    score: Score,
    criterion: &Criterion,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Option<Value> {
    terms.clear();
    let buchholz = if criterion.fore {
        buchholz_of_all(table.fore(), score)
    } else {
        buchholz_of_all(table, score)
    };
    for (index, round) in table.rounds(player).iter().enumerate() {
        let opponent = round.fate.played();
        terms.extend(opponent.map(|opponent| Term::of_opponent(index, opponent, buchholz[opponent.index()])));
    }
    let opponents = u32::try_from(terms.len()).expect("few rounds");
    (opponents > 0).then(|| Term::sum(terms).divided_by(opponents))
}
