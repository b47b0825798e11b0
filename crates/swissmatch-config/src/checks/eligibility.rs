//! Checks of the keys of `[eligibility]` together.
//!
//! May not: change a value.

use super::openings::{VARIANT_HELP, variant_problem};
use crate::{ConfigError, LoadedEvent, Origin};

/// Refuses terms for games without an opponent, and the variant among the baseline's options.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let Some(baseline) = &loaded.setup.eligibility.baseline else {
        let of_games = ["eligibility.games", "eligibility.score"];
        // A file may have them for a baseline to come; but a flag for this call means that games are to be played.
        let is_meant = |key: &&str| matches!(loaded.origin(key), Some(Origin::Flag(_)));
        let Some(key) = of_games.into_iter().find(is_meant) else {
            return Ok(());
        };
        let message = "there are no games to qualify in, because eligibility.baseline is \"none\"";
        return Err(ConfigError {
            help: Some("name a baseline to play (--against), or leave this out".to_owned()),
            ..loaded.error_at(key, message)
        });
    };
    match variant_problem(&baseline.options) {
        Some(message) => Err(ConfigError {
            help: Some(VARIANT_HELP.to_owned()),
            ..loaded.error_at("eligibility.baseline", message)
        }),
        None => Ok(()),
    }
}
