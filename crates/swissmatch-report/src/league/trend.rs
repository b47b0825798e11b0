//! A build through the nights.

use serde::Serialize;
use swiss_system::count;
use swiss_system::text::harmless;

use super::{BuildRow, change_text, elo, percent};
use crate::nights::NightSeries;
use crate::table::{Column, Page, Table};
use swissmatch_stats::rating::fitted::Fit;

/// A build in each night of a series, by one fit of all games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trend {
    /// Version of the JSON's shape.
    pub schema: u32,
    pub name: String,
    pub machine: String,
    /// The nights in which it played, the oldest first.
    pub nights: Vec<TrendRow>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrendRow {
    pub night: String,
    pub began: String,
    /// The directory of its run.
    #[serde(skip)]
    pub dir: String,
    /// The build in that night. Its rating is over all nights; its change is as the night had it.
    #[serde(flatten)]
    pub build: BuildRow,
    /// Whether the night is left out of the ratings, as the machine was noisy.
    pub noisy: bool,
}

/// The trend of the build of this name; `None` if it played in no night.
pub fn trend(series: &NightSeries<'_>, fit: Option<&Fit>, name: &str) -> Option<Trend> {
    let mut nights = Vec::new();
    for (night, noisy) in &series.nights {
        let Some((_, number)) = night.builds.iter().zip(0_u16..).find(|(build, _)| build.name == name) else {
            continue;
        };
        let change = night.changes.iter().find(|change| change.name == name);
        nights.push(TrendRow {
            night: harmless(&night.name),
            began: night.began.to_string(),
            dir: harmless(&night.dir),
            build: BuildRow::new(series, fit, (*night, number), change),
            noisy: !noisy.is_empty(),
        });
    }
    (!nights.is_empty()).then(|| Trend {
        schema: 1,
        name: harmless(name),
        machine: harmless(series.machine),
        nights,
    })
}

impl Trend {
    pub fn page(&self) -> Page {
        let has_alarms = self.nights.iter().any(|night| night.build.alarms > 0);
        let mut columns = vec![
            Column::words("Night"),
            Column::words("Version"),
            Column::figures("Rating"),
            Column::figures("±"),
            Column::figures("Games"),
            Column::figures("Score %"),
            Column::figures("Since the build before"),
            Column::figures("Faults"),
        ];
        columns.extend(has_alarms.then(|| Column::figures("Alarms")));
        // Nights of one name are told apart by their runs, as `--night` takes them.
        let shown = |night: &TrendRow| {
            let is_alone = self.nights.iter().filter(|other| other.night == night.night).count() == 1;
            match is_alone {
                true => night.night.clone(),
                false => format!("{} ({})", night.night, night.dir),
            }
        };
        let row = |night: &TrendRow| {
            let row = &night.build;
            let mut cells = vec![
                match night.noisy {
                    true => format!("{} (noisy)", shown(night)),
                    false => shown(night),
                },
                row.version.clone(),
                row.rating.map_or_else(|| "–".to_owned(), elo),
                row.error.map_or_else(|| "–".to_owned(), |error| format!("{error:.1}")),
                row.games.to_string(),
                percent(row.half_points, row.games),
                row.change.as_ref().map_or_else(String::new, change_text),
                row.faults.to_string(),
            ];
            cells.extend(has_alarms.then(|| row.alarms.to_string()));
            cells
        };
        Page {
            title: format!(
                "{} in {} on {}",
                self.name,
                count::of(self.nights.len(), "night", "nights"),
                self.machine
            ),
            table: Table {
                columns,
                rows: self.nights.iter().map(row).collect(),
            },
            notes: vec![
                "Ratings are one fit of all nights on this class of machine under the last conditions; * marks a change that the night \
                 found."
                    .to_owned(),
            ],
        }
    }

    /// As JSON.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("plain data") + "\n"
    }
}
