//! A remark on a player who sits out.
//!
//! May not: say who that is.

use swiss_system::pairing::history::{PairingNumber, RoundPairing};

use swissmatch_tournament::setup::ByeAgain;
use swissmatch_tournament::state::State;

/// The remark behind the name of a player who sits out; empty if the player has a right to the bye, or has it all the same.
pub fn note(state: &State, pairing: &RoundPairing, player: PairingNumber) -> &'static str {
    match state.setup().bye.again {
        _ if !pairing.again.contains(&player) => "",
        ByeAgain::Bye => "",
        ByeAgain::Requested => " (as a requested bye: nobody with a right to the bye could sit out)",
        ByeAgain::Zero => " (0 points: nobody with a right to the bye could sit out)",
    }
}
