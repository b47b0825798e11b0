//! UCI agents to try a match runner with.
//!
//! [`random`] moves at random, [`greedy`] grabs material and [`alphabeta`]
//! searches.
//!
//! All of them keep one promise that makes matches repeatable: a move depends
//! on the options and on the game so far, never on what the process did before.

#![forbid(unsafe_code)]

pub mod alphabeta;
pub mod game;
pub mod greedy;
pub mod hashing;
pub mod instant;
pub mod options;
pub mod protocol;
pub mod random;
