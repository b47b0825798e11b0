//! How the loop that plays a run ends.
//!
//! May not: end it.

use swissmatch_tournament::director;

/// How the loop ended.
#[derive(Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Every round has been played.
    Complete,
    /// Asked to stop: games under way were finished and saved.
    Stopped,
    /// Asked twice: games under way are lost and will be played again.
    StoppedAtOnce,
    /// The next round has no pairing: the arbiter has to allow one, or to end the event.
    NoPairing(director::NoPairingError),
    /// A tie of a play-off is left to the arbiter, who has to decide before the event goes on.
    Decision,
    /// All games that are due were interrupted too often or wait for one that was: the arbiter has to rule on them before the event goes on.
    Rulings,
    /// The arbiter had it stop after a round.
    AfterRound,
    /// Something of the organizer's has to be mended before games can be played: a service that is away, its key or its address, its quota,
    /// what may be spent there, a machine that can play nothing. Games under way were finished and saved.
    ToMend {
        /// What, as a sentence.
        why: String,
    },
    /// The last slot of the host has gone.
    NoSlot {
        /// Number of the slot, from 0.
        slot: usize,
        /// The reason, as a sentence.
        why: String,
    },
}
