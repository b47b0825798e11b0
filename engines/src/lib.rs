//! UCI agents to try a match runner with.
//!
//! Three of them play chess: [`random`] moves at random, [`greedy`] grabs
//! material and [`alphabeta`] searches. The fourth, [`fault`], plays like the
//! random mover but breaks the protocol wherever it is told to. So does the
//! fifth, [`hostile`], which does harm beside the protocol instead.
//!
//! All of them keep one promise that makes matches repeatable: a move depends
//! on the options and on the game so far, never on what the process did before.

#![forbid(unsafe_code)]

pub mod alphabeta;
pub mod fault;
pub mod game;
pub mod greedy;
pub mod hashing;
pub mod hostile;
pub mod instant;
mod life;
pub mod options;
pub mod protocol;
pub mod random;
