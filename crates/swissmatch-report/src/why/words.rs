//! Words for rounds, terms and sums.
//!
//! May not: compute a tie-break.

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;
use swiss_system::standings::criterion::{Code, Criterion, Score};
use swiss_system::standings::results::{Bye, MatchResult, Results, RoundFate};
use swiss_system::standings::term::{Note, Term};
use swiss_system::standings::unplayed::TieBreakEdition;
use swiss_system::standings::value::Value;

use super::super::explain::Names;

/// The meaning of a criterion under an edition, with its modifiers.
pub(crate) fn meaning(criterion: &Criterion, edition: TieBreakEdition) -> String {
    let mut meaning = match (criterion.code, edition) {
        // "A bye is not counted as a win; a forfeit win counts as one" (Immortal Game).
        (Code::Wins, TieBreakEdition::PlayedOnly) => {
            "rounds with the points of a win, by forfeit too, but without byes"
        }
        (code, _) => code.meaning(),
    }
    .to_owned();
    match criterion.score {
        Some(Score::Match) => meaning += ", by match points",
        Some(Score::Game) => meaning += ", by game points",
        None => {}
    }
    match (criterion.code, criterion.lowest, criterion.highest) {
        (_, 0, _) => {}
        (Code::Progressive, ..) => meaning += ", without round 1",
        (_, 1, 0) => meaning += ", without the lowest",
        (_, lowest, 0) => meaning += &format!(", without the lowest {lowest}"),
        (_, 1, _) => meaning += ", without the lowest and the highest",
        (_, lowest, highest) => meaning += &format!(", without the lowest {lowest} and the highest {highest}"),
    }
    if criterion.limit != 0 {
        let moved = Points::halves(criterion.limit.into());
        meaning += &format!(", the limit moved by {moved} of a point");
    }
    for (is_set, words) in [
        (criterion.forfeits_played, ", forfeits counted as played"),
        (criterion.fore, ", with the games of the last round as draws"),
        (criterion.reversed, ", the other way round"),
    ] {
        if is_set {
            meaning += words;
        }
    }
    meaning
}

/// Whether a criterion differs between editions.
pub(super) const fn depends_on_edition(code: Code) -> bool {
    matches!(
        code,
        Code::Buchholz
            | Code::ForeBuchholz
            | Code::AverageOfOpponentsBuchholz
            | Code::SonnebornBerger
            | Code::Emmsb
            | Code::Emgsb
            | Code::Egmsb
            | Code::Eggsb
    )
}

/// A player's fate in a round.
pub(super) fn fate(results: &Results, player: PairingNumber, round: usize, name: Names<'_>) -> String {
    let rounds = |player: PairingNumber| &results.players[player.index()].rounds;
    let own = &rounds(player)[round];
    // A mini-match shows its game points.
    let score = |opponent: PairingNumber| match rounds(opponent).get(round) {
        Some(theirs) if results.worth != results.game_worth => {
            format!(" {} – {}", own.game_points, theirs.game_points)
        }
        _ => String::new(),
    };
    let said = match own.fate {
        RoundFate::Played { opponent, result, .. } => {
            let verb = match result {
                MatchResult::Won => "beat",
                MatchResult::Drawn => "drew with",
                MatchResult::Lost => "lost to",
            };
            format!("{verb} {}{}", name(opponent), score(opponent))
        }
        RoundFate::Unfinished { opponent, .. } => format!("still playing {}{}", name(opponent), score(opponent)),
        RoundFate::Forfeit { opponent, result } => {
            let who = opponent.map_or_else(|| "an opponent without a name".to_owned(), name);
            let theirs = opponent.and_then(|opponent| rounds(opponent).get(round));
            let both_lost = theirs.is_some_and(|theirs| theirs.fate.is_forfeit(MatchResult::Lost));
            match result {
                MatchResult::Won => format!("won by forfeit against {who}"),
                MatchResult::Drawn => format!("forfeited as much as {who} did"),
                MatchResult::Lost if both_lost => format!("forfeited, and so did {who}"),
                MatchResult::Lost => format!("lost by forfeit against {who}"),
            }
        }
        RoundFate::Bye(_) if own.sat_out => "left over without a right to the bye".to_owned(),
        RoundFate::Bye(Bye::PairingAllocated) => "pairing-allocated bye".to_owned(),
        RoundFate::Bye(Bye::FullPoint) => "full-point bye".to_owned(),
        RoundFate::Bye(Bye::HalfPoint) => "half-point bye".to_owned(),
        RoundFate::Bye(Bye::ZeroPoint) => "not paired".to_owned(),
        RoundFate::Free => "free".to_owned(),
        RoundFate::Annulled => "annulled".to_owned(),
    };
    let met_before = own.fate.paired().is_some_and(|opponent| {
        let earlier = rounds(player)[..round].iter();
        earlier.into_iter().any(|round| round.fate.paired() == Some(opponent))
    });
    if met_before { said + " (again)" } else { said }
}

/// The amount that a term adds.
pub(super) fn amount(criterion: &Criterion, term: &Term) -> String {
    match (criterion.code, term.times, term.note) {
        (Code::PerfectPerformance, _, Note::None) => format!("rated {}: {} expected", term.worth, term.amount),
        (_, _, Note::RatingDifference(_)) if term.amount < Value::ZERO => term.amount.to_string(),
        (_, _, Note::RatingDifference(_)) => format!("+{}", term.amount),
        (_, Some(times), _) => format!("{} × {times} = {}", term.worth, term.amount),
        (_, None, _) => term.amount.to_string(),
    }
}

/// A remark on a term that is special, for a player with these points.
pub(super) fn note(term: &Term, own: Points, rounds: usize) -> Option<String> {
    Some(match term.note {
        Note::None => return None,
        Note::Dummy => format!("dummy with the player's own score, {own}"),
        Note::DummyCappedByOpponent => format!(
            "dummy with the player's own score, {own}, but at most that of the scheduled opponent, {}",
            term.worth
        ),
        Note::DummyCappedByDraws => format!(
            "dummy with the player's own score, {own}, but at most {}, a draw for each of {}",
            term.worth,
            count::of(rounds, "round", "rounds")
        ),
        Note::VirtualOpponent => "virtual opponent".to_owned(),
        Note::Bonus => "points that no round gave: bonus or penalty".to_owned(),
        Note::NoOpponent => "no opponent: counts as one with no points".to_owned(),
        Note::UnplayedPoints => "taken off once, because it was not played".to_owned(),
        Note::RatingDifference(percent) => format!("rating difference for {percent} %"),
        Note::NothingScored => "nothing scored: 800 below the lowest-rated opponent".to_owned(),
    })
}

/// How the terms make the value; `None` if that is plain.
pub(super) fn term_sum(criterion: &Criterion, terms: &[Term], value: Option<Value>) -> Option<String> {
    let counted = terms.iter().filter(|term| term.cut.is_none()).count();
    let value = value?;
    match criterion.code {
        _ if terms.is_empty() => None,
        Code::AverageOfOpponentsBuchholz
        | Code::AverageRating
        | Code::AveragePerformance
        | Code::AveragePerfectPerformance => Some(format!("mean of {counted}: {value}")),
        Code::Performance => Some(format!("mean of the ratings, and the difference: {value}")),
        Code::PerfectPerformance if terms.iter().all(|term| term.note == Note::None) => Some(format!(
            "the lowest rating for which no less was to be expected than was scored: {value}"
        )),
        _ if counted > 1 || counted < terms.len() => Some(format!("sum: {value}")),
        _ => None,
    }
}
