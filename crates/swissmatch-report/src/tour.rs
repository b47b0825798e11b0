//! The overall standings of a tour as a page and as JSON.
//!
//! May not: rank anybody; share anything out.

use serde::Serialize;
use swiss_system::count;
use swiss_system::text::harmless;

use super::prizes::Exact;
use super::standings::BEFORE;
use super::table::{Column, Page, Table};
use swissmatch_tournament::log::TourEvent;
use swissmatch_tournament::money::Cents;
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::state::State;
use swissmatch_tournament::tour::{OpenTie, Overall, TourQualification, TourRow};
use swissmatch_tournament::tour_run::overall_of_run;

/// Place, name, tour points of each event and in total, and prizes.
pub fn page(setup: &Setup, events: &[TourEvent], overall: &Overall) -> Page {
    let (has_bonus, has_qualified) = (!setup.tour.bonus.is_empty(), setup.tour.qualified > 0);
    let has_before = overall.rows.iter().any(|row| row.before_playoff.is_some());
    let mut columns = vec![Column::figures("#")];
    columns.extend(has_before.then(|| Column::figures(BEFORE).goes(3)));
    columns.push(Column::names("Name"));
    columns.extend((1..=events.len()).map(|number| Column::figures(format!("E{number}")).goes(2)));
    columns.push(Column::figures("Total"));
    columns.extend(has_qualified.then(|| Column::words("Qualified")));
    columns.extend(has_bonus.then(|| Column::figures("Bonus").goes(1)));
    let rows = overall.rows.iter().map(|row| {
        let mut cells = vec![row.place.to_string()];
        let before = row.before_playoff.map_or_else(String::new, |place| place.to_string());
        cells.extend(has_before.then_some(before));
        cells.push(harmless(&row.name));
        let points = row.points.iter();
        cells.extend(points.map(|points| points.map_or_else(|| "-".to_owned(), |points| points.to_string())));
        cells.push(row.total.to_string());
        cells.extend(has_qualified.then(|| qualified(row).to_owned()));
        cells.extend(has_bonus.then(|| row.bonus.to_string()));
        cells
    });
    let mut notes: Vec<String> = (1..)
        .zip(events)
        .map(|(number, event): (usize, _)| format!("E{number}: {}.", harmless(&event.name)))
        .collect();
    notes.extend(overall.open.iter().map(|tie| {
        format!(
            "To be played off: places {} to {}, {}.",
            tie.first,
            tie.last,
            names(tie).join(", ")
        )
    }));
    if overall.pending > Cents::ZERO {
        notes.push(format!(
            "Pending: {} of the bonuses, spare cents by placing.",
            overall.pending
        ));
    }
    let money = match setup.prizes.currency.as_str() {
        currency if has_bonus && !currency.is_empty() => format!(", bonus in {}", harmless(currency)),
        _ => String::new(),
    };
    Page {
        title: format!(
            "{}: overall standings after {}{money}",
            harmless(&setup.event.name),
            count::of(events.len(), "event", "events")
        ),
        table: Table {
            columns,
            rows: rows.collect(),
        },
        notes,
    }
}

/// The page and the JSON for the run of a tour's play-offs; `None` for other runs.
pub fn report(state: &State) -> Option<(Page, String)> {
    let (events, overall) = of_tour(state)?;
    let setup = state.setup();
    Some((page(setup, events, &overall), json(setup, events, &overall)))
}

/// The JSON of [`report`] before it is written, to be put into another object.
pub fn document_of(state: &State) -> Option<impl Serialize> {
    let (events, overall) = of_tour(state)?;
    Some(document(state.setup(), events, &overall))
}

fn of_tour(state: &State) -> Option<(&[TourEvent], Overall)> {
    let events = state.created().tour.as_ref()?;
    let overall = overall_of_run(state, events).expect("the fold refuses what is no tour");
    Some((events, overall))
}

fn names(tie: &OpenTie) -> Vec<String> {
    tie.names.iter().map(|name| harmless(name)).collect()
}

const fn qualified(row: &TourRow) -> &'static str {
    match row.qualified {
        TourQualification::Yes => "yes",
        TourQualification::No => "no",
        TourQualification::Open => "open",
    }
}

/// Like [`page`], but as a JSON object. Money and points are strings, so that no reader makes floats of them.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(setup: &Setup, events: &[TourEvent], overall: &Overall) -> String {
    serde_json::to_string_pretty(&document(setup, events, overall)).expect("plain data") + "\n"
}

fn document(setup: &Setup, events: &[TourEvent], overall: &Overall) -> TourJson {
    let players = overall.rows.iter().map(|row| TourPlayerJson {
        place: row.place,
        place_before_playoff: row.before_playoff,
        name: harmless(&row.name),
        tour_points: row.points.iter().map(|points| points.map(Exact::from)).collect(),
        total: row.total.into(),
        qualified: qualified(row),
        bonus: row.bonus,
    });
    let to_play_off = overall.open.iter().map(|tie| TourTieJson {
        places: (tie.first, tie.last),
        players: names(tie),
    });
    TourJson {
        schema: 1,
        tour: harmless(&setup.event.name),
        events: events.iter().map(|event| harmless(&event.name)).collect(),
        currency: harmless(&setup.prizes.currency),
        players: players.collect(),
        to_play_off: to_play_off.collect(),
        pending_money: overall.pending,
    }
}

#[derive(Serialize)]
struct TourJson {
    schema: u32,
    tour: String,
    events: Vec<String>,
    currency: String,
    players: Vec<TourPlayerJson>,
    to_play_off: Vec<TourTieJson>,
    pending_money: Cents,
}

#[derive(Serialize)]
struct TourPlayerJson {
    place: u32,
    /// The place by tour points alone, for players whose tie was played off.
    #[serde(skip_serializing_if = "Option::is_none")]
    place_before_playoff: Option<u32>,
    name: String,
    /// One for each event; `null` if the player was not in it.
    tour_points: Vec<Option<Exact>>,
    total: Exact,
    qualified: &'static str,
    bonus: Cents,
}

#[derive(Serialize)]
struct TourTieJson {
    places: (u32, u32),
    players: Vec<String>,
}
