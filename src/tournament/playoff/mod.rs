//! Play-offs: players who are level are told apart, by contests of their own.
//!
//! May not: draw lots, play games, ask the time, decide for the arbiter, remember anything.

pub mod facts;
pub mod rules;
pub mod stand;
