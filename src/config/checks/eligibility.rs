//! What is amiss with the keys of `[eligibility]` together.
//!
//! May not: change a value.

use super::is_given;
use super::openings::{VARIANT_HELP, variant_problem};
use crate::config::{ConfigError, Loaded};

/// Refuses terms of games against nobody, and the variant among the baseline's options.
pub(super) fn check(loaded: &Loaded) -> Result<(), ConfigError> {
    let Some(baseline) = &loaded.setup.eligibility.baseline else {
        let of_games = ["eligibility.games", "eligibility.score"];
        let Some(key) = of_games.into_iter().find(|key| is_given(loaded, key)) else {
            return Ok(());
        };
        let message = "there are no games to qualify in, as eligibility.baseline is \"none\"";
        return Err(ConfigError {
            help: Some("name a baseline to play, or leave this key out".to_owned()),
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
