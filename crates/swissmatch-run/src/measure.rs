//! How long games of an event's agents take, and what its models use in them: a few are played, at the event's limits, and not kept; or
//! those of a run are read.
//!
//! May not: guess where it can measure.

use std::collections::BTreeSet;
use std::time::Duration;

use swiss_system::text::harmless;

use super::check::{CheckError, CheckSlot};
use super::error::RunError;
use super::event_file::EventFile;
use super::hosted::HostConnection;
use super::materials::openings;
use super::open_run::{OpenRun, StoredGame};
use super::{own_directory, services, two_players};
use swissmatch_game::record::GameRecord;
use swissmatch_game::termination::Termination;
use swissmatch_tournament::estimate::MeasuredUsage;
use swissmatch_tournament::limits::most_plies;
use swissmatch_tournament::opening_plan::OpeningPlan;
use swissmatch_tournament::schedule;
use swissmatch_tournament::setup::{PliesFrom, Setup};
use swissmatch_tournament::took::Took;

/// Games that are played at most.
const GAMES: usize = 4;
/// Plies after which a game is broken off: what it would have taken is reckoned from those.
const ENOUGH: u32 = 60;
/// Plies of a game that is not broken off, where nothing caps it.
const USUAL: u32 = 120;
/// Longest time that one game may be expected to take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Who plays whom: neighbours in the starting order, everybody once before anybody twice as far as that goes.
fn pairs(order: &[usize]) -> Vec<[usize; 2]> {
    let shifted = order.get(1..).unwrap_or_default();
    let ends = match order {
        [first, .., last] => Some([*last, *first]),
        _ => None,
    };
    let neighbours = [order, shifted]
        .into_iter()
        .flat_map(|order| order.as_chunks().0.iter().copied());
    neighbours.chain(ends).take(GAMES).collect()
}

/// A few games that were played.
#[derive(Debug)]
pub struct GameMeasurement {
    /// The mean time of one.
    pub game: Duration,
    /// What models used in them.
    pub measured: MeasuredUsage,
}

/// The games of a run that have ended, as far as players of an event played them: how long they took, and what models used.
///
/// # Errors
/// When a record is missing, damaged, or not of this version.
pub fn of_run(run: &OpenRun, event: &Setup) -> Result<(Took, MeasuredUsage), String> {
    let (mut took, mut measured) = (Took::default(), MeasuredUsage::default());
    for game in run.state.finished_games() {
        let players = [game.finished.white, game.finished.black].map(|player| run.state.player(player));
        if let Some(record) = StoredGame::of(&run.store, &game)?.record()? {
            let plies = plies_of(&record);
            took.add(event, run.state.setup(), players, &record);
            measured.add(event, players, &record, (plies, plies));
        }
    }
    Ok((took, measured))
}

/// A few games of the players in this starting order. `told` hears the number of each game, and of how many.
///
/// # Errors
/// An agent that does not start; the machine.
pub fn games(
    event: &EventFile,
    order: &[usize],
    told: &mut dyn FnMut(usize, usize),
) -> Result<GameMeasurement, RunError> {
    let setup = &event.loaded.setup;
    let (suite, stored, _) = openings(event)?;
    let pairs = pairs(order);
    let (mut sum, mut measured) = (Duration::ZERO, MeasuredUsage::default());
    let services = services::of_players(event, pairs.as_flattened(), Duration::MAX)?;
    let agents = own_directory::agents(event);
    for (number, pair) in (1..).zip(&pairs) {
        told(number, pairs.len());
        let players = pair.map(|place| setup.players[place].clone());
        let mut own = two_players::setup(setup, players, 1);
        let cap = plies(setup);
        own.game.max_plies = Some(own.game.max_plies.map_or(cap, |most| most.min(cap)));
        own.game.plies_from = PliesFrom::Opening;
        let mut openings = OpeningPlan::new(&own, suite.clone());
        let state = two_players::paired(
            own,
            [two_players::made_of(&[]), two_players::made_of(&[])],
            stored.clone(),
        )?;
        let nothing = BTreeSet::new();
        let spec = schedule::next_for_slot(&state, &nothing, &nothing, None)
            .and_then(|id| schedule::spec(&state, &mut openings, id));
        let Some(spec) = spec else { continue };
        let of_pair = pair.map(|place| agents[place].clone()).to_vec();
        let hosted = HostConnection::serving(&event.directory, &services);
        let mut table = CheckSlot::open(hosted, of_pair, state.setup()).map_err(machine)?;
        let played = table.play(spec);
        table.close();
        let record = played.map_err(machine)?.record;
        if !record.termination.was_played() {
            return Err(RunError::NotMeasured(
                pair.map(|place| harmless(&setup.players[place].name)),
            ));
        }
        let plies = (whole(&record, most_plies(state.setup()), setup), plies_of(&record));
        let took = Duration::from_micros(record.time_us.iter().sum());
        sum += took.saturating_mul(plies.0) / plies.1;
        measured.add(
            setup,
            [record.white, record.black].map(|player| state.player(player)),
            &record,
            plies,
        );
    }
    Ok(GameMeasurement {
        game: sum / u32::try_from(pairs.len().max(1)).unwrap_or(u32::MAX),
        measured,
    })
}

/// Plies of a game that may be expected to be over in time.
fn plies(setup: &Setup) -> u32 {
    let longest = setup.time_controls().map(|control| control.longest_of_side(1)).max();
    let each = longest.unwrap_or_default().max(Duration::from_millis(1));
    let in_time = u32::try_from(PATIENCE.as_millis() / each.as_millis().max(1)).unwrap_or(u32::MAX);
    in_time.clamp(4, ENOUGH)
}

/// Plies of a game, one at least.
fn plies_of(record: &GameRecord) -> u32 {
    u32::try_from(record.plies()).unwrap_or(u32::MAX).max(1)
}

/// Plies that a game had, or is taken to have had if it had not been broken off.
fn whole(record: &GameRecord, cap: Option<u32>, setup: &Setup) -> u32 {
    let plies = plies_of(record);
    let was_broken_off = record.termination == Termination::MoveCap && cap == Some(plies);
    let of_opening = match setup.game.plies_from {
        PliesFrom::Opening => 0,
        PliesFrom::Start => record.opening.plies(),
    };
    let of_event = most_plies(setup).map(|most| most.saturating_sub(of_opening));
    match was_broken_off {
        true => of_event.map_or(USUAL, |most| most.min(USUAL)).max(plies),
        false => plies,
    }
}

fn machine(trouble: CheckError) -> RunError {
    RunError::machine(std::io::Error::other(trouble))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_plays_a_third_game_before_all_have_played_two() {
        assert_eq!(pairs(&[7, 8]), [[7, 8], [8, 7]]);
        assert_eq!(pairs(&[0, 1, 2]), [[0, 1], [1, 2], [2, 0]]);
        assert_eq!(pairs(&[0, 1, 2, 3]), [[0, 1], [2, 3], [1, 2], [3, 0]]);
        assert_eq!(pairs(&[0, 1, 2, 3, 4, 5, 6, 7, 8]), [[0, 1], [2, 3], [4, 5], [6, 7]]);
    }
}
