//! swissmatch: a Swiss-system match runner for UCI agents.
//!
//! The modules stand in the order of their layers, lowest first; each uses only what stands above it.

pub mod count;
pub mod score;

pub mod lot;

pub mod trf;

pub mod pairing;
pub mod standings;

pub mod stats;

pub mod game;

pub mod tournament;

pub mod report;

pub mod config;

pub mod shell;

pub mod run;

pub mod cli;

pub use shell::roles::{arguments, begin, begin_guarded};
