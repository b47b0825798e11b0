//! The rule that ends an event early, in words: its terms before the start, and how it ended an event.
//!
//! May not: decide whether it ends one; that is `swissmatch_tournament::stop`.

use std::time::Duration;

use swiss_system::count;

use super::share::percent;
use super::untrusted::name;
use swissmatch_stats::stop::{SAMPLES, StopReason};
use swissmatch_tournament::duration::spoken;
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::state::State;

/// The rule in one line: `places 1-3 at 95%, looked at from round 4 on; at most 2000 games`; `None` without one.
pub fn in_short(setup: &Setup) -> Option<String> {
    let keys = &setup.stop;
    let places = keys.when.map(|places| {
        let from = first_look(setup);
        match setup.swiss.rounds.cycles() {
            1 => format!("{places}, looked at from round {from} on"),
            _ => format!("{places}, looked at after each cycle from round {from} on"),
        }
    });
    let games = keys.games.map(|games| format!("at most {}", games_of(games.into())));
    let time = keys.time.map(|time| format!("{} of thinking", spoken(time)));
    let parts: Vec<String> = [places, games, time].into_iter().flatten().collect();
    keys.is_set().then(|| parts.join("; "))
}

pub(super) fn rules(setup: &Setup) -> Vec<String> {
    let (keys, unit) = (&setup.stop, unit(setup));
    let places = keys.when.map(|places| {
        let from = first_look(setup);
        let which = match places.first == places.last {
            true => format!("place {} is", places.first),
            false => format!("places {} to {} are", places.first, places.last),
        };
        format!(
            "The event ends before its last round when {which} sure. That is looked at after each {unit}, from round {from} on: of each \
             of these places one player is the only holder, who keeps that place in at least {} % of {SAMPLES} samples. A sample \
             draws the game pairs of each mini-match anew from those that were played. That is about one look; \
             how often the places are the right ones when it ends so is another figure.",
            places.percent()
        )
    });
    let games = keys
        .games
        .map(|games| format!("No {unit} begins that would make more than {}.", games_of(games.into())));
    let time = keys.time.map(|time| {
        format!(
            "No {unit} begins after the players have thought for {}, both sides of all games together.",
            spoken(time)
        )
    });
    [places, games, time].into_iter().flatten().collect()
}

/// How the rule ended the event, as a sentence; `None` if it did not.
pub fn stopped(state: &State) -> Option<String> {
    let stopped = state.stopped()?;
    let keys = &state.setup().stop;
    let why = match stopped.why {
        StopReason::Sure => {
            let held = stopped.held.iter().map(|held| {
                let share = percent(held.share.value());
                format!("{}. {} {share} %", held.place, name(state, held.player))
            });
            let held: Vec<String> = held.collect();
            let places = keys.when.map_or_else(String::new, |places| places.to_string());
            format!("{places}: {}", held.join(", "))
        }
        StopReason::Games => format!(
            "{} had been played, and another {} would have made more than {}",
            games_of(stopped.games),
            unit(state.setup()),
            keys.games.unwrap_or(0)
        ),
        StopReason::Time => format!(
            "the players had thought for {}, and {} is the most",
            spoken(Duration::from_micros(stopped.thinking_us)),
            spoken(keys.time.unwrap_or_default())
        ),
    };
    Some(format!(
        "Ended after round {} of {} by its stop rule: {why}.",
        stopped.round,
        state.created().rounds
    ))
}

/// The unit after which the rule is looked at.
const fn unit(setup: &Setup) -> &'static str {
    match setup.swiss.rounds.cycles() {
        1 => "round",
        _ => "cycle",
    }
}

fn first_look(setup: &Setup) -> u32 {
    setup.stop.first_look(setup.ranked().count(), setup.swiss.rounds)
}

fn games_of(games: u64) -> String {
    count::of(usize::try_from(games).unwrap_or(usize::MAX), "game", "games")
}
