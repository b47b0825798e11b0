//! Names from outside, made harmless.
//!
//! May not: know formats; each format does its own escaping.

use std::path::{Path, PathBuf};

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;

use swissmatch_tournament::state::State;

/// A player's name.
pub fn name(state: &State, player: PairingNumber) -> String {
    harmless(&state.player(player).name)
}

/// A path without its parts of no meaning, such as `./` within it; the address of a service stays as it is.
pub(super) fn path(path: &str) -> String {
    if path.contains("://") {
        return harmless(path);
    }
    let short: PathBuf = Path::new(path).components().collect();
    harmless(&short.to_string_lossy())
}

/// The event's name.
pub fn event(state: &State) -> String {
    harmless(&state.setup().event.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_short_and_an_address_is_whole() {
        assert_eq!(path("own/./quitter.sh"), "own/quitter.sh");
        assert_eq!(
            path("http://127.0.0.1:8000//move/./x"),
            "http://127.0.0.1:8000//move/./x"
        );
        assert_eq!(path("http://a\u{1b}b/"), harmless("http://a\u{1b}b/"));
    }
}
