//! Values that tie-breaks of all players share: totals and adjusted scores, and room for tie-breaks that others are built on.
//!
//! May not: rank anybody, or know a tie-break.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::RankingRules;
use super::criterion::Score;
use super::results::{MatchResult, PlayerRound, Results, RoundFate};
use super::unplayed::{self, BlackWins, TieBreakEdition};
use super::value::Value;
use crate::pairing::history::{FirstColor, PairingNumber};
use crate::score::Points;

/// The results, with values that are computed once.
#[derive(Debug)]
pub struct ScoreTable<'a> {
    results: Cow<'a, Results>,
    edition: TieBreakEdition,
    black_wins: BlackWins,
    /// The rating of players without one; with `None` there are no tie-breaks of ratings.
    unrated: Option<i32>,
    totals: [Vec<Points>; 2],
    adjusted: [Vec<Points>; 2],
    fore: OnceLock<Box<ScoreTable<'static>>>,
    is_rated: bool,
    /// Tie-breaks that their modules have computed for all players.
    pub(super) of_all: OfAll,
}

/// Tie-breaks of all players that others are built on. Each is computed by its own module when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct OfAll {
    /// Buchholz.
    pub(super) buchholz: ByScore<Vec<Value>>,
    /// TPR.
    pub(super) performances: OnceLock<Vec<Option<Value>>>,
    /// PTP.
    pub(super) perfect_performances: OnceLock<Vec<Option<Value>>>,
    /// Adjusted scores of US Chess.
    pub(super) us_adjusted: ByScore<Vec<Points>>,
    /// Cumulative scores of US Chess.
    pub(super) cumulative: ByScore<Vec<Value>>,
}

/// A value that is computed once for each score.
#[derive(Debug)]
pub(super) struct ByScore<T>([OnceLock<T>; 2]);

impl<T> Default for ByScore<T> {
    fn default() -> Self {
        Self([OnceLock::new(), OnceLock::new()])
    }
}

impl<T> ByScore<T> {
    /// The value for this score, computed now if need be.
    pub(super) fn get_or_init(&self, score: Score, compute: impl FnOnce() -> T) -> &T {
        self.0[index(score)].get_or_init(compute)
    }
}

const fn index(score: Score) -> usize {
    match score {
        Score::Match => 0,
        Score::Game => 1,
    }
}

/// The players who take part (are ranked, or were met over the board) and have no rating.
pub fn unrated_players(results: &Results) -> impl Iterator<Item = PairingNumber> + '_ {
    let all = (0..results.players.len()).map(PairingNumber::from_index);
    all.filter(|player| {
        let own = &results.players[player.index()];
        let takes_part =
            || !results.left_out.contains(player) || own.rounds.iter().any(|round| round.fate.played().is_some());
        own.ratings.is_empty() && takes_part()
    })
}

impl<'a> ScoreTable<'a> {
    /// A table of these results, with the scores added up.
    pub fn new(results: &'a Results, rules: &RankingRules) -> Self {
        Self {
            black_wins: rules.black_wins,
            ..Self::over(Cow::Borrowed(results), rules.edition, rules.unrated)
        }
    }

    fn over(results: Cow<'a, Results>, edition: TieBreakEdition, unrated: Option<i32>) -> Self {
        let for_all = |number: &dyn Fn(Score, usize) -> Points| {
            [Score::Match, Score::Game]
                .map(|score| (0..results.players.len()).map(|player| number(score, player)).collect())
        };
        Self {
            totals: for_all(&|score, player| score.total(&results.players[player])),
            adjusted: for_all(&|score, player| unplayed::adjusted(&results, edition, score, &results.players[player])),
            is_rated: unrated.is_some() || unrated_players(&results).next().is_none(),
            results,
            edition,
            black_wins: BlackWins::default(),
            unrated,
            fore: OnceLock::new(),
            of_all: OfAll::default(),
        }
    }

    /// The results.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The text that governs unplayed rounds.
    pub const fn edition(&self) -> TieBreakEdition {
        self.edition
    }

    /// The games that count as won with Black.
    pub const fn black_wins(&self) -> BlackWins {
        self.black_wins
    }

    /// The rounds of a player.
    pub fn rounds(&self, player: PairingNumber) -> &[PlayerRound] {
        &self.results.players[player.index()].rounds
    }

    /// All players.
    pub fn numbers(&self) -> impl Iterator<Item = PairingNumber> + use<> {
        (0..self.results.players.len()).map(PairingNumber::from_index)
    }

    /// A player's points.
    pub fn total(&self, score: Score, player: PairingNumber) -> Points {
        self.totals[index(score)][player.index()]
    }

    /// A player's points as his opponents see them.
    pub fn adjusted(&self, score: Score, player: PairingNumber) -> Points {
        self.adjusted[index(score)][player.index()]
    }

    /// A player's rating at the start of a round, from 0.
    pub fn rating(&self, player: PairingNumber, round: usize) -> Option<i32> {
        self.results.players[player.index()].rating(round).or(self.unrated)
    }

    /// True if everybody has a rating: "dropped when an unrated player is present and nothing else was published".
    pub const fn is_rated(&self) -> bool {
        self.is_rated
    }

    /// The tournament "as if all paired games of the final round had ended in draws" (C.07 art. 8.3). Before that
    /// round is paired it is the tournament as it is, so that Fore Buchholz is Buchholz. Forfeited games are paired
    /// ones, and so are those that are still being played.
    pub fn fore(&self) -> &ScoreTable<'_> {
        if self.results.is_before_last_round() {
            return self;
        }
        self.fore.get_or_init(|| {
            let mut results = self.results.as_ref().clone();
            let (worth, game_worth) = (results.worth, results.game_worth);
            for round in results.players.iter_mut().filter_map(|player| player.rounds.last_mut()) {
                let Some(opponent) = round.fate.paired() else {
                    continue;
                };
                round.fate = RoundFate::Played {
                    opponent,
                    // Buchholz does not use the colour.
                    color: FirstColor::White,
                    result: MatchResult::Drawn,
                };
                (round.points, round.game_points) = (worth.draw, game_worth.draw);
            }
            Box::new(ScoreTable::over(Cow::Owned(results), self.edition, self.unrated))
        })
    }
}
