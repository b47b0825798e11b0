//! Tables of an event of several parts: one for each part, and the ranking in an event of stages.
//!
//! May not: rank anybody, count points.

use serde::Serialize;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::text::harmless;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::ranking::ranking_after;

use super::progress::CountedRounds;
use super::standings::{StandingsJson, document};
use super::table::{Column, Page, Table};
use super::untrusted::{event, name};
use super::{analysis, crosstable, playoff, standings};
use swissmatch_tournament::part::Part;
use swissmatch_tournament::state::State;

/// Pages that belong together; a single page for an event without parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pages(Vec<(String, Page)>);

impl From<Page> for Pages {
    fn from(page: Page) -> Self {
        Self(vec![(String::new(), page)])
    }
}

impl Pages {
    /// One after the other, as text. If there are several, a page without rows is only its title and notes.
    pub fn text(&self, width: Option<u16>) -> String {
        self.each(|page| page.text(width))
    }

    pub fn markdown(&self) -> String {
        self.each(Page::markdown)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Page> {
        self.0.iter().map(|(_, page)| page)
    }

    /// Pages of parts, each with its part's name.
    pub(super) const fn of_parts(pages: Vec<(String, Page)>) -> Self {
        Self(pages)
    }

    fn each(&self, text: impl Fn(&Page) -> String) -> String {
        let is_told_by_notes = |page: &Page| self.0.len() > 1 && page.table.rows.is_empty() && !page.notes.is_empty();
        let page = |(_, page): &(String, Page)| match is_told_by_notes(page) {
            true => text(&Page {
                table: Table::default(),
                ..page.clone()
            }),
            false => text(page),
        };
        self.0.iter().map(page).collect::<Vec<_>>().join("\n")
    }

    /// One table. Several pages become one with every column that any of them has; the first column names the part.
    pub fn csv(&self) -> String {
        if let [(_, page)] = self.0.as_slice() {
            return page.table.csv();
        }
        let widest = self
            .0
            .iter()
            .map(|(_, page)| &page.table.columns)
            .max_by_key(|columns| columns.len());
        let mut columns = widest.cloned().unwrap_or_default();
        for column in self.0.iter().flat_map(|(_, page)| &page.table.columns) {
            if !columns.iter().any(|known| known.header == column.header) {
                columns.push(column.clone());
            }
        }
        let rows = self.0.iter().flat_map(|(part, page)| {
            let columns = &columns;
            page.table.rows.iter().map(move |row| {
                let cell = |column: &Column| {
                    let at = page.table.columns.iter().position(|own| own.header == column.header);
                    at.map_or_else(String::new, |at| row[at].clone())
                };
                std::iter::once(part.clone()).chain(columns.iter().map(cell)).collect()
            })
        });
        let rows = rows.collect();
        let columns = std::iter::once(Column::words("Part"))
            .chain(columns.iter().cloned())
            .collect();
        Table { columns, rows }.csv()
    }
}

/// A page of each part that had begun after the first `rounds` rounds; for an event without parts, its page.
fn of_each(state: &State, rounds: usize, page: impl Fn(&State, usize) -> Page) -> Pages {
    if !state.is_divided() {
        return page(state, rounds).into();
    }
    let parts = parts_after(state, rounds).into_iter();
    Pages(
        parts
            .map(|(part, own, rounds)| (harmless(&part.to_string()), page(&own, rounds)))
            .collect(),
    )
}

/// The standings after the first `rounds` rounds, with a table for each part; in an event of stages, the ranking comes first.
pub fn standings(state: &State, rounds: usize) -> Pages {
    let mut pages = of_each(state, rounds, standings::page);
    // Once is enough.
    let all_but_last = pages.0.iter_mut().rev().skip(1);
    all_but_last.for_each(|(_, page)| page.notes.retain(|note| !analysis::is_missing(note)));
    if state.created().format == TournamentFormat::Stages {
        pages.0.insert(0, ("ranking".to_owned(), ranking(state, rounds)));
    }
    pages
}

/// The crosstables after the first `rounds` rounds, one for each part.
pub fn crosstables(state: &State, rounds: usize) -> Pages {
    of_each(state, rounds, crosstable::by_round)
}

/// Like [`crosstables`], but as a JSON object: with `players` for an event without parts, otherwise with `parts`, each with its own.
///
/// # Panics
/// Never: everything in it can be written.
pub fn crosstables_json(state: &State, rounds: usize) -> String {
    let is_divided = state.is_divided();
    let of_part = |(part, own, rounds): &(Part, State, usize)| PartMeetings {
        part: harmless(&part.to_string()),
        stage: part.stage,
        section: part.section,
        rounds_before: part.rounds_before,
        meetings: crosstable::json::document(own, *rounds),
    };
    let document = Meetings {
        schema: 1,
        event: event(state),
        whole: (!is_divided).then(|| crosstable::json::document(state, rounds)),
        parts: is_divided.then(|| parts_after(state, rounds).iter().map(of_part).collect()),
    };
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}

#[derive(Serialize)]
struct Meetings {
    schema: u32,
    event: String,
    #[serde(flatten)]
    whole: Option<crosstable::json::CrosstableJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<PartMeetings>>,
}

#[derive(Serialize)]
struct PartMeetings {
    part: String,
    stage: Option<u32>,
    section: Option<u32>,
    /// Rounds of the event before the first of this part.
    rounds_before: u32,
    /// Pairing numbers and rounds are those of the part.
    #[serde(flatten)]
    meetings: crosstable::json::CrosstableJson,
}

fn ranking(state: &State, rounds: usize) -> Page {
    let counted = CountedRounds::new(state, rounds);
    let ranking = ranking_after(state, counted.rounds.len());
    let rows = ranking
        .iter()
        .map(|(place, number)| vec![place.to_string(), name(state, *number)]);
    let title = if counted.is_final(state) {
        format!("{}: final ranking", event(state))
    } else {
        format!("{}: ranking", event(state))
    };
    Page {
        title,
        table: Table {
            columns: vec![Column::figures("#"), Column::names("Name")],
            rows: rows.collect(),
        },
        notes: std::iter::once(
            "The players of the last stage come first, as it ranks them; then the others, as the stage before left \
             them."
                .to_owned(),
        )
        .chain(standings::early(state))
        .chain(playoff::settled(state))
        .collect(),
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Standings {
    Whole(StandingsJson),
    Divided(DividedStandingsJson),
}

#[derive(Serialize)]
struct DividedStandingsJson {
    schema: u32,
    event: String,
    round: usize,
    rounds: u32,
    r#final: bool,
    /// Only in an event of stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranking: Option<Vec<RankedPlayerJson>>,
    parts: Vec<PartStandingsJson>,
}

#[derive(Serialize)]
struct RankedPlayerJson {
    place: u32,
    pairing_number: u32,
    name: String,
}

#[derive(Serialize)]
struct PartStandingsJson {
    part: String,
    stage: Option<u32>,
    section: Option<u32>,
    format: String,
    /// Rounds of the event before the first of this part.
    rounds_before: u32,
    /// As for an event without parts; pairing numbers are those of the part.
    #[serde(flatten)]
    standings: StandingsJson,
}

impl PartStandingsJson {
    fn new(part: &Part, state: &State, rounds: usize) -> Self {
        Self {
            part: harmless(&part.to_string()),
            stage: part.stage,
            section: part.section,
            format: part.format.to_string(),
            rounds_before: part.rounds_before,
            standings: document(state, rounds, None),
        }
    }
}

/// The standings after the first `rounds` rounds as a JSON object: as [`standings::json`] for an event without parts, otherwise with a list
/// `parts` of such objects.
///
/// # Panics
/// Never: everything in it can be written.
pub fn standings_json(state: &State, rounds: usize) -> String {
    serde_json::to_string_pretty(&standings_document(state, rounds)).expect("plain data") + "\n"
}

/// Like [`standings_json`], but before it is written, to be put into another object.
pub fn standings_document(state: &State, rounds: usize) -> impl Serialize {
    match state.is_divided() {
        true => Standings::Divided(divided(state, rounds)),
        false => Standings::Whole(document(state, rounds, None)),
    }
}

fn divided(state: &State, rounds: usize) -> DividedStandingsJson {
    let counted = CountedRounds::new(state, rounds);
    let ranked = |(place, number): (u32, swiss_system::pairing::history::PairingNumber)| RankedPlayerJson {
        place,
        pairing_number: number.0,
        name: name(state, number),
    };
    let has_stages = state.created().format == TournamentFormat::Stages;
    let parts = parts_after(state, rounds).into_iter();
    DividedStandingsJson {
        schema: 1,
        event: event(state),
        round: counted.over,
        rounds: state.created().rounds,
        r#final: counted.is_final(state),
        ranking: has_stages.then(|| ranking_after(state, rounds).into_iter().map(ranked).collect()),
        parts: parts
            .map(|(part, own, rounds)| PartStandingsJson::new(&part, &own, rounds))
            .collect(),
    }
}

#[cfg(test)]
mod tests;
