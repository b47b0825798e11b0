//! The basis of a pairing: the history that its system saw, and the pairs that the arbiter had asked for.
//!
//! May not: pair anybody, find reasons.

use swiss_system::pairing::history::{History, Pair, PairingNumber, RoundPairing};

use swissmatch_tournament::history::{forbidden_pairs, forced_pairs, history_after};
use swissmatch_tournament::state::State;

pub struct PairingBasis {
    /// The history that the system saw.
    pub history: History,
    /// The pairs that the arbiter asked for and that were made, White first. The system paired without their players.
    pub by_arbiter: Vec<[PairingNumber; 2]>,
}

impl PairingBasis {
    /// The basis of the round that follows on `then` and was paired so.
    pub fn from(then: &State, pairing: &RoundPairing) -> Self {
        let before = then.rounds().len();
        let mut history = history_after(then, before);
        let is_forbidden = |pair: &Pair| {
            let mut forbidden = history.forbidden.iter();
            forbidden.any(|&pair_of| [(pair.white, pair.black), (pair.black, pair.white)].contains(&pair_of))
        };
        if pairing.pairs.iter().any(is_forbidden) {
            // The arbiter's bans for this round lapsed, as it had no pairing otherwise.
            history.forbidden = forbidden_pairs(then);
        }
        let wished = forced_pairs(then, before);
        let granted = pairing.pairs.iter().map(|pair| (pair.white, pair.black));
        let granted = granted.filter(|pair| wished.contains(pair));
        let by_arbiter: Vec<_> = granted.map(|(white, black)| [white, black]).collect();
        for player in by_arbiter.iter().flatten() {
            // Only the pairing of those who were left is explained.
            history.players[player.index()].present = false;
        }
        Self { history, by_arbiter }
    }
}
