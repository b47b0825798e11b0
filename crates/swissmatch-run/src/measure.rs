//! How long games of an event's agents take: a few are played, at the event's limits, and not kept.
//!
//! May not: guess where it can measure.

use std::collections::BTreeSet;
use std::time::Duration;

use swiss_system::text::harmless;

use super::check::{Table, Trouble};
use super::error::RunError;
use super::event_file::EventFile;
use super::materials::openings;
use super::{own_directory, two_players};
use swissmatch_game::record::GameRecord;
use swissmatch_game::termination::Termination;
use swissmatch_tournament::limits::max_plies_of;
use swissmatch_tournament::opening_plan::OpeningPlan;
use swissmatch_tournament::schedule;
use swissmatch_tournament::setup::Setup;

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

/// The mean time of a game of the players in this starting order. `told` hears the number of each game, and of how many.
///
/// # Errors
/// An agent that does not start; the machine.
pub fn game(event: &EventFile, order: &[usize], told: &mut dyn FnMut(usize, usize)) -> Result<Duration, RunError> {
    let setup = &event.loaded.setup;
    let (suite, stored, _) = openings(event)?;
    let pairs = pairs(order);
    let mut sum = Duration::ZERO;
    let agents = own_directory::agents(event);
    for (number, pair) in (1..).zip(&pairs) {
        told(number, pairs.len());
        let players = pair.map(|place| setup.players[place].clone());
        let mut own = two_players::setup(setup, players, 1);
        let cap = plies(setup);
        own.game.max_plies = Some(own.game.max_plies.map_or(cap, |most| most.min(cap)));
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
        let mut table = Table::open(&event.directory, of_pair, state.setup()).map_err(machine)?;
        let played = table.play(spec);
        table.close();
        let record = played.map_err(machine)?.record;
        if !record.termination.was_played() {
            return Err(RunError::NotMeasured(
                pair.map(|place| harmless(&setup.players[place].name)),
            ));
        }
        sum += whole(&record, max_plies_of(&state), setup);
    }
    Ok(sum / u32::try_from(pairs.len().max(1)).unwrap_or(u32::MAX))
}

/// Plies of a game that may be expected to be over in time.
fn plies(setup: &Setup) -> u32 {
    let longest = setup.time_controls().map(|control| control.longest_of_side(1)).max();
    let each = longest.unwrap_or_default().max(Duration::from_millis(1));
    let in_time = u32::try_from(PATIENCE.as_millis() / each.as_millis().max(1)).unwrap_or(u32::MAX);
    in_time.clamp(4, ENOUGH)
}

/// What a game took, or would have taken if it had not been broken off.
fn whole(record: &GameRecord, cap: Option<u32>, setup: &Setup) -> Duration {
    let took = Duration::from_micros(record.time_us.iter().sum());
    let plies = u32::try_from(record.plies()).unwrap_or(u32::MAX).max(1);
    let was_broken_off = record.termination == Termination::MoveCap && cap == Some(plies);
    let of_event = setup
        .game
        .max_moves
        .map(|moves| moves.saturating_mul(2))
        .into_iter()
        .chain(setup.game.max_plies)
        .min();
    match was_broken_off {
        true => took.saturating_mul(of_event.map_or(USUAL, |most| most.min(USUAL)).max(plies)) / plies,
        false => took,
    }
}

fn machine(trouble: Trouble) -> RunError {
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
