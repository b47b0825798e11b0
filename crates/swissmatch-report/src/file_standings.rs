//! The standings of a tournament file as a page and as JSON.
//!
//! May not: rank anybody.

use std::collections::BTreeMap;

use serde::Serialize;
use swiss_system::score::Points;
use swiss_system::standings::criterion::{Code, Score};
use swiss_system::standings::results::{Results, ResultsFormat, RoundFate};
use swiss_system::standings::{Standings, StandingsRow};
use swiss_system::text::harmless;
use swiss_system::trf::EditionBy;

use super::decimal::Decimal;
use super::standings::{exact, header, ranked_by, value, values};
use super::table::{Column, MARK, Page, Table};
use swissmatch_tournament::column::Column as StandingsColumn;

/// Facts about the file, other than the players.
#[derive(Clone, Debug)]
pub struct About {
    /// Name of the tournament, or of the file.
    pub title: String,
    /// Rounds that count.
    pub rounds: usize,
    /// The edition by which unplayed rounds count, as `--edition` has it.
    pub edition: &'static str,
    /// Where the edition was taken from.
    pub edition_by: EditionBy,
    /// The seed for drawing lots.
    pub rng_seed: u64,
    /// The score that ranks.
    pub primary: Score,
    pub warnings: Vec<String>,
}

/// Place, pairing number, name, rating, and a column for each criterion.
pub fn page(results: &Results, standings: &Standings, about: &About) -> Page {
    let is_rated = results.players.iter().any(|player| player.rating(0).is_some());
    let mut columns = vec![
        Column::figures("#"),
        Column::figures("No.").goes(usize::MAX),
        Column::names("Name"),
    ];
    columns.extend(is_rated.then(|| Column::figures("Rtg").goes(usize::MAX)));
    columns.extend(
        standings
            .criteria
            .iter()
            .enumerate()
            .map(|(turn, criterion)| ranked_by(Column::figures(header(StandingsColumn::Criterion(*criterion))), turn)),
    );
    let rows = standings.rows.iter().map(|row| {
        let index = row.player.index();
        let mut cells = vec![
            row.place.to_string(),
            results.number(row.player).to_string(),
            harmless(&results.names[index]),
        ];
        let rating = results.players[index].rating(0);
        cells.extend(is_rated.then(|| rating.map_or_else(String::new, |rating| rating.to_string())));
        cells.extend(row.cells.iter().map(value));
        cells
    });
    let rows = rows.collect();
    let mut notes: Vec<String> = Vec::new();
    for (index, criterion) in standings.criteria.iter().enumerate() {
        let marked = |row: &StandingsRow| !row.cells[index].all_met && row.cells[index].value.is_some();
        if standings.rows.iter().any(marked) {
            notes.push(format!(
                "{MARK} {criterion}: among players level with each other who have not all met."
            ));
        }
    }
    if standings.criteria.iter().any(|criterion| criterion.code == Code::Lot) {
        notes.push(format!("The lot is drawn from the seed {}.", about.rng_seed));
    }
    notes.push(format!(
        "C.07, edition {}: {}.",
        about.edition,
        harmless(&about.edition_by.to_string())
    ));
    let title = harmless(&about.title);
    Page {
        title: match about.rounds {
            0 => format!("{title}: before round 1"),
            rounds if is_unfinished(results) => format!("{title}: standings during round {rounds}"),
            rounds => format!("{title}: standings after round {rounds}"),
        },
        table: Table { columns, rows },
        notes,
    }
}

fn is_unfinished(results: &Results) -> bool {
    let mut last = results.players.iter().filter_map(|player| player.rounds.last());
    last.any(|round| matches!(round.fate, RoundFate::Unfinished { .. }))
}

#[derive(Serialize)]
struct FileStandingsJson {
    schema: u32,
    tournament: String,
    rounds: usize,
    format: &'static str,
    edition: &'static str,
    edition_by: String,
    rng_seed: u64,
    tiebreaks: Vec<String>,
    players: Vec<FilePlayerJson>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct FilePlayerJson {
    place: u32,
    pairing_number: u32,
    name: String,
    rating: Option<i32>,
    points: Points,
    values: BTreeMap<String, Option<Decimal>>,
    /// Values that are no decimals, as fractions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    exact: BTreeMap<String, String>,
}

/// The standings as a JSON object. Points and values are strings, so that no reader makes floats of them. A value that is no decimal is
/// rounded to two places, and `exact` has it as a fraction.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(results: &Results, standings: &Standings, about: &About) -> String {
    let players = standings.rows.iter().map(|row| FilePlayerJson {
        place: row.place,
        pairing_number: results.number(row.player),
        name: harmless(&results.names[row.player.index()]),
        rating: results.players[row.player.index()].rating(0),
        points: row.points_by(about.primary),
        values: values(standings, row),
        exact: exact(standings, row),
    });
    let document = FileStandingsJson {
        schema: 1,
        tournament: harmless(&about.title),
        rounds: about.rounds,
        format: match results.format {
            ResultsFormat::Swiss => "swiss",
            ResultsFormat::RoundRobin => "round-robin",
        },
        edition: about.edition,
        edition_by: harmless(&about.edition_by.to_string()),
        rng_seed: about.rng_seed,
        tiebreaks: standings.criteria.iter().map(ToString::to_string).collect(),
        players: players.collect(),
        warnings: about.warnings.clone(),
    };
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}
