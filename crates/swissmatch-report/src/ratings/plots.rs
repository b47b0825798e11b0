//! Ratings as plots.
//!
//! May not: touch files.

use super::{RatingList, RatingListRow, words};
use crate::plot::Plot;
use crate::plot::{CountedUnit, Heading, LosMatrix, RatingsPlot};
use swissmatch_stats::rating::fitted::{AT_95, Value};

impl RatingList<'_> {
    /// The ratings, and the likelihoods of superiority.
    pub fn plots(&self) -> Vec<Plot> {
        vec![
            Plot {
                name: "ratings",
                svg: self.ratings_plot().svg(),
            },
            Plot {
                name: "los",
                svg: self.los_plot().svg(),
            },
        ]
    }

    fn ratings_plot(&self) -> RatingsPlot {
        let rated = |row: &RatingListRow| {
            let value = match row.value {
                Value::Estimate(rating, error) => [rating, error.map_or(f64::NAN, |error| error * AT_95)],
                Value::AtLeast(_) | Value::AtMost(_) | Value::Unknown => [f64::NAN; 2],
            };
            crate::plot::RatingBar {
                name: self.names[row.player].clone(),
                rating: value[0],
                low: value[0] - value[1],
                high: value[0] + value[1],
                is_anchor: row.is_anchor,
            }
        };
        let bounded = "Who won or lost all has no rating.";
        let is_bounded = |row: &RatingListRow| matches!(row.value, Value::AtLeast(_) | Value::AtMost(_));
        let note = match self.rows.iter().any(is_bounded) {
            true => bounded,
            false => "",
        };
        RatingsPlot {
            heading: self.heading("Ratings", note),
            axis: "Rating (Elo)".to_owned(),
            bars: "95 % confidence interval".to_owned(),
            agents: self.rows.iter().map(rated).collect(),
        }
    }

    fn los_plot(&self) -> LosMatrix {
        let of = |row: &RatingListRow| {
            let others = self.rows.iter();
            others
                .map(|other| self.superiority_of(row, other).unwrap_or(f64::NAN))
                .collect()
        };
        LosMatrix {
            heading: self.heading("Likelihood of superiority", ""),
            names: (self.rows.iter().map(|row| self.names[row.player].clone())).collect(),
            los: self.rows.iter().map(of).collect(),
        }
    }

    fn heading(&self, title: &str, note: &str) -> Heading {
        let groups = match self.groups {
            1 => "",
            _ => " Players of different groups cannot be compared.",
        };
        let model = words::model_word(self.fit.model);
        Heading {
            title: title.to_owned(),
            n: self.game_count(),
            counted: CountedUnit::Games,
            note: format!("Model: {model}. {note}{groups}").trim_end().to_owned(),
        }
    }
}
