//! The strength of the players as far as games have been played: figures of two, ratings of more, and the games that faults ended.
//!
//! May not: decide when it is shown.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::counts::{ResultCounts, ResultCountsJson};
use super::faults::{self, AlarmsOfPlayer, FaultsOfPlayer};
use super::parts::Pages;
use super::ratings::{RatingList, RatingListRequest};
use super::versus::Versus;
use swissmatch_stats::sprt::Decimal;
use swissmatch_tournament::collected::{Collection, Detail};
use swissmatch_tournament::state::State;

/// With more players there are no ratings while games are played: a fit would take too long.
const MOST_PLAYERS: usize = 100;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LiveMatchFigures {
    /// The player whose figures these are.
    first: String,
    second: String,
    games_finished: u64,
    /// Figures of the whole pairs before which no game is missing.
    pairs: ResultCountsJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<Stands>,
    faults: Vec<FaultsOfPlayer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alarms: Vec<AlarmsOfPlayer>,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Stands {
    llr: Decimal,
    lower: Decimal,
    upper: Decimal,
}

impl LiveMatchFigures {
    /// The figures of a match as far as `versus` has come; `None` if the event is no match of two.
    pub fn of(versus: &Versus, state: &State) -> Option<Self> {
        let [first, second] = versus.players(state)?;
        Some(Self {
            first,
            second,
            games_finished: state.progress().1 as u64,
            pairs: ResultCounts::Pairs(versus.pairs()).document(),
            test: versus.look(state).map(|look| Stands {
                llr: look.llr,
                lower: look.lower,
                upper: look.upper,
            }),
            faults: faults::by_termination(state),
            alarms: faults::alarms(state),
        })
    }
}

/// The ratings of more than two players.
#[derive(Clone, Debug)]
pub struct LiveRatings {
    pages: Pages,
    table: Pages,
    fit: Value,
    games_finished: u64,
    faults: Vec<FaultsOfPlayer>,
    alarms: Vec<AlarmsOfPlayer>,
}

/// Like [`LiveRatings`], but for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingsJson {
    games_finished: u64,
    #[serde(flatten)]
    fit: Value,
    faults: Vec<FaultsOfPlayer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alarms: Vec<AlarmsOfPlayer>,
}

impl LiveRatings {
    /// The ratings by all games so far; `None` for two players or too many, and while nobody can be rated.
    pub fn of(state: &State) -> Option<Self> {
        if !(3..=MOST_PLAYERS).contains(&state.player_count()) || state.created().tour.is_some() {
            return None;
        }
        let mut collection = Collection::default();
        let added = collection.add_run("", state, &BTreeSet::new(), |_, _| Detail::default());
        added.ok()?;
        let rated = RatingList::new(&collection, RatingListRequest::default()).ok()?;
        Some(Self {
            pages: rated.pages(),
            table: rated.table().into(),
            fit: rated.fit_document(),
            games_finished: state.progress().1 as u64,
            faults: faults::by_termination(state),
            alarms: faults::alarms(state),
        })
    }

    /// The table, and a line about faults.
    pub fn lines(&self, width: Option<u16>) -> Vec<String> {
        let table = self.table.text(width);
        let lines = table.lines().map(str::to_owned);
        let faults = faults::sentence(&self.faults).into_iter();
        let alarms = faults::alarms_sentence(&self.alarms);
        lines.chain(faults).chain(alarms).collect()
    }

    /// The table with its sentences.
    pub fn text(&self, width: Option<u16>) -> String {
        self.pages.text(width)
    }

    /// For programs.
    pub fn document(&self) -> RatingsJson {
        RatingsJson {
            games_finished: self.games_finished,
            fit: self.fit.clone(),
            faults: self.faults.clone(),
            alarms: self.alarms.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn ratings_of_all_games_so_far() {
        assert!(LiveRatings::of(&fixture::created_only()).is_none());
        let ratings = LiveRatings::of(&fixture::over()).expect("five players");
        let lines = ratings.lines(None);
        assert!(lines[0].starts_with("5 players, "), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains("Bravo")), "{lines:?}");
        let faults = lines.last().expect("lines");
        assert!(faults.starts_with("games lost by faults: "), "{lines:?}");
        assert!(
            faults.contains("Delta ") && faults.contains("time-forfeit 1"),
            "{lines:?}"
        );
        let text = serde_json::to_value(ratings.document()).expect("plain data");
        assert_eq!(text["games_finished"], fixture::over().finished_games().count());
        assert_eq!(text["players"].as_array().map(Vec::len), Some(5));
        assert!(text["faults"].as_array().is_some_and(|faults| !faults.is_empty()));
        assert!(ratings.text(None).contains("White's advantage"));
        assert!(LiveMatchFigures::of(&Versus::now(&fixture::over()), &fixture::over()).is_none());
    }
}
