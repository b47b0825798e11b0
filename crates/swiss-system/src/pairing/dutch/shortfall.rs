//! How far a bracket is from being paired completely: C6 and C7.
//!
//! May not: count it.

/// How far a bracket is from being paired completely (C6 and C7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shortfall {
    pub(super) downfloaters: u64,
    /// The number of downfloaters that are moved-down players, by score, the highest score first.
    pub(super) by_score: Vec<u64>,
}
