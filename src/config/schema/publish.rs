//! Keys of what is published.
//!
//! May not: know layers or files.

use super::Key;
use crate::tournament::setup::Setup;

pub(super) static KEYS: &[Key<Setup>] = &[key!(
    "publish.embargo_rounds",
    "a number of rounds from 0 to 10000",
    "So many last rounds are held back of the published files until `swissmatch arbiter release`; 0: none.",
    publish.embargo_rounds = whole 0..=10_000
)
.output()];
