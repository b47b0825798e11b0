//! The standings as JSON.
//!
//! May not: rank anybody.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use swiss_system::score::Points;
use swiss_system::standings::criterion::Code;
use swiss_system::standings::results::ColorCounts;
use swiss_system::standings::{Standings, StandingsRow};

use super::{cell_of, early, figures_for, models, move_time, tally, win_rate};
use crate::analysis;
use crate::decimal::Decimal;
use crate::progress::{CountedRounds, RoundProgress};
use crate::sampled::{Method, PlayerConfidenceJson, SampledPlaces};
use crate::untrusted::{event, name};
use swissmatch_tournament::analysis::{QualityTally, tallies_after};
use swissmatch_tournament::column::Column;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::State;

/// The standings after the first `rounds` rounds as a JSON object. Points are strings, so that no reader makes floats of
/// them.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(state: &State, rounds: usize) -> String {
    json_with(state, rounds, None)
}

/// Like [`json`], but with rank confidence, if it was asked for.
pub(crate) fn json_with(state: &State, rounds: usize, confidence: Option<&SampledPlaces<'_>>) -> String {
    serde_json::to_string_pretty(&document(state, rounds, confidence)).expect("plain data") + "\n"
}

pub(crate) fn document(state: &State, rounds: usize, confidence: Option<&SampledPlaces<'_>>) -> StandingsJson {
    let counted = CountedRounds::new(state, rounds);
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
        confidence: confidence.map(SampledPlaces::method),
        players: standings
            .rows
            .iter()
            .map(|row| PlayerStandingJson {
                confidence: confidence.map(|sampled| sampled.of_player(row.player)),
                of_models: (state.setup().standings.columns.iter())
                    .filter_map(|&column| models::field(row, &figures[row.player.index()], column))
                    .collect(),
                ..PlayerStandingJson::new(state, &standings, row, tally(tallies.as_deref(), row))
            })
            .collect(),
    }
}

#[derive(Serialize)]
pub(crate) struct StandingsJson {
    schema: u32,
    event: String,
    round: usize,
    rounds: u32,
    r#final: bool,
    /// Who ended the event early, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
    in_progress: Option<RoundProgress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<Method>,
    players: Vec<PlayerStandingJson>,
}

#[derive(Serialize)]
struct PlayerStandingJson {
    place: u32,
    /// The place by the criteria alone, for players whose tie was played off.
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
    confidence: Option<PlayerConfidenceJson>,
}

#[derive(Serialize)]
struct ByColor {
    won: u32,
    drawn: u32,
    lost: u32,
}

impl From<ColorCounts> for ByColor {
    fn from(ColorCounts { won, drawn, lost }: ColorCounts) -> Self {
        Self { won, drawn, lost }
    }
}

/// Every criterion with its value as a decimal; `null` if it is not defined. The value of a direct encounter is the place among players who
/// were level, or 0 if it broke no tie.
pub fn values(standings: &Standings, row: &StandingsRow) -> BTreeMap<String, Option<Decimal>> {
    let named = standings.names().zip(&standings.criteria).zip(&row.cells);
    let shown = named.map(|((name, criterion), cell)| {
        let nothing = criterion.code.is_place().then(|| Decimal::of(0));
        (name, cell.value.map(Decimal::of).or(nothing))
    });
    shown.collect()
}

/// The values that are no decimals, as fractions.
pub fn exact(standings: &Standings, row: &StandingsRow) -> BTreeMap<String, String> {
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

impl PlayerStandingJson {
    fn new(state: &State, standings: &Standings, row: &StandingsRow, analysed: Option<&QualityTally>) -> Self {
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
                .and_then(QualityTally::accuracy)
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
