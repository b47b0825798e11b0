//! The names of the criteria, and the counts against each.
//!
//! May not: judge anything.

use serde::Serialize;

use crate::pairing::dutch::rules::DutchEdition;

/// A criterion, named as in the edition of 2026.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct DutchCriterion(pub u8);

impl DutchCriterion {
    /// The criterion's name in an edition. In 2017 the two criteria about the bye did not exist.
    pub fn name(self, edition: DutchEdition) -> String {
        let number = match (edition, self.0) {
            (DutchEdition::Of2017, 6..=8) => self.0 - 1,
            (DutchEdition::Of2017, 10..) => self.0 - 2,
            _ => self.0,
        };
        format!("C{number}")
    }
}

/// The counts against each criterion, in their order; a criterion about several scores has several entries, the
/// highest score first.
pub(super) type Profile = Vec<(DutchCriterion, u64)>;
