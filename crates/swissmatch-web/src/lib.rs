//! The page's server: standings, games and boards of runs for spectators, while they are played and afterwards.
//!
//! It reads logs and live lines as anybody may who has the run, and plays nothing, so that its end costs no game. May not: take an act of
//! the arbiter; show anything but what docs/page.md allows; hold up a runner.
#![expect(
    clippy::disallowed_methods,
    reason = "a server has clocks and files; the machine itself is below, in shell"
)]

mod admission;
mod connections;
mod content;
mod index;
mod lines;
mod news;
mod past;
mod patience;
mod pgn;
mod places;
mod routes;
mod server;
mod site;
mod stop;
mod stream;
mod under_way;
mod watcher;

pub use admission::{Admission, TokenFileError};
pub use server::{ServeError, ServerAddresses, ServerSettings, serve};

pub fn has_page() -> bool {
    swissmatch_report::page::FrontEnd::embedded().is_some()
}
