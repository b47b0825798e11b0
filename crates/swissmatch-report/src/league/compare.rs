//! Two nights side by side.

use serde::Serialize;
use swiss_system::text::harmless;

use super::{elo, signed};
use crate::nights::{Night, Series};
use crate::table::{Column, Page, Table};
use swissmatch_stats::marks::judge;
use swissmatch_stats::rating::fitted::{Fit, Value};

/// A build in two nights.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Row {
    name: String,
    /// `None`: it did not play in that night.
    versions: [Option<String>; 2],
    ratings: [Option<f64>; 2],
    /// The second over the first, with half of the width of an interval that holds for all rows together.
    ahead: Option<[f64; 2]>,
}

fn rows(series: &Series<'_>, fit: Option<&Fit>, nights: [&Night; 2]) -> Vec<Row> {
    let mut names: Vec<&str> = Vec::new();
    for build in nights.iter().flat_map(|night| &night.builds) {
        if !names.contains(&build.name.as_str()) {
            names.push(&build.name);
        }
    }
    let mut rows = Vec::new();
    let mut differences = Vec::new();
    for name in names {
        let builds = nights.map(|night| night.build(name));
        let numbers = builds.map(|build| series.number(&build?.build));
        let rating = |number: Option<usize>| match fit?.value(number?) {
            Value::Estimate(rating, _) => Some(rating),
            _ => None,
        };
        let difference = match numbers {
            [Some(one), Some(other)] if one != other => fit.and_then(|fit| series.difference(fit, [other, one], None)),
            _ => None,
        };
        rows.push(Row {
            name: harmless(name),
            versions: builds.map(|build| build.map(|build| build.version.clone())),
            ratings: numbers.map(rating),
            ahead: difference.as_ref().map(|difference| difference.value),
        });
        differences.extend(difference);
    }
    let mut judged = judge(&differences).into_iter();
    for row in rows.iter_mut().filter(|row| row.ahead.is_some()) {
        row.ahead = judged.next().map(|judged| [judged.ahead, judged.bound]);
    }
    rows
}

/// The table of two nights.
pub fn compare_pages(series: &Series<'_>, fit: Option<&Fit>, nights: [&Night; 2]) -> Page {
    let [one, other] = nights.map(|night| harmless(&night.name));
    let columns = vec![
        Column::names("Build"),
        Column::words(format!("Version in {one}")),
        Column::words(format!("in {other}")),
        Column::figures("Rating then"),
        Column::figures("now"),
        Column::figures("Difference"),
    ];
    let version = |version: &Option<String>| version.clone().unwrap_or_else(|| "–".to_owned());
    let rating = |rating: Option<f64>| rating.map_or_else(|| "–".to_owned(), elo);
    let row = |row: &Row| {
        let is_same = row.versions[0].is_some() && row.versions[0] == row.versions[1];
        vec![
            row.name.clone(),
            version(&row.versions[0]),
            version(&row.versions[1]),
            rating(row.ratings[0]),
            rating(row.ratings[1]),
            match row.ahead {
                Some([ahead, bound]) => {
                    let mark = if ahead.abs() > bound { " *" } else { "" };
                    format!("{} ± {bound:.1}{mark}", signed(ahead))
                }
                None if is_same => "the same build".to_owned(),
                None => "–".to_owned(),
            },
        ]
    };
    let mut notes = Vec::new();
    for night in nights {
        for noisy in series.against(night) {
            notes.push(format!("{}: {}.", harmless(&night.name), noisy.sentence()));
        }
    }
    notes.push(
        "Ratings are one fit of all nights up to the later one on this class of machine under its conditions; intervals hold together \
         with 97.5 %, * leaves out 0."
            .to_owned(),
    );
    Page {
        title: format!("{one} and {other} on {}", harmless(series.machine)),
        table: Table {
            columns,
            rows: rows(series, fit, nights).iter().map(row).collect(),
        },
        notes,
    }
}

/// The same as JSON.
///
/// # Panics
/// Never: everything in it can be written.
pub fn compare_json(series: &Series<'_>, fit: Option<&Fit>, nights: [&Night; 2]) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        schema: u32,
        nights: [&'a str; 2],
        machine: &'a str,
        builds: Vec<Row>,
    }
    let document = Document {
        schema: 1,
        nights: nights.map(|night| night.name.as_str()),
        machine: series.machine,
        builds: rows(series, fit, nights),
    };
    serde_json::to_string(&document).expect("plain data") + "\n"
}
