//! The rule that ends an event before its last round, [`crate::setup::StopKeys`]: whether it does so now.
//!
//! The rule is applied after each round of a Swiss and after each cycle of a table, before anything else is decided,
//! and looks only at the log. May not: ask the time; work out how sure a place is; [`swissmatch_stats::stop`] does.

use std::time::Duration;

use swiss_system::pairing::rounds::TournamentFormat;

use super::log::EventStopped;
use super::resampled::resampled;
use super::setup::{Setup, StopKeys};
use super::state::State;
use swissmatch_stats::simulate::stopping::StopRule;
use swissmatch_stats::stop::{HeldPlace, StopReason};

/// The entry that ends the event after the rounds that are over; `None` if it goes on, is over, or has no such rule.
pub fn due(state: &State) -> Option<EventStopped> {
    let keys = &state.setup().stop;
    let round = u32::try_from(state.rounds().len()).expect("few rounds");
    let is_between = round > 0
        && round < state.last_round()
        && round.is_multiple_of(cycle(state))
        && state.sittings().all(|sitting| sitting.is_over());
    if !keys.is_set() || state.stopped().is_some() || !is_between {
        return None;
    }
    let (games, thinking) = spent(state);
    let ended = |why, held| EventStopped {
        round,
        why,
        held,
        games,
        thinking_us: u64::try_from(thinking.as_micros()).unwrap_or(u64::MAX),
    };
    if let Some(held) = sure_places(state, round) {
        return Some(ended(StopReason::Sure, held));
    }
    let next = games.saturating_add(games_to_come(state));
    let reason = match keys {
        StopKeys { games: Some(most), .. } if next > u64::from(*most) => Some(StopReason::Games),
        StopKeys { time: Some(most), .. } if thinking >= *most => Some(StopReason::Time),
        _ => None,
    };
    reason.map(|why| ended(why, Vec::new()))
}

/// The rule as simulated for an event with this many players and rounds. `game` is the duration of a game; if it is
/// `None`, unknown, a bound on time does nothing.
pub fn simulated(setup: &Setup, (players, rounds): (u32, u32), game: Option<Duration>) -> StopRule {
    let keys = &setup.stop;
    let format = setup.swiss.rounds;
    let cycle = format.rounds_of_cycle(players).max(1);
    let of_cycle = format.pairs_of_cycle(players) * u64::from(setup.mini_match.games);
    let by_games = keys.games.map(|most| u64::from(most) / of_cycle.max(1));
    let by_time = keys.time.zip(game).map(|(most, game)| {
        let of_cycle = game.as_micros().saturating_mul(of_cycle.into()).max(1);
        u64::try_from(most.as_micros().div_ceil(of_cycle)).unwrap_or(u64::MAX)
    });
    let bounds = [(by_games, StopReason::Games), (by_time, StopReason::Time)];
    let bounds = bounds.into_iter().filter_map(|(cycles, why)| {
        let most = u32::try_from(cycles?.max(1)).ok()?.checked_mul(cycle)?;
        (most < rounds).then_some((most, why))
    });
    StopRule {
        rounds,
        cycle,
        places: keys.when,
        from_round: keys.first_look(players as usize, format),
        bound: bounds.min(),
    }
}

/// The players who hold the places of the rule, if these places are looked at after this round and are sure.
fn sure_places(state: &State, round: u32) -> Option<Vec<HeldPlace>> {
    let keys = &state.setup().stop;
    let places = keys.when?;
    let ranked = state.player_count() - state.house_players().count();
    if round < keys.first_look(ranked, state.setup().swiss.rounds) {
        return None;
    }
    // Where nothing can be drawn, no place is known to be sure.
    let (event, _) = resampled(state, round as usize).ok()?;
    places.sure(&event, state.setup().event.rng_seed)
}

/// Games that have ended, and the thinking time of both sides in them.
fn spent(state: &State) -> (u64, Duration) {
    let thinking = state
        .finished_games()
        .flat_map(|game| game.finished.thinking.into_iter().flatten());
    let all: u64 = thinking.fold(0, |sum, side| sum.saturating_add(side.time_us));
    let (_, games) = state.progress();
    (games as u64, Duration::from_micros(all))
}

/// The number of rounds in a cycle.
fn cycle(state: &State) -> u32 {
    let players = u32::try_from(state.player_count()).expect("few players");
    state.setup().swiss.rounds.rounds_of_cycle(players).max(1)
}

/// The most games that the next round of a Swiss, or the next cycle of a table, would have.
fn games_to_come(state: &State) -> u64 {
    let games = u64::from(state.setup().mini_match.games);
    if state.created().format != TournamentFormat::Swiss {
        // A player who has left stays in the table and loses without a move.
        let players = u32::try_from(state.player_count()).expect("few players");
        return state.setup().swiss.rounds.pairs_of_cycle(players) * games;
    }
    let next = u32::try_from(state.rounds().len() + 1).expect("few rounds");
    let out = state.out_of_round(next);
    let house: Vec<_> = state.house_players().collect();
    let there = state
        .numbers()
        .filter(|player| !out.contains_key(player) && !house.contains(player));
    let boards = match house.is_empty() {
        true => there.count() / 2,
        false => there.count().div_ceil(2),
    };
    boards as u64 * games
}

#[cfg(test)]
mod tests;
