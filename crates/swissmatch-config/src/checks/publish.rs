//! Checks of what is held back from the published files.
//!
//! May not: change a value.

use crate::{ConfigError, LoadedEvent};

/// Refuses to hold back rounds of a tour, whose run has only play-offs.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    if setup.publish.embargo_rounds == 0 || setup.tour.runs.is_empty() {
        return Ok(());
    }
    Err(ConfigError {
        help: Some("write 0, or leave it out".to_owned()),
        ..loaded.error_at("publish.embargo_rounds", "a tour has no rounds to hold back".to_owned())
    })
}
