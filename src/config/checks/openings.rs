//! What is amiss with openings and the variant.
//!
//! May not: change a value; read a suite.

use std::collections::BTreeMap;

use crate::config::{ConfigError, Loaded};
use crate::game::variant::OPTION;
use crate::tournament::setup::{Openings, Variant};

/// Refuses openings that the event cannot have.
pub(super) fn check(loaded: &Loaded) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let keys = &setup.mini_match;
    if keys.openings == Openings::Chess960 && setup.game.variant == Variant::Standard {
        let message = "these start positions are those of Chess960, and standard chess is played".to_owned();
        let help = "write variant = \"chess960\" under [game]".to_owned();
        return Err(ConfigError {
            help: Some(help),
            ..loaded.error_at("mini_match.openings", message)
        });
    }
    if keys.openings == Openings::None && keys.opening_start > 1 {
        let message = "there are no openings to begin with (mini_match.openings = \"none\")".to_owned();
        return Err(loaded.error_at("mini_match.opening_start", message));
    }
    for (key, options) in [
        ("engine.options", &setup.engine.options),
        ("analysis.options", &setup.analysis.options),
    ] {
        if sets_the_variant(options) {
            return Err(by_the_variant(loaded.error_at(key, String::new())));
        }
    }
    for (index, player) in setup.players.iter().enumerate() {
        if sets_the_variant(&player.options) {
            return Err(by_the_variant(loaded.error_at_player(
                index,
                "player.options",
                String::new(),
            )));
        }
    }
    Ok(())
}

fn sets_the_variant(options: &BTreeMap<String, String>) -> bool {
    options.keys().any(|name| name.eq_ignore_ascii_case(OPTION))
}

/// The error, saying what is wrong.
fn by_the_variant(error: ConfigError) -> ConfigError {
    ConfigError {
        message: format!("{OPTION} is set by game.variant, for all engines alike"),
        help: Some("take it out of the options".to_owned()),
        ..error
    }
}

/// Without openings every game begins alike.
pub(super) fn none(loaded: &Loaded) -> Option<String> {
    let mini_match = &loaded.setup.mini_match;
    (mini_match.openings == Openings::None && mini_match.games > 2).then(|| {
        "mini_match.openings: without openings every game begins alike, and deterministic agents repeat the same games"
            .to_owned()
    })
}
