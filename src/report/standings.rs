//! The standings as a page and as JSON.
//!
//! May not: rank anybody; that is `crate::standings`.

use serde::Serialize;

use super::progress::{Counted, RoundProgress};
use super::table::{Column as TableColumn, Page, Table};
use super::untrusted::{event, name};
use crate::score::Points;
use crate::standings::Row;
use crate::tournament::event::Format;
use crate::tournament::setup::Column;
use crate::tournament::state::State;

/// The standings after the first `rounds` rounds (all of them, if there are fewer), as text.
#[must_use]
pub fn text(state: &State, rounds: usize, width: Option<u16>) -> String {
    page(state, rounds).text(width)
}

/// The standings after the first `rounds` rounds, by the columns of the setup. In a round that is still being played,
/// finished mini-matches count.
#[must_use]
pub fn page(state: &State, rounds: usize) -> Page {
    let counted = Counted::of(state, rounds);
    let columns = &state.setup().standings.columns;
    let mut headers = vec![TableColumn::figures("#"), TableColumn::names("Name")];
    headers.extend(columns.iter().map(|&column| TableColumn::figures(header(column))));
    let standings = state.standings(counted.rounds.len());
    let rows = standings.rows.iter().map(|row| {
        let shown = columns.iter().map(|&column| cell(row, column));
        [row.place.to_string(), name(state, row.player)]
            .into_iter()
            .chain(shown)
            .collect()
    });
    let mut notes = notes(state, &counted);
    let not_all_met = standings.rows.iter().any(|row| row.h2h.tied_group && !row.h2h.all_met);
    if columns.contains(&Column::H2h) && not_all_met {
        notes.insert(
            0,
            "* H2H among players level with each other who have not all met.".to_owned(),
        );
    }
    Page {
        title: title(state, &counted),
        table: Table {
            columns: headers,
            rows: rows.collect(),
        },
        notes,
    }
}

/// The standings after the first `rounds` rounds as a JSON object. Points are strings, so that no reader makes floats of
/// them.
///
/// # Panics
/// Never: everything in it can be written.
#[must_use]
pub fn json(state: &State, rounds: usize) -> String {
    let counted = Counted::of(state, rounds);
    let standings = state.standings(counted.rounds.len());
    let document = Document {
        schema: 1,
        event: event(state),
        round: counted.over,
        rounds: state.created().rounds,
        r#final: counted.is_final(state),
        in_progress: counted.in_progress(),
        players: standings.rows.iter().map(|row| Player::new(state, row)).collect(),
    };
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}

fn title(state: &State, counted: &Counted<'_>) -> String {
    let (event, over, rounds) = (event(state), counted.over, state.created().rounds);
    match counted.in_progress() {
        _ if counted.is_final(state) => format!("{event}: final standings after {rounds} rounds"),
        Some(now) => format!(
            "{event}: standings during round {} of {rounds}, {} of {} games played",
            now.round, now.played, now.games
        ),
        None if over == 0 => format!("{event}: before round 1 of {rounds}"),
        None => format!("{event}: standings after round {over} of {rounds}"),
    }
}

/// What the standings do not say by themselves.
fn notes(state: &State, counted: &Counted<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    if counted.in_progress().is_some() {
        notes.push("Match points are those of finished mini-matches.".to_owned());
    }
    let numbered = || (1..).zip(counted.rounds);
    let byes = numbered().filter_map(|(number, round): (usize, _)| {
        round
            .pairing
            .bye
            .map(|player| format!("round {number} {}", name(state, player)))
    });
    push_list(&mut notes, "Byes", byes);
    let repeats = numbered().flat_map(|(number, round): (usize, _)| {
        let repeats = round.pairing.pairs.iter().filter(|pair| pair.repeat);
        repeats.map(move |pair| {
            format!(
                "round {number} {} – {}",
                name(state, pair.white),
                name(state, pair.black)
            )
        })
    });
    push_list(&mut notes, "Forced repeats", repeats);
    if state.created().format == Format::AllPlayAll {
        notes.push("All-play-all: everybody meets everybody once, by Berger tables.".to_owned());
    }
    notes
}

fn push_list(notes: &mut Vec<String>, what: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        notes.push(format!("{what}: {}.", items.join("; ")));
    }
}

const fn header(column: Column) -> &'static str {
    match column {
        Column::MatchPoints => "MP",
        Column::H2h => "H2H",
        Column::Buchholz => "Buchholz",
        Column::SonnebornBerger => "SB",
        Column::GamePoints => "GP",
        Column::Acpl => "ACPL",
        Column::WinRate => "Win %",
        Column::Wdl => "W/D/L",
        Column::Games => "Games",
        Column::Byes => "Byes",
        Column::Faults => "Faults",
    }
}

/// What a row has in a column; blank where there is nothing: nobody level, nothing analysed, no game played.
fn cell(row: &Row, column: Column) -> String {
    match column {
        Column::MatchPoints => row.match_points.to_string(),
        Column::H2h if !row.h2h.tied_group => String::new(),
        Column::H2h => format!("{}{}", row.h2h.points, if row.h2h.all_met { "" } else { "*" }),
        Column::Buchholz => row.buchholz.to_string(),
        Column::SonnebornBerger => row.sonneborn_berger.to_string(),
        Column::GamePoints => row.game_points.to_string(),
        Column::Acpl => String::new(),
        Column::WinRate => win_rate(row).unwrap_or_default(),
        Column::Wdl => format!("{}/{}/{}", row.games.won, row.games.drawn, row.games.lost),
        Column::Games => row.games.played().to_string(),
        Column::Byes => row.byes.to_string(),
        Column::Faults => row.games.faults.to_string(),
    }
}

fn win_rate(row: &Row) -> Option<String> {
    (row.games.played() > 0).then(|| row.win_rate().to_string())
}

#[derive(Serialize)]
struct Document {
    schema: u32,
    event: String,
    round: usize,
    rounds: u32,
    r#final: bool,
    in_progress: Option<RoundProgress>,
    players: Vec<Player>,
}

#[derive(Serialize)]
struct Player {
    place: u32,
    pairing_number: u32,
    name: String,
    match_points: Points,
    h2h: Option<HeadToHead>,
    buchholz: Points,
    sonneborn_berger: Points,
    game_points: Points,
    /// Always `null`: nothing is analysed yet.
    acpl: Option<String>,
    win_rate: Option<String>,
    won: u32,
    drawn: u32,
    lost: u32,
    games: u32,
    forfeits_won: u32,
    forfeits_lost: u32,
    byes: u32,
    repeats: u32,
    faults: u32,
}

#[derive(Serialize)]
struct HeadToHead {
    points: Points,
    all_met: bool,
}

impl Player {
    fn new(state: &State, row: &Row) -> Self {
        let h2h = row.h2h;
        Self {
            place: row.place,
            pairing_number: row.player.0,
            name: name(state, row.player),
            match_points: row.match_points,
            h2h: h2h.tied_group.then_some(HeadToHead {
                points: h2h.points,
                all_met: h2h.all_met,
            }),
            buchholz: row.buchholz,
            sonneborn_berger: row.sonneborn_berger,
            game_points: row.game_points,
            acpl: None,
            win_rate: win_rate(row),
            won: row.games.won,
            drawn: row.games.drawn,
            lost: row.games.lost,
            games: row.games.played(),
            forfeits_won: row.games.forfeits_won,
            forfeits_lost: row.games.forfeits_lost,
            byes: row.byes,
            repeats: row.repeats,
            faults: row.games.faults,
        }
    }
}

#[cfg(test)]
mod tests;
