//! Tie-breaks that count or add up a player's own results: C.07 art. 7, progressive scores, standard points, Koya.
//!
//! May not: rank anybody.

use super::criterion::{Criterion, Score};
use super::results::{Bye, MatchResult, PlayerRound, RoundFate};
use super::table::ScoreTable;
use super::term::{CutReason, Term};
use super::unplayed::{BlackWins, TieBreakEdition};
use super::value::Value;
use crate::pairing::history::PairingNumber;
use crate::score::Points;

/// A sum over the rounds of a player.
fn over_rounds(
    table: &ScoreTable<'_>,
    player: PairingNumber,
    terms: &mut Vec<Term>,
    amount: impl Fn(usize, &PlayerRound) -> Option<Value>,
) -> Value {
    terms.clear();
    for (index, round) in table.rounds(player).iter().enumerate() {
        let amount = amount(index, round).filter(|&amount| amount != Value::ZERO);
        terms.extend(amount.map(|amount| Term {
            opponent: round.fate.opponent(),
            ..Term::of_round(index, amount)
        }));
    }
    Term::sum(terms)
}

/// Number of wins: "rounds in which a participant obtains, with or without playing, as many points as awarded for a
/// win" (art. 7.1); in mini-matches the points are match points, even if game points rank. Under `played-only` "a bye
/// is not counted as a win; a forfeit win counts as one" (Immortal Game).
pub(super) fn wins(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    let win = table.results().worth.win;
    over_rounds(table, player, terms, |_, round| {
        let is_won = match (table.edition(), round.fate) {
            (_, RoundFate::Unfinished { .. } | RoundFate::Free | RoundFate::Annulled) => false,
            (TieBreakEdition::PlayedOnly, RoundFate::Bye(_)) => false,
            _ => round.points >= win,
        };
        is_won.then_some(Value::whole(1))
    })
}

/// Number of games won: "won over the board" (art. 7.2); in mini-matches, the mini-matches won that have a played
/// game.
pub(super) fn wins_over_the_board(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    over_rounds(table, player, terms, |_, round| {
        let won = matches!(
            round.fate,
            RoundFate::Played {
                result: MatchResult::Won,
                ..
            }
        );
        won.then_some(Value::whole(1))
    })
}

/// Number of games played with Black (art. 7.3), over the board; in mini-matches each game counts.
pub(super) fn black_games(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    over_rounds(table, player, terms, |_, round| {
        Some(Value::whole(round.games.black.played().into()))
    })
}

/// Number of games won with Black (art. 7.4), over the board or with those won by forfeit; in mini-matches each game counts.
pub(super) fn black_wins(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    over_rounds(table, player, terms, |_, round| {
        let by_forfeit = match table.black_wins() {
            BlackWins::OverTheBoard => 0,
            BlackWins::WithForfeits => round.games.forfeits_won_with_black,
        };
        Some(Value::whole((round.games.black.won + by_forfeit).into()))
    })
}

/// Rounds one elected to play: "the rounds minus half-point byes, zero-point byes and forfeit losses" (art. 7.6).
pub(super) fn rounds_elected(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    over_rounds(table, player, terms, |_, round| {
        let elected = match round.fate {
            RoundFate::Played { .. } => true,
            RoundFate::Forfeit { result, .. } => result != MatchResult::Lost,
            RoundFate::Bye(bye) => matches!(bye, Bye::PairingAllocated | Bye::FullPoint),
            RoundFate::Unfinished { .. } | RoundFate::Free | RoundFate::Annulled => false,
        };
        elected.then_some(Value::whole(1))
    })
}

/// Sum of progressive scores: "the score after each round" (art. 7.5); `/C1` without that of round 1.
pub(super) fn progressive(
    table: &ScoreTable<'_>,
    score: Score,
    criterion: &Criterion,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Value {
    terms.clear();
    let mut running = Points::ZERO;
    for (index, round) in table.rounds(player).iter().enumerate() {
        running += score.of_round(round);
        if !round.fate.is_round() || matches!(round.fate, RoundFate::Unfinished { .. }) {
            continue;
        }
        terms.push(Term {
            cut: (index < usize::from(criterion.lowest)).then_some(CutReason::FirstRound),
            ..Term::of_round(index, running.into())
        });
    }
    Term::sum(terms)
}

/// Standard points (2026): "1 point for each round with a higher score than the scheduled opponent, or, without one, more
/// than a draw; 1/2 for as many". A game that both forfeited gives nothing.
pub(super) fn standard_points(
    table: &ScoreTable<'_>,
    score: Score,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Value {
    let draw = score.worth(table.results()).draw;
    over_rounds(table, player, terms, |index, round| {
        let own = score.of_round(round);
        let (other, both_forfeited) = match round.fate {
            RoundFate::Unfinished { .. } | RoundFate::Free | RoundFate::Annulled => return None,
            fate => match fate.opponent() {
                Some(opponent) => {
                    let theirs = table.rounds(opponent).get(index)?;
                    let lost = |fate: RoundFate| fate.is_forfeit(MatchResult::Lost);
                    (score.of_round(theirs), lost(fate) && lost(theirs.fate))
                }
                None => (draw, false),
            },
        };
        match own.cmp(&other) {
            _ if both_forfeited => None,
            std::cmp::Ordering::Greater => Some(Value::whole(1)),
            std::cmp::Ordering::Equal => Some(Points::HALF.into()),
            std::cmp::Ordering::Less => None,
        }
    })
}

/// Koya (art. 9.2): "points against opponents who have scored at least half of the maximum"; `/L` moves that limit by
/// half points. For round robins, in which forfeits count as games.
pub(super) fn koya(
    table: &ScoreTable<'_>,
    score: Score,
    criterion: &Criterion,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Value {
    let results = table.results();
    // In a round robin of an odd number of players, everybody rests once per cycle; some files give byes for it.
    let own = &results.players[player.index()];
    let (paired, players) = (own.rounds.len(), results.players.len());
    let rests = if players % 2 == 1 { paired / players } else { 0 };
    let free = own.rounds.iter().filter(|round| round.fate == RoundFate::Free).count();
    let games = own.counted_rounds(0).saturating_sub(rests.saturating_sub(free));
    let games = i64::try_from(games).expect("few rounds");
    let limit = score.worth(results).win.halved_times(games) + Points::halves(criterion.limit.into());
    over_rounds(table, player, terms, |_, round| {
        let opponent = round.fate.opponent()?;
        (table.total(score, opponent) >= limit).then(|| score.of_round(round).into())
    })
}

/// Byes.
pub(super) fn byes(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    over_rounds(table, player, terms, |_, round| {
        round.is_bye().then_some(Value::whole(1))
    })
}

/// Games that ended by the player's own fault.
pub(super) fn faults(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    over_rounds(table, player, terms, |_, round| {
        Some(Value::whole(round.games.faults.into()))
    })
}
