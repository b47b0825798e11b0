//! What a pairing was made from: the history that its system saw, and the pairs that the arbiter had asked for.
//!
//! May not: pair anybody, find reasons.

use swiss_system::pairing::history::{History, Pair, PairingNumber, RoundPairing};

use swissmatch_tournament::history::{forbidden_pairs, forced_pairs, history_after};
use swissmatch_tournament::state::State;

/// What a pairing was made from.
pub struct PairingBasis {
    /// What the system saw.
    pub history: History,
    /// The pairs that the arbiter asked for and that were made, White first; who is in them was not there for the system.
    pub by_arbiter: Vec<[PairingNumber; 2]>,
}

impl PairingBasis {
    /// Of the next round of `then`, which was paired so.
    pub fn from(then: &State, pairing: &RoundPairing) -> Self {
        let before = then.rounds().len();
        let mut history = history_after(then, before);
        let is_forbidden = |pair: &Pair| {
            let mut forbidden = history.forbidden.iter();
            forbidden.any(|&pair_of| [(pair.white, pair.black), (pair.black, pair.white)].contains(&pair_of))
        };
        if pairing.pairs.iter().any(is_forbidden) {
            // What the arbiter forbade for this round lapsed, as it had no pairing otherwise.
            history.forbidden = forbidden_pairs(then);
        }
        let wished = forced_pairs(then, before);
        let granted = pairing.pairs.iter().map(|pair| (pair.white, pair.black));
        let granted = granted.filter(|pair| wished.contains(pair));
        let by_arbiter: Vec<_> = granted.map(|(white, black)| [white, black]).collect();
        for player in by_arbiter.iter().flatten() {
            // What is explained is who was left.
            history.players[player.index()].present = false;
        }
        Self { history, by_arbiter }
    }
}
