//! Text that others chose, made harmless before it is shown.
//!
//! May not: know formats; what a format needs escaped is escaped where the format is written.

use crate::game::uci;
use crate::pairing::history::PairingNumber;
use crate::tournament::state::State;

/// The text without control characters and marks that change the direction of writing.
pub(super) fn tame(text: &str) -> String {
    text.chars().filter(|&c| uci::is_tame(c)).collect()
}

/// A player's name.
pub(super) fn name(state: &State, player: PairingNumber) -> String {
    tame(&state.player(player).name)
}

/// The event's name.
pub fn event(state: &State) -> String {
    tame(&state.setup().event.name)
}
