//! Checks of openings and the variant.
//!
//! May not: change a value; read a suite.

use std::collections::BTreeMap;

use super::is_given;
use crate::{ConfigError, LoadedEvent};
use swissmatch_game::variant::OPTION;
use swissmatch_tournament::setup::{Openings, Variant};

/// Refuses openings that the event cannot have.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let keys = &setup.mini_match;
    if keys.openings == Openings::Chess960 && setup.game.variant == Variant::Standard {
        let message = "these are start positions of Chess960, but standard chess is played".to_owned();
        let help = "write variant = \"chess960\" under [game]".to_owned();
        return Err(ConfigError {
            help: Some(help),
            ..loaded.error_at("mini_match.openings", message)
        });
    }
    if keys.openings == Openings::None && keys.opening_start > 1 {
        let message = "there is no such opening, because mini_match.openings is \"none\"".to_owned();
        return Err(loaded.error_at("mini_match.opening_start", message));
    }
    let with_help = |error: ConfigError| ConfigError {
        help: Some(VARIANT_HELP.to_owned()),
        ..error
    };
    if let Some(message) = variant_problem(&setup.engine.options) {
        return Err(with_help(loaded.error_at("engine.options", message)));
    }
    for (index, player) in setup.players.iter().enumerate() {
        if let Some(message) = variant_problem(&player.options) {
            return Err(with_help(loaded.error_at_player(index, "player.options", message)));
        }
    }
    Ok(())
}

/// The remedy if options of an engine set the variant.
pub(super) const VARIANT_HELP: &str = "take it out of the options";

/// The problem if options of an engine set the variant.
pub(super) fn variant_problem(options: &BTreeMap<String, String>) -> Option<String> {
    let sets_it = options.keys().any(|name| name.eq_ignore_ascii_case(OPTION));
    sets_it.then(|| format!("{OPTION} is set by game.variant, for all engines alike"))
}

/// Warns of keys for openings that have no effect without any.
pub(super) fn idle(loaded: &LoadedEvent) -> impl Iterator<Item = String> {
    let keys = [
        "mini_match.opening_order",
        "mini_match.opening_plies",
        "mini_match.opening_start",
        "mini_match.opening_policy",
    ];
    let is_off = loaded.setup.mini_match.openings == Openings::None;
    let given = keys.into_iter().filter(move |key| is_off && is_given(loaded, key));
    given.map(|key| format!("{key}: does nothing with mini_match.openings = \"none\""))
}

/// Warns that without openings all games begin alike.
pub(super) fn none(loaded: &LoadedEvent) -> Option<String> {
    let setup = &loaded.setup;
    (setup.mini_match.openings == Openings::None && setup.most_games() > 2).then(|| {
        "mini_match.openings: without openings every game begins the same way, and deterministic agents repeat the same games"
            .to_owned()
    })
}
