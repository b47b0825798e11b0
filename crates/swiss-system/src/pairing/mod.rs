//! Who meets whom: pairing systems, the bye, the number of rounds.
//!
//! Every system reads a [`history::History`] (or only a number of players) and answers with
//! [`history::RoundPairing`]s.
//!
//! May not: know chess, games, clocks or names of agents; touch files; use chance that is not passed in; depend on
//! anything but `score`, `lot` and `trf`.

mod aims;
pub mod all_play_all;
mod boards;
pub mod by_aims;
pub mod bye;
pub mod check;
mod colors;
mod cycles;
pub mod deadlock;
pub mod difference;
pub mod double_swiss;
pub mod dutch;
pub mod file;
pub mod gauntlet;
pub mod generate;
pub mod history;
pub mod immortal;
pub mod infeasible;
pub mod knockout;
mod lexicographic;
pub mod match_points;
mod matching;
pub mod meetings;
pub mod nearest;
pub mod round_robin;
pub mod rounds;
pub mod system;
pub mod us_chess;
pub mod wishes;

#[cfg(test)]
mod tests;
