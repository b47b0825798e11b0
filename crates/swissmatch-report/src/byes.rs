//! How it is told that a player sits out.
//!
//! May not: say who that is.

use swiss_system::pairing::history::{PairingNumber, RoundPairing};

use swissmatch_tournament::setup::ByeAgain;
use swissmatch_tournament::state::State;

/// What is said behind the name of a player who sits out: nothing of one with a right to the bye, or who has it all the same.
pub fn note(state: &State, pairing: &RoundPairing, player: PairingNumber) -> &'static str {
    match state.setup().bye.again {
        _ if !pairing.again.contains(&player) => "",
        ByeAgain::Bye => "",
        ByeAgain::Requested => " (as a requested bye: nobody with a right to the bye could sit out)",
        ByeAgain::Zero => " (0 points: nobody with a right to the bye could sit out)",
    }
}
