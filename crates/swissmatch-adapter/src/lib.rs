//! UCI engines for players that are not engines. Sans-IO: lines go in, and lines for the runner and the player come out.
//!
//! May not: touch processes, files, sockets or the environment, ask the time, know tournaments.

pub mod answer;
pub mod call;
mod go;
pub mod model;
mod order;
pub mod position;
pub mod program;
pub mod prompt;
mod question;
pub mod service;
#[cfg(test)]
mod tests;
mod turn;
pub mod uci;
