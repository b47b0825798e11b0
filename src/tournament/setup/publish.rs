//! Keys of what is published, `[publish]`.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};

/// `[publish]`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishKeys {
    /// So many rounds at the end are held back of the published files until the arbiter releases them.
    pub embargo_rounds: u32,
}
