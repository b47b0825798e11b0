//! The arbiter's desk: what an organizer may do during an event, who did it, and why.
//!
//! An act is asked for as a [`Command`], judged by [`decide::decide`] on the current state, and kept in the log for
//! ever as an [`ArbiterActed`]. Its effect on the state is in `state::acts` and `state::orders`.
//!
//! Acts are entries of the log. The runner and a command on a stopped run judge by the same pure function, and every
//! answered act is kept. Until an act is committed nothing else is decided.
//!
//! May not: know sockets, processes or clocks.

pub mod decide;
pub mod remedies;
pub mod words;

use serde::{Deserialize, Serialize};

use super::log::{ArbiterActed, ArbiterDecided};

/// A request of the arbiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    Act(ArbiterActed),
    /// A decision on a tie of a play-off.
    Decide(ArbiterDecided),
}
