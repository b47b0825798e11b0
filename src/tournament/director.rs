//! What may happen next: pairings of the next round, and nothing while a round is being played.
//!
//! May not: play, store, or look at anything but the state and its keys.

use crate::lot;
use crate::pairing::dutch::rules::baku;
use crate::pairing::history::FirstColor;
use crate::pairing::history::RoundPairing;
use crate::pairing::{dutch, match_points, round_robin};

use super::event::{Event, Format, RoundPaired};
use super::setup::{AccelerationRule, InitialColor, PairingSystem, Setup};
use super::state::State;

/// Why the next round cannot be paired.
pub use crate::pairing::infeasible::Infeasible;

/// The event that pairs the next round, when the last one is over and another is to come.
///
/// # Errors
/// When no pairing exists.
pub fn next_round(state: &State) -> Result<Option<Event>, Infeasible> {
    let done = state.rounds().len();
    if state.rounds_over() < done || state.is_over() {
        return Ok(None);
    }
    let round = u32::try_from(done + 1).expect("few rounds");
    Ok(Some(Event::RoundPaired(RoundPaired {
        round,
        pairing: pairing_after(state, done)?,
    })))
}

/// The pairing of round `rounds + 1`, from the first `rounds` rounds alone.
///
/// # Errors
/// When no pairing exists.
pub fn pairing_after(state: &State, rounds: usize) -> Result<RoundPairing, Infeasible> {
    match (state.created().format, state.setup().swiss.pairing) {
        (Format::AllPlayAll, _) => Ok(round_robin::berger(state.player_count()).swap_remove(rounds)),
        (Format::Swiss, PairingSystem::MatchPoints) => {
            let rules = match_points::Rules {
                bye_order: state.setup().bye.order.clone(),
            };
            match_points::pair(&state.history(rounds), &rules)
        }
        (Format::Swiss, PairingSystem::Dutch) => dutch::pair(&state.history(rounds), &dutch_rules(state)),
    }
}

/// The keys of the Dutch system for this event.
#[must_use]
pub fn dutch_rules(state: &State) -> dutch::rules::Rules {
    dutch_rules_of(state.setup(), state.player_count(), state.created().rounds)
}

/// The keys of the Dutch system, which pairs by match points: a win is a mini-match won.
#[must_use]
pub fn dutch_rules_of(setup: &Setup, players: usize, rounds: u32) -> dutch::rules::Rules {
    let (swiss, scoring) = (&setup.swiss, setup.scoring.r#match);
    dutch::rules::Rules {
        edition: swiss.edition,
        color: swiss.color,
        tpn_parity: swiss.tpn_parity,
        initial_color: match swiss.initial_color {
            InitialColor::White => FirstColor::White,
            InitialColor::Black => FirstColor::Black,
            InitialColor::Lot if lot::order(setup.event.rng_seed, "initial color", 2)[0] == 0 => FirstColor::White,
            InitialColor::Lot => FirstColor::Black,
        },
        rounds,
        win: scoring.win,
        loss: scoring.loss,
        virtual_points: match swiss.acceleration {
            AccelerationRule::None => Vec::new(),
            AccelerationRule::Baku => baku(players, rounds, scoring.win),
        },
    }
}
