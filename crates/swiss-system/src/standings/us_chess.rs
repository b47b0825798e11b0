//! Tie-breaks of US Chess, rule 34E (7th edition, as secondary sources quote it).
//!
//! Double rounds: "every game counts for itself" if game points rank; then "a round is one opponent. In a round of g
//! games an unplayed round counts g/2 for an opponent's adjusted score, and a round of which some games were played
//! counts its points and ½ for each game not played; the maximum is g × rounds; Cumulative runs over the game points
//! after each round, less what each unplayed round gave." If match points rank, they are the points.
//!
//! May not: rank anybody.

use super::criterion::Score;
use super::results::{MatchResult, PlayerRound, RoundFate};
use super::table::ScoreTable;
use super::term::{CutReason, Note, Term};
use super::value::Value;
use crate::pairing::history::PairingNumber;
use crate::score::Points;

/// From this number of rounds on, two opponents are discarded instead of one.
const MANY_ROUNDS: usize = 9;

/// Adjusted score: "each of his unplayed games (bye, forfeit, withdrawn) counts as half a point".
fn adjusted(table: &ScoreTable<'_>, score: Score, player: PairingNumber) -> Points {
    let draw = score.worth(table.results()).draw;
    let adjustment = |round: &PlayerRound| {
        if round.fate.is_unplayed() {
            return draw - score.of_round(round);
        }
        match score {
            Score::Match => Points::ZERO,
            Score::Game => unplayed_games_as_draws(round, draw),
        }
    };
    table.total(score, player) + table.rounds(player).iter().map(adjustment).sum()
}

/// Adjusted scores of all players.
fn adjusted_of_all<'a>(table: &'a ScoreTable<'_>, score: Score) -> &'a [Points] {
    let adjusted = |player| adjusted(table, score, player);
    let once = &table.of_all.us_adjusted;
    once.get_or_init(score, || table.numbers().map(adjusted).collect())
}

/// The points that a played round gains if those of its games that were not played count as draws; `draw` is the
/// worth of all games drawn.
fn unplayed_games_as_draws(round: &PlayerRound, draw: Points) -> Points {
    let games = round.games;
    let unplayed = games.forfeits_won + games.forfeits_lost;
    let of = |games: u32| Points::whole(games.into());
    if unplayed == 0 {
        return Points::ZERO;
    }
    let (as_draws, _) = draw.in_proportion(of(unplayed), of(unplayed + games.played()));
    as_draws - games.forfeit_points
}

/// Solkoff: "the sum of the opponents' adjusted scores; an own unplayed round counts as an opponent with adjusted score 0".
pub(super) fn solkoff(table: &ScoreTable<'_>, score: Score, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    terms.clear();
    let adjusted = adjusted_of_all(table, score);
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

/// The number to discard: one or two.
fn discarded(terms: &[Term]) -> usize {
    if terms.len() >= MANY_ROUNDS { 2 } else { 1 }
}

fn discard(terms: &mut [Term], lowest: usize, highest: usize) -> Value {
    for (count, why) in [(lowest, CutReason::Lowest), (highest, CutReason::Highest)] {
        for _ in 0..count {
            let left = (0..terms.len()).filter(|&index| terms[index].cut.is_none());
            let next = match why {
                CutReason::Highest => left.max_by(|&one, &other| terms[one].amount.cmp(&terms[other].amount)),
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
pub(super) fn median(table: &ScoreTable<'_>, score: Score, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    solkoff(table, score, player, terms);
    let count = discarded(terms);
    discard(terms, count, count)
}

/// Modified Median: "discarding for an even score (exactly half of the maximum) the highest and the lowest opponent, for a
/// plus score only the lowest, for a minus score only the highest; nine rounds or more: two instead of one each time".
pub(super) fn modified_median(
    table: &ScoreTable<'_>,
    score: Score,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Value {
    solkoff(table, score, player, terms);
    let count = discarded(terms);
    let rounds = i64::try_from(terms.len()).expect("few rounds");
    let half = score.worth(table.results()).win.halved_times(rounds);
    match table.total(score, player).cmp(&half) {
        std::cmp::Ordering::Greater => discard(terms, count, 0),
        std::cmp::Ordering::Equal => discard(terms, count, count),
        std::cmp::Ordering::Less => discard(terms, 0, count),
    }
}

/// Cumulative: "sum of the running score after each round; less 1 for each unplayed win or full-point bye, less 0.5
/// for each unplayed draw or half-point bye": the points of an unplayed round are subtracted once.
pub(super) fn cumulative(table: &ScoreTable<'_>, score: Score, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    terms.clear();
    let mut running = Points::ZERO;
    for (index, round) in table.rounds(player).iter().enumerate() {
        running += score.of_round(round);
        if !round.fate.is_round() || matches!(round.fate, RoundFate::Unfinished { .. }) {
            continue;
        }
        terms.push(Term::of_round(index, running.into()));
    }
    for (index, round) in table.rounds(player).iter().enumerate() {
        let points = score.of_round(round);
        if round.fate.is_unplayed() && points != Points::ZERO {
            terms.push(Term {
                note: Note::UnplayedPoints,
                ..Term::of_round(index, (-points).into())
            });
        }
    }
    Term::sum(terms)
}

/// Cumulative scores of all players.
fn cumulative_of_all<'a>(table: &'a ScoreTable<'_>, score: Score) -> &'a [Value] {
    table.of_all.cumulative.get_or_init(score, || {
        let mut terms = Vec::new();
        let cumulative = |player| cumulative(table, score, player, &mut terms);
        table.numbers().map(cumulative).collect()
    })
}

/// Cumulative of opposition: "the sum of the opponents' cumulative scores, their deductions made".
pub(super) fn cumulative_of_opposition(
    table: &ScoreTable<'_>,
    score: Score,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Value {
    terms.clear();
    let cumulative = cumulative_of_all(table, score);
    for (index, round) in table.rounds(player).iter().enumerate() {
        let opponent = round.fate.played();
        terms.extend(opponent.map(|opponent| Term::of_opponent(index, opponent, cumulative[opponent.index()])));
    }
    Term::sum(terms)
}

/// Kashdan: "4 for a win, 2 for a draw, 1 for a loss, 0 for an unplayed game".
pub(super) fn kashdan(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    terms.clear();
    for (index, round) in table.rounds(player).iter().enumerate() {
        let RoundFate::Played { opponent, result, .. } = round.fate else {
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
