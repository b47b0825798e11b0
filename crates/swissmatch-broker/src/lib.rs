//! The program's one HTTP client, and the broker between the agents of an event and the services that their models run at.
//!
//! A run has one broker. It alone has addresses and keys, builds each call, tries again, keeps the ledger and the
//! spending, and says whose failure a failure is. May not: know a rule of chess, start a thread, open a file, decide
//! a game.
#![cfg_attr(
    feature = "client",
    expect(clippy::disallowed_methods, reason = "a client has clocks")
)]

#[cfg(feature = "client")]
mod broker;
#[cfg(feature = "client")]
mod call;
#[cfg(feature = "client")]
pub mod endpoint;
#[cfg(feature = "client")]
mod grade;
#[cfg(feature = "client")]
pub mod http;
pub mod kept;
#[cfg(feature = "client")]
pub mod ledger;
pub mod manner;
pub mod money;
#[cfg(feature = "client")]
mod off_clock;
#[cfg(feature = "client")]
pub mod offer;
#[cfg(feature = "client")]
pub mod outage;
#[cfg(feature = "client")]
pub mod player;
#[cfg(feature = "client")]
mod queue;
#[cfg(feature = "client")]
pub mod reach;
#[cfg(feature = "client")]
mod reply;
#[cfg(feature = "client")]
mod request;
#[cfg(feature = "client")]
mod serve;
#[cfg(feature = "client")]
mod shared;
#[cfg(feature = "client")]
mod sse;
pub mod wire;

#[cfg(feature = "client")]
pub use broker::{Broker, Work};
