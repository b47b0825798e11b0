//! Players that are no engines, as UCI engines. Sans-IO: lines go in, what is to be said and asked comes out.
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
