//! The standings as a page.
//!
//! May not: rank anybody; that is `swiss_system::standings`.

mod json;
pub(super) mod models;

use swiss_system::count;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::criterion::{Code, Criterion};
use swiss_system::standings::results::{ColorCounts, Results};
use swiss_system::standings::table::unrated_players;
use swiss_system::standings::{Standings, StandingsCell, StandingsRow};
use swiss_system::text::harmless;

pub(super) use self::json::{StandingsJson, document, json_with};
pub use self::json::{exact, json, values};
use super::progress::CountedRounds;
use super::table::{Column as TableColumn, MARK, Page, Table};
use super::untrusted::{event, name};
use super::{analysis, cut_off, playoff, stop, unplayed};
use swissmatch_tournament::analysis::{QualityTally, Tallies, tallies_after};
use swissmatch_tournament::column::Column;
use swissmatch_tournament::figures::{PlayerFigures, figures_after};
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::State;

/// The header of the places before a play-off.
pub(super) const BEFORE: &str = "Before";

/// The place before the play-off; blank without one.
pub(super) fn before_playoff(row: &StandingsRow) -> String {
    row.before_playoff.map_or_else(String::new, |place| place.to_string())
}

/// The standings after the first `rounds` rounds, with the columns of the setup. In a round that is still being played, finished
/// mini-matches count.
pub fn page(state: &State, rounds: usize) -> Page {
    let counted = CountedRounds::new(state, rounds);
    let keys = &state.setup().standings;
    // Criteria that rank are always shown.
    let mut columns = keys.columns.clone();
    for criterion in &keys.order {
        if !columns.iter().any(|column| column.to_string() == criterion.to_string()) {
            columns.push(Column::Criterion(*criterion));
        }
    }
    let tallies = tallies_after(state, counted.rounds.len());
    let mut waiting = Vec::new();
    if tallies.is_none() {
        (waiting, columns) = columns.into_iter().partition(|column| is_of_analysis(*column));
    }
    let standings = standings_after(state, counted.rounds.len());
    let has_before = !standings.played_off.is_empty();
    let mut headers = vec![TableColumn::figures("#")];
    headers.extend(has_before.then(|| TableColumn::figures(BEFORE).goes(usize::MAX)));
    headers.push(TableColumn::names("Name"));
    let (out, gone) = unplayed::out(state, counted.rounds.len(), &standings.rows).unzip();
    headers.extend(out);
    let shown = distinct_headers(&columns).into_iter().zip(&columns);
    headers.extend(shown.map(|(header, column)| {
        let mut ranking = keys.order.iter();
        let turn = ranking.position(|criterion| column.to_string() == criterion.to_string());
        ranked_by(TableColumn::figures(header), turn.unwrap_or(usize::MAX))
    }));
    let figures = figures_for(state, &counted, &columns);
    let rows = standings.rows.iter().enumerate().map(|(index, row)| {
        let tally = tally(tallies.as_deref(), row);
        let figures = &figures[row.player.index()];
        let shown = columns
            .iter()
            .map(|&column| cell(state, &standings, row, (tally, figures), column));
        std::iter::once(row.place.to_string())
            .chain(has_before.then(|| before_playoff(row)))
            .chain(std::iter::once(name(state, row.player)))
            .chain(gone.as_ref().map(|gone: &Vec<&str>| gone[index].to_owned()))
            .chain(shown)
            .collect()
    });
    let results = results_after(state, counted.rounds.len());
    let mut notes = notes(state, &counted, &results);
    let criteria = columns.iter().filter_map(|column| match column {
        Column::Criterion(criterion) => Some(*criterion),
        _ => None,
    });
    let of_criteria = notes_of_criteria(state, &results, &standings, criteria, keys.unrated);
    notes.splice(0..0, of_criteria);
    notes.extend(models::notes(state, &columns));
    if columns.iter().any(|column| is_of_analysis(*column)) {
        notes.extend(analysis::note(state, counted.rounds.len()));
    }
    notes.extend(
        (counted.over > 0)
            .then(|| analysis::missing(&distinct_headers(&waiting)))
            .flatten(),
    );
    Page {
        title: title(state, &counted),
        table: Table {
            columns: headers,
            rows: rows.collect(),
        },
        notes,
    }
}

/// The figures of all players, if one of the columns needs them.
fn figures_for(state: &State, counted: &CountedRounds<'_>, columns: &[Column]) -> Vec<PlayerFigures> {
    match columns.iter().any(|&column| models::is_of_models(column)) {
        true => figures_after(state, counted.rounds.len()),
        false => vec![PlayerFigures::default(); state.player_count()],
    }
}

pub(super) fn title(state: &State, counted: &CountedRounds<'_>) -> String {
    let (event, over, rounds) = (event(state), counted.over, state.created().rounds);
    if let (true, Some(_)) = (counted.is_final(state), early(state)) {
        return format!(
            "{event}: final standings after {over} of {}",
            count::of(rounds as usize, "round", "rounds")
        );
    }
    match counted.in_progress() {
        _ if counted.is_final(state) => format!(
            "{event}: final standings after {}",
            count::of(rounds as usize, "round", "rounds")
        ),
        Some(now) => format!(
            "{event}: standings during round {} of {rounds}, {} of {} played",
            now.round,
            now.played,
            count::of(now.games, "game", "games")
        ),
        None if over == 0 => format!("{event}: before round 1 of {rounds}"),
        None => format!("{event}: standings after round {over} of {rounds}"),
    }
}

/// Notes on what the standings do not show by themselves.
fn notes(state: &State, counted: &CountedRounds<'_>, results: &Results) -> Vec<String> {
    use TournamentFormat::{AllPlayAll, Gauntlet, Knockout, Quads, Sections, Stages, Swiss};
    let mut notes = Vec::new();
    if counted.over == state.last_round() as usize {
        notes.extend(early(state));
        notes.extend(playoff::settled(state));
    }
    if counted.in_progress().is_some() {
        notes.push("Match points are from finished mini-matches only.".to_owned());
    }
    for house in state.house_players() {
        notes.push(format!(
            "House player, who plays when the number of the others is odd, and is not ranked: {}.",
            name(state, house)
        ));
    }
    let numbered = (1..).zip(counted.rounds);
    notes.extend(unplayed::notes(state, results));
    if state.numbers().any(|player| state.player(player).is_elsewhere()) {
        notes.extend(cut_off::note(state, &figures_after(state, counted.rounds.len())));
    }
    let repeats = numbered.flat_map(|(number, round): (usize, _)| {
        let repeats = round.pairing.pairs.iter().filter(|pair| pair.repeat);
        repeats.map(move |pair| {
            format!(
                "round {number} {} – {}",
                name(state, pair.white),
                name(state, pair.black)
            )
        })
    });
    let repeats: Vec<String> = repeats.collect();
    if !repeats.is_empty() {
        notes.push(format!("Forced repeats: {}.", repeats.join("; ")));
    }
    let how_often = match state.setup().swiss.rounds.cycles() {
        1 => "once".to_owned(),
        cycles => format!("in each of {cycles} cycles"),
    };
    let of_format = match state.created().format {
        // Two players always meet each other, whatever the table.
        AllPlayAll if state.player_count() == 2 => return notes,
        AllPlayAll => {
            format!("All-play-all: everybody meets everybody {how_often}, by Berger tables.")
        }
        Gauntlet => {
            format!("Gauntlet: the first players meet everybody else {how_often}; the others play fewer rounds.")
        }
        Knockout => {
            let third = state.setup().playoff.third.among(state.player_count()).exception();
            format!(
                "Knockout: places go by the round in which a player went out; those who went out together share a place{third}."
            )
        }
        Swiss | Quads | Stages | Sections => {
            return notes;
        }
    };
    notes.push(of_format);
    notes
}

/// A sentence that the arbiter or the stop rule ended the event early, and why.
pub(super) fn early(state: &State) -> Option<String> {
    if let Some(stopped) = stop::stopped(state) {
        return Some(stopped);
    }
    let early = state.orders().ended.as_ref()?;
    let rounds = state.created().rounds;
    (early.rounds < rounds).then(|| {
        format!(
            "Ended after round {} of {rounds} by {}: {}.",
            early.rounds,
            harmless(&early.by),
            harmless(&early.reason)
        )
    })
}

/// The column of the criterion that breaks ties left by `turn` others. It gives way after those of later criteria, and the first one stays.
pub(super) fn ranked_by(column: TableColumn, turn: usize) -> TableColumn {
    match turn {
        0 => column,
        turn => column.goes(turn),
    }
}

/// Headers of columns; columns that would share one have the names of their criteria.
fn distinct_headers(columns: &[Column]) -> Vec<String> {
    let headers: Vec<String> = columns.iter().map(|&column| header(column)).collect();
    let is_alone = |wanted: &String| headers.iter().filter(|header| *header == wanted).count() == 1;
    let distinct = headers.iter().zip(columns);
    distinct
        .map(|(header, column)| {
            if is_alone(header) {
                header.clone()
            } else {
                column.to_string()
            }
        })
        .collect()
}

/// Notes on criteria: a star, and missing ratings.
pub(super) fn notes_of_criteria(
    state: &State,
    results: &Results,
    standings: &Standings,
    criteria: impl Iterator<Item = Criterion>,
    default_rating: Option<i32>,
) -> Vec<String> {
    let mut notes = Vec::new();
    let mut without_ratings = Vec::new();
    let unrated: Vec<String> = match default_rating {
        Some(_) => Vec::new(),
        None => unrated_players(results).map(|player| name(state, player)).collect(),
    };
    for criterion in criteria {
        let marked = |row: &StandingsRow| {
            let cell = cell_of(standings, row, &criterion);
            cell.is_some_and(|cell| !cell.all_met && cell.value.is_some())
        };
        if standings.rows.iter().any(marked) {
            let what = header(Column::Criterion(criterion));
            notes.push(format!(
                "{MARK} {what} among players level with each other who have not all met."
            ));
        }
        if criterion.code.is_of_ratings() && !unrated.is_empty() {
            without_ratings.push(criterion.to_string());
        }
    }
    if !without_ratings.is_empty() {
        notes.push(format!(
            "Left out: {}, because {} has no rating; standings.unrated gives one.",
            without_ratings.join(", "),
            unrated[0]
        ));
    }
    notes
}

pub fn header(column: Column) -> String {
    match column {
        Column::Criterion(criterion) => match criterion.code {
            Code::MatchPoints => "MP".to_owned(),
            Code::GamePoints => "GP".to_owned(),
            Code::H2h => "H2H".to_owned(),
            Code::ChallengeBuchholz => "Buchholz".to_owned(),
            Code::ChallengeSonnebornBerger => "SB".to_owned(),
            _ => criterion.to_string(),
        },
        Column::Acpl => "ACPL".to_owned(),
        Column::WinRate => "Win %".to_owned(),
        Column::Wdl => "W/D/L".to_owned(),
        Column::WdlWhite => "W/D/L white".to_owned(),
        Column::WdlBlack => "W/D/L black".to_owned(),
        Column::Games => "Games".to_owned(),
        Column::Byes => "Byes".to_owned(),
        Column::Forfeits => "Forfeits".to_owned(),
        Column::Faults => "Faults".to_owned(),
        Column::Attempts => "Failed attempts".to_owned(),
        Column::MoveTime => "Move time".to_owned(),
        Column::Accuracy => "Accuracy".to_owned(),
        Column::Blunders => "Blunders".to_owned(),
        Column::TokensIn => "Tokens in".to_owned(),
        Column::TokensOut => "Tokens out".to_owned(),
        Column::Cost => "Cost".to_owned(),
        Column::CostAWin => "Cost/win".to_owned(),
        Column::LegalShare => "Legal %".to_owned(),
        Column::Score => "Score %".to_owned(),
        Column::ScoreWithoutFaults => "Score % without faults".to_owned(),
    }
}

/// The cell of a row for a criterion. If the order has the criterion more than once, the one that last told the player apart.
fn cell_of<'a>(standings: &Standings, row: &'a StandingsRow, criterion: &Criterion) -> Option<&'a StandingsCell> {
    let cells = standings.criteria.iter().zip(&row.cells);
    let mut cells = cells.filter(|(of, _)| *of == criterion).map(|(_, cell)| cell);
    let first = cells.next()?;
    Some(cells.rfind(|cell| cell.value.is_some()).unwrap_or(first))
}

/// Whether a column is empty until the run has been analysed.
const fn is_of_analysis(column: Column) -> bool {
    matches!(column, Column::Acpl | Column::Accuracy | Column::Blunders)
}

/// The tally of a row's player in the games that have been analysed, if any.
fn tally<'a>(tallies: Option<&'a [Tallies]>, row: &StandingsRow) -> Option<&'a QualityTally> {
    let tally = tallies.map(|all| &all[row.player.index()].both);
    tally.filter(|both| both.games > 0)
}

/// The text of a cell; blank if nobody was level, nothing was broken or analysed, or no game was played.
fn cell(
    state: &State,
    standings: &Standings,
    row: &StandingsRow,
    (tally, figures): (Option<&QualityTally>, &PlayerFigures),
    column: Column,
) -> String {
    match column {
        Column::Criterion(criterion) => cell_of(standings, row, &criterion).map_or_else(String::new, value),
        Column::Acpl => tally.and_then(|both| analysis::acpl(state, both)).unwrap_or_default(),
        Column::Accuracy => tally
            .and_then(QualityTally::accuracy)
            .map_or_else(String::new, analysis::tenths),
        Column::Blunders => tally.map_or_else(String::new, |both| both.moves.blunders.to_string()),
        Column::WinRate => win_rate(row).unwrap_or_default(),
        Column::Wdl => wdl(row.games.both()),
        Column::WdlWhite => wdl(row.games.white),
        Column::WdlBlack => wdl(row.games.black),
        Column::Games => row.games.played().to_string(),
        Column::Byes => row.byes.to_string(),
        Column::Forfeits => format!("{}/{}", row.games.forfeits_won, row.games.forfeits_lost),
        Column::Faults => row.games.faults.to_string(),
        Column::Attempts => row.games.failed_attempts.to_string(),
        Column::MoveTime => move_time(row).map_or_else(String::new, milliseconds),
        Column::TokensIn
        | Column::TokensOut
        | Column::Cost
        | Column::CostAWin
        | Column::LegalShare
        | Column::Score
        | Column::ScoreWithoutFaults => models::cell(row, figures, column),
    }
}

/// Games won, drawn and lost.
pub(super) fn wdl(counts: ColorCounts) -> String {
    format!("{}/{}/{}", counts.won, counts.drawn, counts.lost)
}

/// Mean time of a move, in microseconds.
fn move_time(row: &StandingsRow) -> Option<u64> {
    row.games.thinking_us.checked_div(row.games.moves.into())
}

/// Microseconds as milliseconds with two decimals, or as seconds.
fn milliseconds(microseconds: u64) -> String {
    if microseconds < 1_000_000 {
        format!("{}.{:02} ms", microseconds / 1000, microseconds % 1000 / 10)
    } else {
        format!(
            "{}.{:02} s",
            microseconds / 1_000_000,
            microseconds % 1_000_000 / 10_000
        )
    }
}

/// A value as the table shows it, with a mark where not all have met; blank if it is not defined.
pub fn value(cell: &StandingsCell) -> String {
    match cell.value {
        Some(value) if cell.all_met => value.to_string(),
        Some(value) => format!("{value}{MARK}"),
        None => String::new(),
    }
}

fn win_rate(row: &StandingsRow) -> Option<String> {
    (row.games.played() > 0).then(|| row.win_rate().to_string())
}

#[cfg(test)]
mod tests;
