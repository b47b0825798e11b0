//! A build in a night: its rating over all nights, its games in this one, and its lead over the build before it.
//!
//! May not: know where it is shown.

use serde::Serialize;
use swiss_system::text::harmless;

use crate::faults::faults_in_words;
use crate::nights::{BuildComparison, Night, NightSeries, plays_since, result_of, still_weaker};
use swissmatch_stats::rating::fitted::{AT_95, Fit, Value};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildRow {
    pub name: String,
    /// What people call the build.
    pub version: String,
    /// In Elo, over all nights of the series; `None` if it is not known.
    pub rating: Option<f64>,
    /// Half the width of its 95 % interval; `None` for an anchor, and where it is not known.
    pub error: Option<f64>,
    /// Whether its rating was given.
    pub anchor: bool,
    pub games: u32,
    /// How many of these games were taken from earlier nights.
    pub taken: u32,
    pub half_points: u32,
    /// Games of this night that it lost by a fault.
    pub faults: u32,
    /// Other games of this night in which it gave an alarm.
    pub alarms: u32,
    /// Games of this night that do not count among its games, as a fault ended them before both sides had made a move.
    pub unrated: u32,
    /// Whether it was at fault in more games than `run.max_faults` allows.
    pub too_many_faults: bool,
    /// The change from the build before it of the same name.
    pub change: Option<ChangeRow>,
    /// The earlier night that marked builds of this name as weaker, if none was marked as stronger since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub still_weaker: Option<String>,
}

/// The lead of a build over the one before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangeRow {
    pub ahead: f64,
    /// Half the width of an interval that holds for all changes of the night together.
    pub bound: f64,
    /// Whether it is marked: the interval excludes 0, and no earlier night has marked it.
    pub marked: bool,
    /// The night that has marked it already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marked_in: Option<String>,
    /// What people call the build before.
    pub before: String,
    /// The night in which the build before played last.
    pub since: String,
    /// The night in which the newer build played first, if it is not this night.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays_since: Option<String>,
}

impl BuildRow {
    /// The row of the build with this number in a night of a series. `fit` is that of all games of the series, where there is one.
    pub(super) fn new(
        series: &NightSeries<'_>,
        fit: Option<&Fit>,
        (night, number): (&Night, u16),
        change: Option<&BuildComparison>,
    ) -> Self {
        let build = &night.builds[usize::from(number)];
        let of_it = || {
            let games = night.games.iter();
            games.filter(move |game| game.white == number || game.black == number)
        };
        let value = fit.and_then(|fit| Some(fit.value(series.number(&build.build)?)));
        let (rating, error) = match value {
            Some(Value::Estimate(rating, error)) => (Some(rating), error.map(|error| error * AT_95)),
            _ => (None, None),
        };
        Self {
            name: harmless(&build.name),
            version: build.version.clone(),
            rating,
            error: error.filter(|_| build.elo.is_none()),
            anchor: build.elo.is_some(),
            games: small(of_it().count()),
            taken: small(of_it().filter(|game| game.from.is_some()).count()),
            half_points: of_it().map(|game| result_of(game, number)).sum(),
            faults: build.faults,
            alarms: build.alarms,
            unrated: build.unrated,
            too_many_faults: build.too_many_faults,
            still_weaker: change
                .is_none_or(|change| !change.is_marked())
                .then(|| still_weaker(series, night, build))
                .flatten()
                .map(|marked| harmless(&marked.name)),
            change: change.map(|change| ChangeRow {
                ahead: change.ahead,
                bound: change.bound,
                marked: change.is_marked(),
                marked_in: change.marked_in.as_deref().map(harmless),
                before: change.versions[0].clone(),
                since: change.since.clone(),
                plays_since: plays_since(series, night, build)
                    .filter(|first| first.run != night.run)
                    .map(|first| harmless(&first.name)),
            }),
        }
    }

    pub(crate) const fn is_at_fault(&self) -> bool {
        self.faults + self.alarms > 0
    }

    /// Such as "lost 2 of its 10 games by a fault", to follow its name.
    pub(crate) fn faults_in_words(&self) -> String {
        faults_in_words(self.faults, self.alarms, self.games + self.unrated)
    }
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
