//! Buchholz and Sonneborn-Berger of the Global Chess Challenge, in which byes add nothing and forfeited mini-matches were
//! decided.
//!
//! May not: rank anybody.

use super::criterion::Score;
use super::results::MatchResult;
use super::table::ScoreTable;
use super::term::Term;
use super::value::Value;
use crate::pairing::history::PairingNumber;
use crate::score::Points;

/// "Sum of the final match points of all opponents faced; a bye adds nothing."
///
/// An opponent is faced in every finished mini-match: one met again counts again, and one that forfeited every game
/// counts too, because the mini-match was decided. A mini-match that is still going on adds nothing yet. During the
/// event "final" means so far.
pub(super) fn buchholz(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    terms.clear();
    for (index, round) in table.rounds(player).iter().enumerate() {
        let opponent = round.fate.opponent();
        terms.extend(
            opponent.map(|opponent| Term::of_opponent(index, opponent, table.total(Score::Match, opponent).into())),
        );
    }
    Term::sum(terms)
}

/// "Σ opponent's match points × own match result (1 / 0.5 / 0)".
///
/// The result counts 1, ½ or 0 whatever `scoring.match` gives for it.
pub(super) fn sonneborn_berger(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    buchholz(table, player, terms);
    for term in terms.iter_mut() {
        let round = term.round.expect("of a round");
        let times = match table.rounds(player)[round].fate.result() {
            Some(MatchResult::Won) => Points::ONE,
            Some(MatchResult::Drawn) => Points::HALF,
            Some(MatchResult::Lost) | None => Points::ZERO,
        };
        (term.times, term.amount) = (Some(times), term.worth.times(times));
    }
    Term::sum(terms)
}
