//! Rank confidence as a plot.
//!
//! May not: touch files.

use super::listed;
use crate::plot::{CountedUnit, Heading, Plot, RankConfidence};
use crate::sampled::SampledPlaces;
use crate::untrusted::{event, name};
use swissmatch_tournament::state::State;

/// A plot of how often each player came in each place, in the order of the standings.
pub fn drawn(state: &State, rounds: usize, shown: &SampledPlaces<'_>) -> Plot {
    let rows = listed(state, rounds).rows;
    let plot = RankConfidence {
        heading: Heading {
            title: format!("Rank confidence: {}", event(state)),
            n: shown.samples.into(),
            counted: CountedUnit::Samples,
            note: "Each draws the game pairs of every finished mini-match anew from those played. Players in the order of the \
                   standings."
                .to_owned(),
        },
        names: rows.iter().map(|row| name(state, row.player)).collect(),
        places: (rows.iter().map(|row| &shown.places[row.player.index()]))
            .map(|places| places.shares.clone())
            .collect(),
    };
    Plot {
        name: "rank-confidence",
        svg: plot.svg(),
    }
}
