//! Games of a run on other machines than the runner's. So far: agents as they travel there, what is said on the way, what of it counts, and what carries it.
//!
//! May not: decide what is played; keep a second log.
#![expect(
    clippy::disallowed_methods,
    reason = "agents are files, which are unpacked on another machine"
)]

pub mod book;
pub mod bundle;
pub mod carrier;
mod elf;
mod names;
pub mod permissions;
pub mod wire;
