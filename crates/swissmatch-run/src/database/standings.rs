//! The standings after each round, with every criterion, and the ranking of an event of stages.

use rusqlite::{Transaction, params};
use swiss_system::pairing::rounds::TournamentFormat;

use super::parts::{BegunPart, BegunParts};
use super::{FillError, count, insert, number};
use swissmatch_report as report;
use swissmatch_report::standings::{exact, values};
use swissmatch_tournament::ranking::{ranking_after, standings_after};
use swissmatch_tournament::state::State;

/// `standings`, `criteria` and `ranking`.
pub(super) fn write(transaction: &Transaction<'_>, state: &State, parts: &BegunParts<'_>) -> Result<(), FillError> {
    for played in &parts.0 {
        for own_round in 1..=played.rounds {
            of_round(transaction, played, own_round)?;
        }
    }
    if state.created().format != TournamentFormat::Stages {
        return Ok(());
    }
    let mut row = insert(transaction, "ranking")?;
    for round in 1..=state.rounds().len() {
        for (place, player) in ranking_after(state, round) {
            row.execute(params![
                count(round),
                player.0,
                place,
                report::player_name(state, player)
            ])?;
        }
    }
    Ok(())
}

fn of_round(transaction: &Transaction<'_>, played: &BegunPart<'_>, own_round: usize) -> Result<(), FillError> {
    let mut line = insert(transaction, "standings")?;
    let mut criterion_row = insert(transaction, "criteria")?;
    let standings = standings_after(&played.state, own_round);
    let round = count(played.round_of_event(own_round));
    for (listed, row) in (1..).zip(&standings.rows) {
        let player = played.of_event(row.player).0;
        let (both, white, black) = (row.games.both(), row.games.white, row.games.black);
        line.execute(params![
            played.number,
            round,
            player,
            listed,
            row.place,
            row.before_playoff,
            report::player_name(&played.state, row.player),
            row.points.to_string(),
            row.game_points.to_string(),
            both.won,
            both.drawn,
            both.lost,
            white.won,
            white.drawn,
            white.lost,
            black.won,
            black.drawn,
            black.lost,
            row.games.played(),
            row.games.forfeits_won,
            row.games.forfeits_lost,
            row.byes,
            row.repeats,
            row.games.faults,
            row.games.moves,
            number(row.games.thinking_us),
        ])?;
        let (values, exact) = (values(&standings, row), exact(&standings, row));
        for (place, (criterion, cell)) in standings.criteria.iter().zip(&row.cells).enumerate() {
            let name = criterion.to_string();
            criterion_row.execute(params![
                played.number,
                round,
                player,
                count(place + 1),
                name,
                place < standings.ranking,
                values.get(&name).and_then(Option::as_ref).map(ToString::to_string),
                exact.get(&name),
                cell.all_met,
            ])?;
        }
    }
    Ok(())
}
