//! Why there is no pairing.
//!
//! May not: know how a pairing is sought.

use crate::pairing::deadlock::Deadlock;
use crate::pairing::history::PairingNumber;

/// Why a pairing system has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPairingError {
    /// No player is to be paired.
    #[error("nobody is present to be paired")]
    NobodyPresent,
    /// Sums of squared differences would overflow the integers used. For up to 1000 players this takes match points
    /// that lie more than 100 000 apart.
    #[error("match points lie too far apart to be compared exactly")]
    PointsTooFarApart,
    /// No pairing of all present keeps the absolute criteria.
    #[error("no pairing of this round keeps the absolute criteria: {0}")]
    NoLegalPairing(Box<Deadlock>),
    /// Only forbidden pairs stand in the way.
    #[error("the forbidden pairs leave no pairing of this round: allow one of them")]
    Forbidden,
    /// So many players that sums over a round overflow the integers used; takes several thousand players.
    #[error("these are more players than can be compared exactly")]
    TooManyPlayers,
    /// The number of players is odd, and the rules bar each of them from the bye.
    #[error("nobody present may have the bye, by its rules: enter one player as absent in this round")]
    NobodyForTheBye,
    /// The rules never let two players meet twice, and no other pairing is left.
    #[error("every pairing of this round that is left has a second meeting or a forbidden pair")]
    OnlySecondMeetings,
    /// A tie that somebody has to win is level.
    #[error("players {one} and {other} are level: one of them has to win before the next round can be paired")]
    Undecided {
        /// The player with the smaller pairing number.
        one: PairingNumber,
        /// The player with the larger pairing number.
        other: PairingNumber,
    },
    /// Every round of the system has been paired.
    #[error("no round of this system is left to be paired")]
    NoRoundLeft,
}
