//! The matrix of likelihoods of superiority.

use super::Heading;
use super::heat::{Heat, MOST, Ramp};
use super::page::first_of;

/// Vermillion, white, blue: the hues of the palette that most readers tell apart best.
const RAMP: Ramp = &[
    [213.0, 94.0, 0.0],
    [246.0, 200.0, 160.0],
    [255.0, 255.0, 255.0],
    [150.0, 200.0, 228.0],
    [0.0, 114.0, 178.0],
];

/// How likely each agent is stronger than each other one, as a heat map, in the given order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LosMatrix {
    pub heading: Heading,
    /// The agents' names, from outside. The first 60 are shown.
    pub names: Vec<String>,
    /// For each agent its likelihood of superiority over each other one, from 0 to 1, in the order of `names`. Values that are missing or
    /// no numbers are left blank, and so is an agent against itself.
    pub los: Vec<Vec<f64>>,
}

impl LosMatrix {
    pub(crate) fn svg(&self) -> String {
        let shown = self.names.len().min(MOST);
        let share = |row: usize, column: usize| {
            let los = self.los.get(row)?.get(column)?;
            (row != column).then_some(*los)
        };
        let heat = Heat {
            heading: &self.heading,
            rows: self.names.iter().take(shown).cloned().collect(),
            is_numbered: true,
            columns: shown,
            across: "is stronger than agent number",
            scale: "Likelihood of superiority (%)",
            ramp: RAMP,
            share: &share,
            blank_zero: false,
            remarks: first_of(shown, self.names.len(), "agents").into_iter().collect(),
        };
        heat.svg()
    }
}
