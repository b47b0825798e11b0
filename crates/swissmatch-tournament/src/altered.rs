//! What the arbiter asked for one round, and what the round would have been without it.
//!
//! May not: pair by rules of its own.

use swiss_system::pairing::history::{History, Pair, PairingNumber, RoundPairing};
use swiss_system::pairing::rounds::TournamentFormat;

use super::director;
use super::state::State;
use crate::history::{forbidden_pairs, forced_pairs, history_after};
use crate::state::orders::Orders;

/// The pairs that were forbidden for round `rounds + 1` alone, which is paired; none where that lapsed, because the round would
/// have had no pairing.
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

/// What the system pairs in round `rounds + 1`, which is paired, among the same players without the pairs that were forced in
/// it; `None` where none were, and a pairing of nobody where the system has none. Earlier results count as they are now.
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
