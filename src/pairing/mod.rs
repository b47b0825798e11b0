//! Who meets whom: pairing systems, the bye, the number of rounds.
//!
//! Every system reads a [`history::History`] (or only a number of players) and answers with
//! [`history::RoundPairing`]s.
//!
//! May not: know chess, games, clocks, files or names of agents; use chance; depend on anything but `score`.

pub mod bye;
pub mod dutch;
pub mod history;
pub mod infeasible;
pub mod lexicographic;
pub mod match_points;
pub mod matching;
pub mod round_robin;
pub mod rounds;
