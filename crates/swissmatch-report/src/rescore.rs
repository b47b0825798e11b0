//! A run ranked by other rules, as a page and as JSON: the new table, and the changes from the old one.
//!
//! May not: rank anybody.

mod answers;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;
use swiss_system::text::harmless;

use super::decimal::Decimal;
use super::parts::Pages;
use super::playoff;
use super::progress::CountedRounds;
use super::standings::{header, notes_of_criteria, ranked_by, title, value, values};
use super::table::{Column as TableColumn, Page, Table};
use super::untrusted::{event, name};
use swissmatch_tournament::answers::Answers;
use swissmatch_tournament::column::Column;
use swissmatch_tournament::rescore::RescoredStandings;
use swissmatch_tournament::setup::DisqualificationEffect;
use swissmatch_tournament::state::{RefinedTie, State};

/// The changes, in words.
#[derive(Clone, Debug)]
pub struct RescoreChanges {
    /// Keys with their old and new values: `standings.edition: "2026" → "2024"`.
    pub keys: Vec<String>,
    /// The rating given to players who have none.
    pub unrated: Option<i32>,
    /// Players who are disqualified.
    pub out: Vec<PairingNumber>,
    /// The effect of their disqualification.
    pub usage: DisqualificationEffect,
    /// The results of judging models' answers again, if that is asked for.
    pub answers: Option<Answers>,
}

/// The old place of each player, by pairing number.
fn places(rescored: &RescoredStandings) -> BTreeMap<PairingNumber, u32> {
    rescored.before.rows.iter().map(|row| (row.player, row.place)).collect()
}

/// The standings; then, if answers of models are judged again, whose they are and which turns change.
pub fn pages(state: &State, rounds: usize, rescored: &RescoredStandings, changes: &RescoreChanges) -> Pages {
    let standings = page(state, rounds, rescored, changes);
    match &changes.answers {
        None => standings.into(),
        Some(answers) => Pages::of_parts(vec![
            ("standings".to_owned(), standings),
            ("models".to_owned(), answers::models(state, answers)),
            ("turns".to_owned(), answers::turns(state, answers)),
        ]),
    }
}

/// New place, old place, name, and a column for each criterion that ranks.
pub fn page(state: &State, rounds: usize, rescored: &RescoredStandings, changes: &RescoreChanges) -> Page {
    let counted = CountedRounds::new(state, rounds);
    let was = places(rescored);
    let after = &rescored.after;
    let mut columns = vec![
        TableColumn::figures("#"),
        TableColumn::figures("Was"),
        TableColumn::words(""),
        TableColumn::names("Name"),
    ];
    let ranking = &after.criteria[..after.ranking];
    columns.extend(
        ranking
            .iter()
            .enumerate()
            .map(|(turn, criterion)| ranked_by(TableColumn::figures(header(Column::Criterion(*criterion))), turn)),
    );
    let mut moved = 0;
    let rows = after.rows.iter().map(|row| {
        let old = was[&row.player];
        let arrow = match row.place.cmp(&old) {
            Ordering::Less => "▲",
            Ordering::Equal => "",
            Ordering::Greater => "▼",
        };
        moved += usize::from(row.place != old);
        let mut cells = vec![
            row.place.to_string(),
            old.to_string(),
            arrow.to_owned(),
            name(state, row.player),
        ];
        cells.extend(row.cells[..after.ranking].iter().map(value));
        cells
    });
    let rows = rows.collect();
    let mut notes: Vec<String> = changes.keys.iter().map(|key| harmless(key)).collect();
    for player in &changes.out {
        let usage = match changes.usage {
            DisqualificationEffect::OffTheList => "off the list; those below move up, and nobody's score changes",
            DisqualificationEffect::Annulled => "out; the mini-matches of this player are annulled",
        };
        let was = was
            .get(player)
            .map_or_else(|| "was not listed".to_owned(), |place| format!("was {place}"));
        notes.push(format!("{} ({was}): {usage}.", name(state, *player)));
    }
    notes.extend(changes.answers.iter().flat_map(answers::notes));
    notes.extend(playoff::decided_of(state, after));
    notes.extend(rescored.not_counted.iter().map(|tie| not_counted(state, tie)));
    notes.push(match moved {
        0 => "Nobody's place changes.".to_owned(),
        1 => "One place changes.".to_owned(),
        moved => format!("{moved} places change."),
    });
    notes.extend(notes_of_criteria(
        state,
        &rescored.results,
        after,
        ranking.iter().copied(),
        changes.unrated,
    ));
    if counted.in_progress().is_some() {
        notes.push("Match points are from finished mini-matches only.".to_owned());
    }
    notes.push("The pairings stay as they were played. Nothing stored was changed.".to_owned());
    Page {
        title: format!("{}, by other rules", title(state, &counted)),
        table: Table { columns, rows },
        notes,
    }
}

/// A sentence on a play-off that does not count by the other rules.
fn not_counted(state: &State, tie: &RefinedTie) -> String {
    format!(
        "The play-off of {} does not count here: they are not exactly the players who are tied for places {} to {}.",
        tied(state, tie).join(", "),
        tie.first_place,
        tie.last_place()
    )
}

fn tied(state: &State, tie: &RefinedTie) -> Vec<String> {
    let players = tie.parts.iter().flatten();
    players.map(|player| name(state, *player)).collect()
}

#[derive(Serialize)]
struct RescoreJson {
    schema: u32,
    event: String,
    changes: Vec<String>,
    out: Vec<Out>,
    /// Play-offs, and whether they count by these rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    playoffs: Vec<Playoff>,
    tiebreaks: Vec<String>,
    players: Vec<RescoredPlayerJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<answers::Json>,
}

#[derive(Serialize)]
struct Playoff {
    first_place: u32,
    last_place: u32,
    tied: Vec<String>,
    counts: bool,
}

#[derive(Serialize)]
struct Out {
    pairing_number: u32,
    name: String,
    /// `None` for a player who was not listed.
    was: Option<u32>,
    usage: DisqualificationEffect,
}

#[derive(Serialize)]
struct RescoredPlayerJson {
    place: u32,
    /// The place by the criteria alone, for players whose tie was played off.
    #[serde(skip_serializing_if = "Option::is_none")]
    place_before_playoff: Option<u32>,
    was: u32,
    pairing_number: u32,
    name: String,
    match_points: Points,
    game_points: Points,
    values: BTreeMap<String, Option<Decimal>>,
    values_before: BTreeMap<String, Option<Decimal>>,
}

/// Like [`page`], but as a JSON object.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(state: &State, rescored: &RescoredStandings, changes: &RescoreChanges) -> String {
    let was = places(rescored);
    let before = |player| rescored.before.rows.iter().find(|row| row.player == player);
    let players = rescored.after.rows.iter().map(|row| RescoredPlayerJson {
        place: row.place,
        place_before_playoff: row.before_playoff,
        was: was[&row.player],
        pairing_number: row.player.0,
        name: name(state, row.player),
        match_points: row.points,
        game_points: row.game_points,
        values: values(&rescored.after, row),
        values_before: before(row.player).map_or_else(BTreeMap::new, |row| values(&rescored.before, row)),
    });
    let out = changes.out.iter().map(|player| Out {
        pairing_number: player.0,
        name: name(state, *player),
        was: was.get(player).copied(),
        usage: changes.usage,
    });
    let after = &rescored.after;
    let playoff = |first_place, last_place, tied, counts| Playoff {
        first_place,
        last_place,
        tied,
        counts,
    };
    let counted = after.played_off.iter().map(|tie| {
        let players = tie.parts.iter().flatten().map(|player| name(state, *player));
        playoff(tie.first_place, tie.last_place(), players.collect(), true)
    });
    let not_counted = rescored.not_counted.iter();
    let others = not_counted.map(|tie| playoff(tie.first_place, tie.last_place(), tied(state, tie), false));
    let document = RescoreJson {
        schema: 1,
        event: event(state),
        playoffs: counted.chain(others).collect(),
        changes: changes.keys.iter().map(|key| harmless(key)).collect(),
        out: out.collect(),
        tiebreaks: after.criteria[..after.ranking]
            .iter()
            .map(ToString::to_string)
            .collect(),
        players: players.collect(),
        answers: changes.answers.as_ref().map(|answers| answers::json(state, answers)),
    };
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}
