//! Checks of the adjudication of games.
//!
//! May not: change a value, look for tablebases.

use super::is_given;
use crate::{ConfigError, LoadedEvent};

/// Refuses scores that are level and lost at once.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let keys = &loaded.setup.adjudication;
    match (keys.draw_score, keys.resign_score) {
        (Some(level), Some(lost)) if level >= lost => {
            let message = format!("{level} is not below adjudication.resign_score, which is {lost}");
            Err(ConfigError {
                help: Some("the same score must not count both as level and as lost".to_owned()),
                ..loaded.error_at("adjudication.draw_score", message)
            })
        }
        _ => Ok(()),
    }
}

/// Warns of a rule under which a score decides alone, and of keys without effect.
pub(super) fn warnings(loaded: &LoadedEvent) -> impl Iterator<Item = String> {
    let keys = &loaded.setup.adjudication;
    let of_resign = ["adjudication.resign_moves", "adjudication.resign_two_sided"];
    let of_draw = ["adjudication.draw_moves", "adjudication.draw_from_move"];
    let of_tables = [
        "adjudication.tablebase_men",
        "adjudication.tablebase_rule50",
        "adjudication.tablebase_adjudicate",
    ];
    let idle = [
        (keys.resign_score.is_none(), &of_resign[..], "resign_score"),
        (keys.draw_score.is_none(), &of_draw[..], "draw_score"),
        (keys.tablebases.is_empty(), &of_tables[..], "tablebases"),
    ];
    let mut warnings = Vec::new();
    for (is_off, keys, missing) in idle {
        let given = keys.iter().filter(|key| is_off && is_given(loaded, key));
        warnings.extend(given.map(|key| format!("{key}: does nothing without adjudication.{missing}")));
    }
    if keys.resign_score.is_some() && !keys.resign_two_sided {
        warnings.push(
            "adjudication.resign_two_sided: if false, an engine's own scores alone decide that it has lost: an engine with \
             wrong scores loses, and one that never admits that it is losing never loses by this rule"
                .to_owned(),
        );
    }
    warnings.into_iter()
}
