//! The standings as a page and as JSON.
//!
//! May not: rank anybody; that is `swiss_system::standings`.

pub(super) mod models;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use swiss_system::count;
use swiss_system::pairing::rounds::Format;
use swiss_system::score::Points;
use swiss_system::standings::criterion::{Code, Criterion};
use swiss_system::standings::results::{Counts, Results};
use swiss_system::standings::table::unrated_players;
use swiss_system::standings::{Cell, Row, Standings};
use swiss_system::text::harmless;

use super::decimal::Decimal;
use super::progress::{Counted, RoundProgress};
use super::sampled::{Method, OfPlayer, Sampled};
use super::table::{Column as TableColumn, MARK, Page, Table};
use super::untrusted::{event, name};
use super::{analysis, cut_off, playoff, stop, unplayed};
use swissmatch_tournament::analysis::{Tallies, Tally, tallies_after};
use swissmatch_tournament::column::Column;
use swissmatch_tournament::figures::{OfPlayer as Figures, figures_after};
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::State;

/// What stands above the places before a play-off.
pub(super) const BEFORE: &str = "Before";

/// The place before the play-off; blank where there was none.
pub(super) fn before_playoff(row: &Row) -> String {
    row.before_playoff.map_or_else(String::new, |place| place.to_string())
}

/// The standings after the first `rounds` rounds, by the columns of the setup. In a round that is still being played,
/// finished mini-matches count.
pub fn page(state: &State, rounds: usize) -> Page {
    let counted = Counted::new(state, rounds);
    let keys = &state.setup().standings;
    // What ranks is always shown.
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

/// The standings after the first `rounds` rounds as a JSON object. Points are strings, so that no reader makes floats of
/// them.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(state: &State, rounds: usize) -> String {
    json_with(state, rounds, None)
}

/// The same with rank confidence, where it was asked for.
pub(super) fn json_with(state: &State, rounds: usize, confidence: Option<&Sampled<'_>>) -> String {
    serde_json::to_string_pretty(&document(state, rounds, confidence)).expect("plain data") + "\n"
}

pub(super) fn document(state: &State, rounds: usize, confidence: Option<&Sampled<'_>>) -> StandingsJson {
    let counted = Counted::new(state, rounds);
    let standings = standings_after(state, counted.rounds.len());
    let tallies = tallies_after(state, counted.rounds.len());
    let figures = figures_for(state, &counted, &state.setup().standings.columns);
    StandingsJson {
        schema: 1,
        event: event(state),
        round: counted.over,
        rounds: state.created().rounds,
        r#final: counted.is_final(state),
        ended: early(state),
        in_progress: counted.in_progress(),
        confidence: confidence.map(Sampled::method),
        players: standings
            .rows
            .iter()
            .map(|row| Player {
                confidence: confidence.map(|sampled| sampled.of_player(row.player)),
                of_models: (state.setup().standings.columns.iter())
                    .filter_map(|&column| models::field(row, &figures[row.player.index()], column))
                    .collect(),
                ..Player::new(state, &standings, row, tally(tallies.as_deref(), row))
            })
            .collect(),
    }
}

/// The figures of all players that such columns need; of no other.
fn figures_for(state: &State, counted: &Counted<'_>, columns: &[Column]) -> Vec<Figures> {
    match columns.iter().any(|&column| models::is_of_models(column)) {
        true => figures_after(state, counted.rounds.len()),
        false => vec![Figures::default(); state.player_count()],
    }
}

pub(super) fn title(state: &State, counted: &Counted<'_>) -> String {
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

/// What the standings do not say by themselves.
fn notes(state: &State, counted: &Counted<'_>, results: &Results) -> Vec<String> {
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
        // Two meet each other, by whatever table.
        Format::AllPlayAll if state.player_count() == 2 => return notes,
        Format::AllPlayAll => format!("All-play-all: everybody meets everybody {how_often}, by Berger tables."),
        Format::Gauntlet => {
            format!("Gauntlet: the first players meet everybody else {how_often}; the others play fewer rounds.")
        }
        Format::Knockout => {
            let third = state.setup().playoff.third.among(state.player_count()).exception();
            format!(
                "Knockout: places go by the round in which a player went out; those who went out together share a place{third}."
            )
        }
        Format::Swiss | Format::Quads | Format::Stages | Format::Sections => return notes,
    };
    notes.push(of_format);
    notes
}

/// That the arbiter, or its stop rule, ended the event before its time, and why.
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

/// The column of the criterion that ranks at so many others have left level; it goes after those of later ones, and the first
/// stays.
pub(super) fn ranked_by(column: TableColumn, turn: usize) -> TableColumn {
    match turn {
        0 => column,
        turn => column.goes(turn),
    }
}

/// Headers of columns; where two would be the same, the names of the criteria.
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

/// What these criteria do not say by themselves: a star, and ratings that are missing.
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
        let marked = |row: &Row| {
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

/// What stands above a column.
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

/// What a row has by a criterion; of one that the order has more than once, where it last told the player apart.
fn cell_of<'a>(standings: &Standings, row: &'a Row, criterion: &Criterion) -> Option<&'a Cell> {
    let cells = standings.criteria.iter().zip(&row.cells);
    let mut cells = cells.filter(|(of, _)| *of == criterion).map(|(_, cell)| cell);
    let first = cells.next()?;
    Some(cells.rfind(|cell| cell.value.is_some()).unwrap_or(first))
}

/// Whether a column is empty until the run has been analysed.
const fn is_of_analysis(column: Column) -> bool {
    matches!(column, Column::Acpl | Column::Accuracy | Column::Blunders)
}

/// What a row's player did in the games that have been analysed, if any.
fn tally<'a>(tallies: Option<&'a [Tallies]>, row: &Row) -> Option<&'a Tally> {
    let tally = tallies.map(|all| &all[row.player.index()].both);
    tally.filter(|both| both.games > 0)
}

/// What a row has in a column; blank where there is nothing: nobody level, nothing broken, nothing analysed, no game
/// played.
fn cell(
    state: &State,
    standings: &Standings,
    row: &Row,
    (tally, figures): (Option<&Tally>, &Figures),
    column: Column,
) -> String {
    match column {
        Column::Criterion(criterion) => cell_of(standings, row, &criterion).map_or_else(String::new, value),
        Column::Acpl => tally.and_then(|both| analysis::acpl(state, both)).unwrap_or_default(),
        Column::Accuracy => tally
            .and_then(Tally::accuracy)
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
pub(super) fn wdl(counts: Counts) -> String {
    format!("{}/{}/{}", counts.won, counts.drawn, counts.lost)
}

/// Mean time of a move, in microseconds.
fn move_time(row: &Row) -> Option<u64> {
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

/// A value as the table shows it, marked where not all have met; blank where it is not defined.
pub fn value(cell: &Cell) -> String {
    match cell.value {
        Some(value) if cell.all_met => value.to_string(),
        Some(value) => format!("{value}{MARK}"),
        None => String::new(),
    }
}

fn win_rate(row: &Row) -> Option<String> {
    (row.games.played() > 0).then(|| row.win_rate().to_string())
}

#[derive(Serialize)]
pub(super) struct StandingsJson {
    schema: u32,
    event: String,
    round: usize,
    rounds: u32,
    r#final: bool,
    /// Who ended the event before its time, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
    in_progress: Option<RoundProgress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<Method>,
    players: Vec<Player>,
}

#[derive(Serialize)]
struct Player {
    place: u32,
    /// By the criteria alone, of whose tie was played off.
    #[serde(skip_serializing_if = "Option::is_none")]
    place_before_playoff: Option<u32>,
    pairing_number: u32,
    name: String,
    match_points: Points,
    h2h: Option<HeadToHead>,
    buchholz: Option<Decimal>,
    sonneborn_berger: Option<Decimal>,
    values: BTreeMap<String, Option<Decimal>>,
    game_points: Points,
    /// `null` until the run has been analysed.
    acpl: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blunders: Option<u32>,
    win_rate: Option<Decimal>,
    won: u32,
    drawn: u32,
    lost: u32,
    white: ByColor,
    black: ByColor,
    games: u32,
    forfeits_won: u32,
    forfeits_lost: u32,
    byes: u32,
    repeats: u32,
    faults: u32,
    /// Only where the column is chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_attempts: Option<u32>,
    /// Only where the column is chosen: times differ from run to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_move_time_us: Option<u64>,
    /// Only those whose columns are chosen.
    #[serde(flatten)]
    of_models: BTreeMap<&'static str, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<OfPlayer>,
}

#[derive(Serialize)]
struct ByColor {
    won: u32,
    drawn: u32,
    lost: u32,
}

impl From<Counts> for ByColor {
    fn from(Counts { won, drawn, lost }: Counts) -> Self {
        Self { won, drawn, lost }
    }
}

/// Every criterion with its value as a decimal; `null` where it is not defined. A direct encounter is the place among those
/// level, 0 where it broke nothing.
pub fn values(standings: &Standings, row: &Row) -> BTreeMap<String, Option<Decimal>> {
    let named = standings.names().zip(&standings.criteria).zip(&row.cells);
    let shown = named.map(|((name, criterion), cell)| {
        let nothing = criterion.code.is_place().then(|| Decimal::of(0));
        (name, cell.value.map(Decimal::of).or(nothing))
    });
    shown.collect()
}

/// The values that are no decimals, as fractions.
pub fn exact(standings: &Standings, row: &Row) -> BTreeMap<String, String> {
    let fractions = standings.names().zip(&row.cells).filter_map(|(name, cell)| {
        let value = cell.value.filter(|value| value.is_rounded())?;
        Some((name, value.exact()))
    });
    fractions.collect()
}

#[derive(Serialize)]
struct HeadToHead {
    points: Decimal,
    all_met: bool,
}

impl Player {
    fn new(state: &State, standings: &Standings, row: &Row, analysed: Option<&Tally>) -> Self {
        let of_protocol = |code: Code| cell_of(standings, row, &code.into());
        let exact = |code| of_protocol(code).and_then(|cell| cell.value).map(Decimal::of);
        let h2h = of_protocol(Code::H2h);
        let both = row.games.both();
        let has = |column| state.setup().standings.columns.contains(&column);
        Self {
            place: row.place,
            place_before_playoff: row.before_playoff,
            pairing_number: row.player.0,
            name: name(state, row.player),
            match_points: row.points,
            h2h: h2h.and_then(|cell| {
                Some(HeadToHead {
                    points: Decimal::of(cell.value?),
                    all_met: cell.all_met,
                })
            }),
            buchholz: exact(Code::ChallengeBuchholz),
            sonneborn_berger: exact(Code::ChallengeSonnebornBerger),
            values: values(standings, row),
            game_points: row.game_points,
            acpl: analysed.and_then(|both| analysis::acpl(state, both)).map(Decimal::of),
            accuracy: analysed
                .and_then(Tally::accuracy)
                .map(analysis::tenths)
                .map(Decimal::of),
            blunders: analysed.map(|both| both.moves.blunders),
            win_rate: win_rate(row).map(Decimal::of),
            won: both.won,
            drawn: both.drawn,
            lost: both.lost,
            white: row.games.white.into(),
            black: row.games.black.into(),
            games: row.games.played(),
            forfeits_won: row.games.forfeits_won,
            forfeits_lost: row.games.forfeits_lost,
            byes: row.byes,
            repeats: row.repeats,
            faults: row.games.faults,
            failed_attempts: has(Column::Attempts).then_some(row.games.failed_attempts),
            mean_move_time_us: move_time(row).filter(|_| has(Column::MoveTime)),
            of_models: BTreeMap::new(),
            confidence: None,
        }
    }
}

#[cfg(test)]
mod tests;
