//! Plots of a league: its builds through the nights, and in the last of them.
//!
//! May not: fit.

use super::{BuildRow, NightView};
use crate::nights::NightSeries;
use crate::plot::{
    Across, AgentSeries as Line, AtMove, AxisKind, ByMove, CountedUnit, Heading, RatingBar, RatingsPlot,
};
use swissmatch_stats::rating::fitted::{AT_95, Fit, Value};

/// The label of bars and bands.
const INTERVAL: &str = "95 % intervals";
/// The label of the axes.
const RATING: &str = "Rating (Elo)";

/// The ratings of the builds through the nights of a series, by one fit. Each name is a line.
pub fn course(league: &str, series: &NightSeries<'_>, fit: &Fit) -> ByMove {
    let mut lines: Vec<Line> = Vec::new();
    let mut games = 0;
    for (index, (night, noisy)) in series.nights.iter().enumerate() {
        if !noisy.is_empty() {
            continue;
        }
        games += (night.games.len() - night.taken()) as u64;
        for build in night.builds.iter().filter(|build| build.elo.is_none()) {
            let value = series.number(&build.build).map(|number| fit.value(number));
            let Some(Value::Estimate(rating, error)) = value else {
                continue;
            };
            let half = error.map_or(f64::NAN, |error| error * AT_95);
            let at = AtMove {
                number: u32::try_from(index + 1).unwrap_or(u32::MAX),
                median: rating,
                low: rating - half,
                high: rating + half,
            };
            match lines.iter_mut().find(|line| line.name == build.name) {
                Some(line) => line.moves.push(at),
                None => lines.push(Line {
                    name: build.name.clone(),
                    moves: vec![at],
                }),
            }
        }
    }
    let names: Vec<&str> = series.nights.iter().map(|(night, _)| night.name.as_str()).collect();
    ByMove {
        heading: Heading {
            title: format!("{league}: builds through the nights"),
            n: games,
            counted: CountedUnit::Games,
            note: format!(
                "One fit of all nights on this class of machine, from {} (1) to {} ({}). Anchors are left out.",
                names.first().copied().unwrap_or_default(),
                names.last().copied().unwrap_or_default(),
                series.nights.len()
            ),
        },
        across: Across::Nights,
        axis: RATING.to_owned(),
        kind: AxisKind::Free,
        band: INTERVAL.to_owned(),
        agents: lines,
        limit: None,
    }
}

/// The ratings of the builds of a night.
pub fn ratings(view: &NightView<'_>) -> RatingsPlot {
    let rated = |row: &BuildRow| {
        let rating = row.rating.unwrap_or(f64::NAN);
        let half = row.error.unwrap_or(f64::NAN);
        RatingBar {
            name: format!("{} {}", row.name, row.version),
            rating,
            low: rating - half,
            high: rating + half,
            is_anchor: row.anchor,
        }
    };
    RatingsPlot {
        heading: Heading {
            title: view.title(),
            n: view.night.games.len() as u64,
            counted: CountedUnit::Games,
            note: "Ratings are one fit of all nights on this class of machine; n counts this night alone.".to_owned(),
        },
        axis: RATING.to_owned(),
        bars: INTERVAL.to_owned(),
        agents: view.rows.iter().map(rated).collect(),
    }
}
