//! What the arbiter asked for a single round, and how the round would have been paired without it.
//!
//! May not: pair by rules of its own.

use swiss_system::pairing::history::{History, Pair, PairingNumber, RoundPairing};
use swiss_system::pairing::rounds::TournamentFormat;

use super::director;
use super::state::State;
use crate::history::{forbidden_pairs, forced_pairs, history_after};
use crate::state::orders::Orders;

/// The pairs that the arbiter forbade for round `rounds + 1` alone, which has been paired. Empty where the ban lapsed
/// because the round would have had no pairing with it.
pub fn forbidden(state: &State, rounds: usize) -> Vec<(PairingNumber, PairingNumber)> {
    let Some(round) = state.rounds().get(rounds) else {
        return Vec::new();
    };
    let number = u32::try_from(rounds + 1).expect("few rounds");
    let forbidden = Orders::of_round(&state.orders().forbidden, number);
    let is_met = |&(one, other): &(PairingNumber, PairingNumber)| {
        let is_this = |pair: &Pair| [(one, other), (other, one)].contains(&(pair.white, pair.black));
        round.pairing.pairs.iter().any(is_this)
    };
    if forbidden.iter().any(is_met) {
        return Vec::new();
    }
    forbidden
}

/// The pairing that the system makes of round `rounds + 1`, which has been paired, for the same players but without the
/// arbiter's forced pairs. `None` where no pair was forced; a pairing without pairs where the system finds none.
/// Earlier results count as they are now.
pub fn by_system(state: &State, rounds: usize) -> Option<RoundPairing> {
    if state.created().format != TournamentFormat::Swiss || forced_pairs(state, rounds).is_empty() {
        return None;
    }
    let mut usual = forbidden_pairs(state);
    usual.extend(forbidden(state, rounds));
    let history = History {
        forbidden: usual,
        ..history_after(state, rounds)
    };
    Some(director::swiss_pairing(state, &history).unwrap_or_default())
}
