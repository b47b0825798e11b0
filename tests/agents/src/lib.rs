//! UCI agents for tests of a match runner: [`fault`] plays like the random mover but breaks the protocol wherever it is
//! told to, and [`hostile`] does harm beside it.

#![deny(unsafe_code)]

pub mod fault;
pub mod hostile;
mod life;
