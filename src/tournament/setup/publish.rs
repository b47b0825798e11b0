//! Keys of what is published, `[publish]`.
//!
//! May not: read files, know TOML, decide anything.

use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

/// `[publish]`
#[derive(Clone, Copy, Debug, PartialEq, Eq, SmartDefault, Serialize, Deserialize)]
#[serde(default)]
pub struct PublishKeys {
    /// So many rounds at the end are held back of the published files until the arbiter releases them.
    pub embargo_rounds: u32,
}
