//! Names that others chose, harmless.
//!
//! May not: know formats; what a format needs escaped is escaped where the format is written.

use std::path::{Path, PathBuf};

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;

use swissmatch_tournament::state::State;

/// A player's name.
pub fn name(state: &State, player: PairingNumber) -> String {
    harmless(&state.player(player).name)
}

/// A path without what says nothing, such as `./` within it.
pub(super) fn path(path: &str) -> String {
    let short: PathBuf = Path::new(path).components().collect();
    harmless(&short.to_string_lossy())
}

/// The event's name.
pub fn event(state: &State) -> String {
    harmless(&state.setup().event.name)
}
