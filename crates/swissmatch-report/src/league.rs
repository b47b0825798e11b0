//! Reports of a league: the table of a night, its changes, a build through the nights, two nights side by side.
//!
//! May not: read a history, or fit it anew for each table.

mod outputs;
mod page;
mod plots;
mod row;
mod trend;

use std::collections::BTreeMap;

use serde::Serialize;
use swiss_system::count;
use swiss_system::text::harmless;

pub use outputs::{benchmark, junit, summary};
pub use page::page;
pub(crate) use page::{document, drawn, shown};
pub use plots::{course, ratings};
pub use row::{BuildRow, ChangeRow};
pub use trend::{Trend, trend};

use super::table::{Column, Page, Table};
use crate::nights::{Night, NightBuild, NightChanges, NightEnd, NightSeries};
use swissmatch_stats::rating::fitted::Fit;
use swissmatch_tournament::noise::Noisy;

/// A night with everything that is reported of it.
#[derive(Clone, Debug)]
pub struct NightView<'a> {
    pub league: String,
    pub night: &'a Night,
    /// Its builds, by rating.
    pub rows: Vec<BuildRow>,
    /// Nights of its series, including this one.
    pub nights: usize,
    /// Reasons against comparing it with other nights.
    pub noisy: Vec<Noisy>,
    /// Why nothing is compared; `None` if it is.
    pub why_not: Option<&'static str>,
    /// Why nobody is rated; `None` if they are.
    pub not_rated: Option<String>,
    /// Builds of the night that won or lost all of their games.
    pub one_sided: Vec<String>,
}

impl<'a> NightView<'a> {
    /// The last night of a series, with the fit of all its games.
    pub fn new(
        league: &str,
        series: &NightSeries<'a>,
        fit: Result<&Fit, String>,
        changes: &NightChanges,
    ) -> Option<Self> {
        let (night, noisy) = series.nights.last()?;
        let mut rows: Vec<BuildRow> = night
            .builds
            .iter()
            .zip(0_u16..)
            .map(|(build, number)| {
                let change = changes.compared.iter().find(|change| change.name == build.name);
                BuildRow::new(series, fit.as_ref().ok().copied(), (*night, number), change)
            })
            .collect();
        rows.sort_by(|one, other| {
            let by = |row: &BuildRow| row.rating.unwrap_or(f64::NEG_INFINITY);
            by(other).total_cmp(&by(one))
        });
        let is_one_sided = |build: &&NightBuild| {
            let number = series.number(&build.build);
            number.is_some_and(|number| series.one_sided.contains(&number))
        };
        let one_sided = night.builds.iter().filter(is_one_sided);
        let one_sided = one_sided.map(|build| format!("{} {}", harmless(&build.name), build.version));
        Some(Self {
            league: harmless(league),
            night,
            rows,
            nights: series.nights.len(),
            noisy: noisy.clone(),
            why_not: changes.why_not,
            not_rated: fit.err(),
            one_sided: one_sided.collect(),
        })
    }

    /// Builds that are weaker than the ones before them.
    pub fn weaker(&self) -> impl Iterator<Item = &BuildRow> {
        self.marked()
            .filter(|(_, change)| change.ahead < 0.0)
            .map(|(row, _)| row)
    }

    /// A sentence for each name whose builds an earlier night marked as weaker, and no later night as stronger.
    pub fn still_weaker(&self) -> impl Iterator<Item = String> {
        self.rows.iter().filter_map(|row| {
            let night = row.still_weaker.as_ref()?;
            Some(format!(
                "{} was marked as weaker in {night}, and has not been marked as stronger since",
                row.name
            ))
        })
    }

    /// Whether a build was at fault in more games than is allowed, or had no program.
    pub fn has_faults(&self) -> bool {
        !self.night.broken.is_empty() || self.rows.iter().any(|row| row.too_many_faults)
    }

    /// Builds whose change is marked.
    pub fn marked(&self) -> impl Iterator<Item = (&BuildRow, &ChangeRow)> {
        let changed = self.rows.iter().filter_map(|row| Some((row, row.change.as_ref()?)));
        changed.filter(|(_, change)| change.marked)
    }

    pub fn page(&self) -> Page {
        let has_alarms = self.rows.iter().any(|row| row.alarms > 0);
        let mut columns = vec![
            Column::figures("Rank"),
            Column::names("Build"),
            Column::words("Version"),
            Column::figures("Rating"),
            Column::figures("±"),
            Column::figures("Games"),
            Column::figures("Score %"),
            Column::figures("Since the build before"),
            Column::figures("Faults"),
        ];
        columns.extend(has_alarms.then(|| Column::figures("Alarms")));
        let rows = self.rows.iter().zip(1..).map(|(row, rank): (_, u32)| {
            let mut cells = vec![
                rank.to_string(),
                row.name.clone(),
                row.version.clone(),
                row.rating.map_or_else(|| "–".to_owned(), elo),
                match (row.anchor, row.error) {
                    (true, _) => "anchor".to_owned(),
                    (false, Some(error)) => format!("{error:.1}"),
                    (false, None) => "–".to_owned(),
                },
                row.games.to_string(),
                percent(row.half_points, row.games),
                row.change.as_ref().map_or_else(String::new, change_text),
                row.faults.to_string(),
            ];
            cells.extend(has_alarms.then(|| row.alarms.to_string()));
            cells
        });
        Page {
            title: self.title(),
            table: Table {
                columns,
                rows: rows.collect(),
            },
            notes: self.notes(),
        }
    }

    pub fn title(&self) -> String {
        format!(
            "{}, {}: {}, {}",
            self.league,
            harmless(&self.night.name),
            harmless(&self.night.conditions),
            harmless(&self.night.machine),
        )
    }

    /// All notes on the night, in sentences.
    pub fn notes(&self) -> Vec<String> {
        let night = self.night;
        let mut notes = Vec::new();
        for (row, change) in self.marked() {
            let how = if change.ahead < 0.0 { "weaker" } else { "stronger" };
            let plays_since = match &change.plays_since {
                Some(night) => format!(" It has played since {night}."),
                None => String::new(),
            };
            notes.push(format!(
                "{} {} is {how} than {}, which played last in {}: {} ± {:.1} Elo.{plays_since}",
                row.name,
                row.version,
                change.before,
                harmless(&change.since),
                signed(change.ahead),
                change.bound,
            ));
        }
        notes.extend(self.still_weaker().map(|sentence| format!("{sentence}.")));
        for row in self.rows.iter().filter(|row| row.is_at_fault()) {
            // A fault in every other game is no accident.
            let is_flaky = 2 * (row.faults + row.alarms) < row.games - row.taken + row.unrated;
            let flaky = if is_flaky { ": it is flaky" } else { "" };
            notes.push(format!("{} {}{flaky}.", row.name, row.faults_in_words()));
        }
        // Each such game has two players.
        let unrated = self.rows.iter().map(|row| row.unrated).sum::<u32>() / 2;
        if unrated > 0 {
            let (games, are, them) = match unrated {
                1 => ("game", "is", "it"),
                _ => ("games", "are", "them"),
            };
            notes.push(format!(
                "{unrated} {games} {are} not rated: a fault ended {them} before both sides had made a move."
            ));
        }
        for broken in &night.broken {
            notes.push(format!(
                "{} did not play: {}.",
                harmless(&broken.name),
                harmless(&broken.why)
            ));
        }
        let instead = |build: &NightBuild| {
            let why = build.instead.as_deref()?;
            Some(format!("{}: {}.", harmless(&build.name), harmless(why)))
        };
        notes.extend(night.builds.iter().filter_map(instead));
        for names in same_builds(night) {
            notes.push(format!(
                "{} are the same build: games between them tell nothing, and are not rated.",
                names.join(" and ")
            ));
        }
        let taken = night.taken();
        if taken > 0 {
            notes.push(format!(
                "{taken} of {} are taken from earlier nights, as nothing about them has changed.",
                count::of(night.games.len(), "game", "games")
            ));
        }
        match night.ended {
            NightEnd::Complete => {}
            NightEnd::Time => notes.push("The night ended when its time was up (league.max_time).".to_owned()),
            NightEnd::Games => notes.push("The night ended with its last game (league.max_games).".to_owned()),
        }
        for noisy in &self.noisy {
            notes.push(format!(
                "The night is not compared with others, and its games are not rated: {}.",
                noisy.sentence()
            ));
        }
        if night.noise.shared && night.by_time {
            notes.push(
                "Games by time on a machine that others share say little: fixed nodes (game.time_control = \"nodes=20000\") do not \
                 depend on it."
                    .to_owned(),
            );
        }
        if let (Some(why), true) = (self.why_not, self.noisy.is_empty()) {
            notes.push(format!("No change is marked: {why}."));
        }
        if let Some(why) = &self.not_rated {
            notes.push(format!("Nobody is rated: {why}."));
        }
        if !self.one_sided.is_empty() {
            notes.push(format!(
                "Won or lost every game, and rated as if one more had been drawn: {}.",
                self.one_sided.join(", ")
            ));
        }
        notes.push(format!(
            "Ratings are one fit of {} on this class of machine under these conditions, ± is half of a 95 % interval; a change is marked \
             (*) once, if its interval leaves out 0, where the intervals of a night hold together with 97.5 %.",
            count::of(self.nights, "night", "nights")
        ));
        notes
    }

    /// As JSON.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct LeagueNightJson<'a> {
            schema: u32,
            league: &'a str,
            night: &'a str,
            run: &'a str,
            machine: &'a str,
            conditions: &'a str,
            nights: usize,
            games: usize,
            taken: usize,
            noisy: Vec<String>,
            builds: &'a [BuildRow],
            notes: Vec<String>,
        }
        let document = LeagueNightJson {
            schema: 1,
            league: &self.league,
            night: &self.night.name,
            run: &self.night.run,
            machine: &self.night.machine,
            conditions: &self.night.conditions,
            nights: self.nights,
            games: self.night.games.len(),
            taken: self.night.taken(),
            noisy: self.noisy.iter().map(Noisy::sentence).collect(),
            builds: &self.rows,
            notes: self.notes(),
        };
        serde_json::to_string(&document).expect("plain data") + "\n"
    }
}

/// Names that stand for the same build in a night.
fn same_builds(night: &Night) -> Vec<Vec<String>> {
    let mut of_builds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for build in &night.builds {
        of_builds.entry(&build.build).or_default().push(harmless(&build.name));
    }
    of_builds.into_values().filter(|names| names.len() > 1).collect()
}

fn percent(half_points: u32, games: u32) -> String {
    match games {
        0 => "–".to_owned(),
        games => format!("{:.1}", f64::from(half_points) * 50.0 / f64::from(games)),
    }
}

/// A rating with one digit; 0 has no sign.
fn elo(rating: f64) -> String {
    let text = format!("{rating:.1}");
    match text.as_str() {
        "-0.0" => "0.0".to_owned(),
        _ => text,
    }
}

fn signed(ahead: f64) -> String {
    match elo(ahead) {
        text if text.starts_with('-') || text == "0.0" => text,
        text => format!("+{text}"),
    }
}

/// A change as a cell. A marked one has a star; one that an earlier night marked has that night.
fn change_text(change: &ChangeRow) -> String {
    let mark = match &change.marked_in {
        _ if change.marked => " *".to_owned(),
        Some(night) => format!(", marked in {night}"),
        None => String::new(),
    };
    format!("{} ± {:.1}{mark}", signed(change.ahead), change.bound)
}
