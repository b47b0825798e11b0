//! Checks of the keys of an analysis together.
//!
//! May not: change a value.

use super::is_given;
use super::openings::{VARIANT_HELP, variant_problem};
use crate::{ConfigError, LoadedEvent};
use swissmatch_tournament::setup::AnalysisKeys;

/// Refuses an analysis without a bound, thresholds out of order, and the variant among the options.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let Some(AnalysisKeysError { keys, message, help }) = problem(&loaded.setup.analysis) else {
        return Ok(());
    };
    // Of two keys that exclude each other, the one that somebody wrote.
    let given = keys.iter().find(|key| is_given(loaded, key));
    let key = given.unwrap_or(&keys[0]);
    Err(ConfigError {
        help: Some(help.to_owned()),
        ..loaded.error_at(key, message)
    })
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}; {help}", keys[0])]
pub struct AnalysisKeysError {
    /// The key that is wrong, or two that exclude each other.
    keys: &'static [&'static str],
    message: String,
    help: &'static str,
}

/// The first problem of the keys together, if any.
pub fn problem(keys: &AnalysisKeys) -> Option<AnalysisKeysError> {
    if keys.bounds().is_empty() {
        return Some(AnalysisKeysError {
            keys: &["analysis.nodes", "analysis.depth"],
            message: "nodes and depth are both \"none\", so no evaluation would end".to_owned(),
            help: "give one of them a number",
        });
    }
    if let Some(message) = variant_problem(&keys.options) {
        return Some(AnalysisKeysError {
            keys: &["analysis.options"],
            message,
            help: VARIANT_HELP,
        });
    }
    let rising: [(&[&str], u32, u32); 2] = [
        (
            &["analysis.mistake", "analysis.inaccuracy"],
            keys.mistake,
            keys.inaccuracy,
        ),
        (&["analysis.blunder", "analysis.mistake"], keys.blunder, keys.mistake),
    ];
    for (keys, least, below) in rising {
        if least <= below {
            return Some(AnalysisKeysError {
                keys,
                message: format!("{} = {least} is not more than {} = {below}", keys[0], keys[1]),
                help: "an inaccuracy must lose least, and a blunder most",
            });
        }
    }
    (keys.blunder > 2 * keys.clamp).then(|| AnalysisKeysError {
        keys: &["analysis.blunder", "analysis.clamp"],
        message: format!(
            "no move can lose {} centipawns while evaluations are clamped to ±{}",
            keys.blunder, keys.clamp
        ),
        help: "a move can lose at most twice analysis.clamp",
    })
}
