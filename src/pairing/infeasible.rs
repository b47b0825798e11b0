//! Why there is no pairing.
//!
//! May not: know how a pairing is sought.

use crate::pairing::dutch::deadlock::Deadlock;

/// Why a pairing system has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Infeasible {
    /// No player is to be paired.
    #[error("nobody is present to be paired")]
    NobodyPresent,
    /// Sums of squared differences would leave the integers used. For up to 1000 players this takes match points that
    /// lie more than 100 000 apart.
    #[error("match points lie too far apart to be compared exactly")]
    PointsTooFarApart,
    /// No pairing of all present keeps the absolute criteria.
    #[error("no pairing of this round keeps the absolute criteria: {0}")]
    NoLegalPairing(Box<Deadlock>),
    /// Only forbidden pairs stand in the way.
    #[error("the forbidden pairs leave no pairing of this round: allow one of them")]
    Forbidden,
}
