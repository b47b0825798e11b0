//! What tie-breaks of all players share: totals, adjusted scores, and tie-breaks that others are made of.
//!
//! May not: rank anybody.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::buchholz;
use super::criterion::{Code, Criterion, Score};
use super::ratings;
use super::results::{Fate, MatchResult, PlayerRound, Results};
use super::unplayed::{self, Edition};
use super::us_chess;
use super::value::Value;
use crate::pairing::history::{FirstColor, PairingNumber};
use crate::score::Points;

/// The results with what is computed once.
#[derive(Debug)]
pub struct Table<'a> {
    results: Cow<'a, Results>,
    edition: Edition,
    unrated: Option<i32>,
    totals: [Vec<Points>; 2],
    adjusted: [Vec<Points>; 2],
    fore: OnceLock<Box<Table<'static>>>,
    buchholz: [OnceLock<Vec<Value>>; 2],
    performances: OnceLock<Vec<Option<Value>>>,
    perfect_performances: OnceLock<Vec<Option<Value>>>,
    us_adjusted: [OnceLock<Vec<Points>>; 2],
    cumulative: [OnceLock<Vec<Value>>; 2],
    is_rated: bool,
}

const fn index(score: Score) -> usize {
    match score {
        Score::Match => 0,
        Score::Game => 1,
    }
}

/// Who takes part (is ranked, or was met over the board) and has no rating.
pub fn unrated_players(results: &Results) -> impl Iterator<Item = PairingNumber> + '_ {
    let all = (0..results.players.len()).map(PairingNumber::from_index);
    all.filter(|player| {
        let own = &results.players[player.index()];
        let takes_part =
            || !results.left_out.contains(player) || own.rounds.iter().any(|round| round.fate.played().is_some());
        own.ratings.is_empty() && takes_part()
    })
}

impl<'a> Table<'a> {
    /// Adds up the scores. `unrated` is the rating of those who have none; `None`: then no tie-break of ratings exists.
    #[must_use]
    pub fn new(results: &'a Results, edition: Edition, unrated: Option<i32>) -> Self {
        Self::of(Cow::Borrowed(results), edition, unrated)
    }

    fn of(results: Cow<'a, Results>, edition: Edition, unrated: Option<i32>) -> Self {
        let of_all = |number: &dyn Fn(Score, usize) -> Points| {
            [Score::Match, Score::Game]
                .map(|score| (0..results.players.len()).map(|player| number(score, player)).collect())
        };
        Self {
            totals: of_all(&|score, player| score.total(&results.players[player])),
            adjusted: of_all(&|score, player| unplayed::adjusted(&results, edition, score, &results.players[player])),
            is_rated: unrated.is_some() || unrated_players(&results).next().is_none(),
            results,
            edition,
            unrated,
            fore: OnceLock::new(),
            buchholz: [OnceLock::new(), OnceLock::new()],
            performances: OnceLock::new(),
            perfect_performances: OnceLock::new(),
            us_adjusted: [OnceLock::new(), OnceLock::new()],
            cumulative: [OnceLock::new(), OnceLock::new()],
        }
    }

    /// What was played.
    #[must_use]
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The text that rules unplayed rounds.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// The rounds of a player.
    #[must_use]
    pub fn rounds(&self, player: PairingNumber) -> &[PlayerRound] {
        &self.results.players[player.index()].rounds
    }

    /// All players.
    pub fn numbers(&self) -> impl Iterator<Item = PairingNumber> + use<> {
        (0..self.results.players.len()).map(PairingNumber::from_index)
    }

    /// A player's points.
    #[must_use]
    pub fn total(&self, score: Score, player: PairingNumber) -> Points {
        self.totals[index(score)][player.index()]
    }

    /// A player's points as his opponents see them.
    #[must_use]
    pub fn adjusted(&self, score: Score, player: PairingNumber) -> Points {
        self.adjusted[index(score)][player.index()]
    }

    /// A player's rating at the start of a round, from 0.
    #[must_use]
    pub fn rating(&self, player: PairingNumber, round: usize) -> Option<i32> {
        self.results.players[player.index()].rating(round).or(self.unrated)
    }

    /// Whether everybody has a rating: "dropped when an unrated player is present and nothing else was published".
    #[must_use]
    pub const fn is_rated(&self) -> bool {
        self.is_rated
    }

    /// The tournament in which every paired game of the last round was a draw: "Fore Buchholz is Buchholz as if". Forfeited
    /// games are paired ones, and so are those that are still being played.
    #[must_use]
    pub fn fore(&self) -> &Table<'static> {
        self.fore.get_or_init(|| {
            let mut results = self.results.as_ref().clone();
            let (worth, game_worth) = (results.worth, results.game_worth);
            for round in results.players.iter_mut().filter_map(|player| player.rounds.last_mut()) {
                let Some(opponent) = round.fate.paired() else {
                    continue;
                };
                round.fate = Fate::Played {
                    opponent,
                    // Buchholz asks for no colour.
                    color: FirstColor::White,
                    result: MatchResult::Drawn,
                };
                (round.points, round.game_points) = (worth.draw, game_worth.draw);
            }
            Box::new(Table::of(Cow::Owned(results), self.edition, self.unrated))
        })
    }

    /// Buchholz of all players.
    #[must_use]
    pub fn buchholz(&self, score: Score) -> &[Value] {
        self.buchholz[index(score)].get_or_init(|| {
            let criterion = Criterion::from(Code::Bh);
            let mut terms = Vec::new();
            let sum = |player| buchholz::buchholz(self, score, &criterion, player, &mut terms);
            self.numbers().map(sum).collect()
        })
    }

    /// TPR of all players.
    #[must_use]
    pub fn performances(&self) -> &[Option<Value>] {
        self.performances.get_or_init(|| {
            let mut terms = Vec::new();
            self.numbers()
                .map(|player| ratings::performance(self, player, &mut terms))
                .collect()
        })
    }

    /// PTP of all players.
    #[must_use]
    pub fn perfect_performances(&self) -> &[Option<Value>] {
        self.perfect_performances.get_or_init(|| {
            let mut terms = Vec::new();
            self.numbers()
                .map(|player| ratings::perfect_performance(self, player, &mut terms))
                .collect()
        })
    }

    /// Adjusted scores of all players by US Chess.
    #[must_use]
    pub fn us_adjusted(&self, score: Score) -> &[Points] {
        let adjusted = |player| us_chess::adjusted(self, score, player);
        self.us_adjusted[index(score)].get_or_init(|| self.numbers().map(adjusted).collect())
    }

    /// Cumulative scores of all players by US Chess.
    #[must_use]
    pub fn cumulative(&self, score: Score) -> &[Value] {
        self.cumulative[index(score)].get_or_init(|| {
            let mut terms = Vec::new();
            self.numbers()
                .map(|player| us_chess::cumulative(self, score, player, &mut terms))
                .collect()
        })
    }
}
