//! Games of a run on other machines than the runner's. So far: agents as they travel there.
//!
//! May not: decide what is played; keep a second log.
#![expect(
    clippy::disallowed_methods,
    reason = "agents are files, which are unpacked on another machine"
)]

pub mod bundle;
mod elf;
