//! An agent that breaks the protocol on request, so that a match runner can be
//! tested against every way in which agents are known to fail.
//!
//! Where nothing is wrong with it, it plays like the random mover. When it is
//! to go wrong is told by the game and not by a counter: a fault `--at 3` comes
//! at the third own move, and comes again when that position is asked again.

mod agent;
pub(crate) mod arguments;
mod burn;
mod door;
mod flood;
mod greed;
mod identity;
mod kind;
mod outlet;
pub(crate) mod relatives;
mod timing;

pub use agent::run;
