//! What may happen next: pairings of the next round, and nothing while a round is being played.
//!
//! May not: play, store, or look at anything but the state.

use crate::pairing::history::RoundPairing;
use crate::pairing::{match_points, round_robin};

use super::event::{Event, Format, RoundPaired};
use super::setup::PairingSystem;
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
    }
}
