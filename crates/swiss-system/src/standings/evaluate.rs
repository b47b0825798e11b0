//! One criterion of one player, by code: the one place that knows which module computes which code.
//!
//! May not: rank anybody; know who is level with whom.

use super::criterion::{Code, Criterion, Score};
use super::results::GameCounts;
use super::table::ScoreTable;
use super::term::{Note, Term};
use super::value::Value;
use super::{buchholz, counts, protocol, ratings, sonneborn_berger, us_chess};
use crate::pairing::history::PairingNumber;

/// The value of a criterion for a player; replaces the contents of `terms` by the terms of its sum.
///
/// `primary` is the score that ranks. `None` if not defined, such as a mean of nothing. A stage of ranking (direct
/// encounter, H2H) is not a number of a player alone, and gives `None`.
pub fn evaluate(
    table: &ScoreTable<'_>,
    primary: Score,
    criterion: &Criterion,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Option<Value> {
    terms.clear();
    let score = criterion.score.unwrap_or(primary);
    let results = table.results();
    let own = &results.players[player.index()];
    let number = |number: u32| Some(Value::whole(number.into()));
    match criterion.code {
        Code::Points => Some(points(table, primary, player, terms)),
        Code::MatchPoints => Some(points(table, Score::Match, player, terms)),
        Code::GamePoints => Some(points(table, Score::Game, player, terms)),
        Code::OtherScore => Some(points(table, primary.other(), player, terms)),
        Code::H2h | Code::DirectEncounter | Code::ExtendedDirectEncounter | Code::ImmortalDirectEncounter => None,
        Code::ChallengeBuchholz => Some(protocol::buchholz(table, player, terms)),
        Code::ChallengeSonnebornBerger => Some(protocol::sonneborn_berger(table, player, terms)),
        Code::Buchholz => Some(buchholz::buchholz(table, score, criterion, player, terms)),
        Code::ForeBuchholz => Some(buchholz::buchholz(table.fore(), score, criterion, player, terms)),
        Code::AverageOfOpponentsBuchholz => buchholz::average_of_opponents(table, score, criterion, player, terms),
        Code::SonnebornBerger => Some(berger(table, (score, score), criterion, player, terms)),
        Code::Emmsb => Some(berger(table, (Score::Match, Score::Match), criterion, player, terms)),
        Code::Emgsb => Some(berger(table, (Score::Match, Score::Game), criterion, player, terms)),
        Code::Egmsb => Some(berger(table, (Score::Game, Score::Match), criterion, player, terms)),
        Code::Eggsb => Some(berger(table, (Score::Game, Score::Game), criterion, player, terms)),
        Code::Wins => Some(counts::wins(table, player, terms)),
        Code::WinsOverTheBoard => Some(counts::wins_over_the_board(table, player, terms)),
        Code::BlackGames => Some(counts::black_games(table, player, terms)),
        Code::BlackWins => Some(counts::black_wins(table, player, terms)),
        Code::RoundsElected => Some(counts::rounds_elected(table, player, terms)),
        Code::Progressive => Some(counts::progressive(table, score, criterion, player, terms)),
        Code::StandardPoints => Some(counts::standard_points(table, score, player, terms)),
        Code::Koya => Some(counts::koya(table, score, criterion, player, terms)),
        code if code.is_of_ratings() && !table.is_rated() => None,
        Code::AverageRating => ratings::average(table, criterion, player, terms),
        Code::Performance => ratings::performance(table, player, terms),
        Code::PerfectPerformance => ratings::perfect_performance(table, player, terms),
        Code::AveragePerformance => ratings::average_performance(table, player, terms),
        Code::AveragePerfectPerformance => ratings::average_perfect_performance(table, player, terms),
        Code::PairingNumber => number(results.number(player)),
        Code::Rating => table.rating(player, 0).map(|rating| Value::whole(rating.into())),
        Code::ModifiedMedian => Some(us_chess::modified_median(table, primary, player, terms)),
        Code::Solkoff => Some(us_chess::solkoff(table, primary, player, terms)),
        Code::Median => Some(us_chess::median(table, primary, player, terms)),
        Code::Cumulative => Some(us_chess::cumulative(table, primary, player, terms)),
        Code::CumulativeOfOpposition => Some(us_chess::cumulative_of_opposition(table, primary, player, terms)),
        Code::Kashdan => Some(us_chess::kashdan(table, player, terms)),
        Code::WinRate => win_rate(games(own.rounds.iter().map(|round| round.games))),
        Code::Byes => Some(counts::byes(table, player, terms)),
        Code::Faults => Some(counts::faults(table, player, terms)),
        Code::Lot => number(results.lots[player.index()] + 1),
        Code::Submitted => number(results.submission[player.index()] + 1),
    }
}

/// True if less is better.
pub const fn fewer_is_better(criterion: &Criterion) -> bool {
    let fewer = matches!(
        criterion.code,
        Code::PairingNumber | Code::Byes | Code::Faults | Code::Lot | Code::Submitted
    ) || criterion.code.is_place();
    fewer != criterion.reversed
}

fn berger(
    table: &ScoreTable<'_>,
    scores: (Score, Score),
    criterion: &Criterion,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Value {
    sonneborn_berger::sonneborn_berger(table, scores, criterion, player, terms)
}

/// All points, round by round, and those that no round gave.
fn points(table: &ScoreTable<'_>, score: Score, player: PairingNumber, terms: &mut Vec<Term>) -> Value {
    for (index, round) in table.rounds(player).iter().enumerate() {
        let amount = score.of_round(round).into();
        terms.push(Term {
            opponent: round.fate.opponent(),
            ..Term::of_round(index, amount)
        });
    }
    let total = Value::from(table.total(score, player));
    let bonus = total - Term::sum(terms);
    if bonus != Value::ZERO {
        terms.push(Term {
            round: None,
            note: Note::Bonus,
            ..Term::of_round(0, bonus)
        });
    }
    total
}

/// The sum of the games.
pub fn games(of_rounds: impl Iterator<Item = GameCounts>) -> GameCounts {
    of_rounds.fold(GameCounts::default(), |sum, games| sum + games)
}

fn win_rate(games: GameCounts) -> Option<Value> {
    let played = games.played();
    (played > 0).then(|| Value::whole(i64::from(games.both().won) * 100).divided_by(played))
}
