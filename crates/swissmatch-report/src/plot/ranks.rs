//! Rank confidence: how probable each place is for each agent.

use super::Heading;
use super::heat::{Heat, MOST, Ramp};
use super::page::first_of;

/// White to the blue of the palette, and darker.
const RAMP: Ramp = &[
    [255.0, 255.0, 255.0],
    [120.0, 185.0, 222.0],
    [0.0, 114.0, 178.0],
    [0.0, 62.0, 110.0],
];

/// How probable each place is for each agent, as a heat map, in the given order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RankConfidence {
    /// The n is that of the samples, as a rule.
    pub heading: Heading,
    /// The agents' names, from outside. The first 60 are shown.
    pub names: Vec<String>,
    /// For each agent the probability of each place, the first place first, from 0 to 1. The first 60 places are shown.
    pub places: Vec<Vec<f64>>,
}

impl RankConfidence {
    pub(crate) fn svg(&self) -> String {
        let shown = self.names.len().min(MOST);
        let columns = self.places.iter().map(Vec::len).max().unwrap_or(0);
        let share = |row: usize, place: usize| self.places.get(row)?.get(place).copied();
        let agents = first_of(shown, self.names.len(), "agents");
        let places = first_of(columns.min(MOST), columns, "places");
        let has_zero = self.places.iter().flatten().any(|probability| *probability == 0.0);
        let blank = has_zero.then(|| "A blank cell is 0.".to_owned());
        let heat = Heat {
            heading: &self.heading,
            rows: self.names.iter().take(shown).cloned().collect(),
            is_numbered: false,
            columns: columns.min(MOST),
            across: "Place",
            scale: "Probability (%)",
            ramp: RAMP,
            share: &share,
            blank_zero: true,
            remarks: agents.into_iter().chain(places).chain(blank).collect(),
        };
        heat.svg()
    }
}
