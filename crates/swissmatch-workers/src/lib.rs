//! Games of a run on machines other than the runner's: giving them out, playing them, counting results, and carrying
//! messages.
//!
//! May not: decide what is played; keep a second log.
#![expect(
    clippy::disallowed_methods,
    reason = "agents are files, which are unpacked on another machine"
)]

pub mod admission;
pub mod allows;
pub mod book;
pub mod bundle;
pub mod carrier;
mod coordinator;
mod elf;
pub mod host;
mod names;
pub mod nkey;
pub mod permissions;
mod roll;
mod seats;
pub mod server;
mod shared;
mod speed;
mod spool;
mod staff;
mod stock;
pub mod wire;
pub mod worker;
