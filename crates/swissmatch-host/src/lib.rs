//! The only place with processes, threads, clocks, files, sockets and the environment.
//!
//! May not: decide anything about pairings, results or standings.
#![expect(clippy::disallowed_methods, reason = "this is the layer that touches the world")]

pub mod adapter;
pub mod agents;
pub mod anchor;
pub mod awake;
pub mod begun;
pub mod behind;
pub mod beside;
pub mod broadcast;
mod cause;
pub mod checkout;
pub mod confine;
mod content;
pub mod desk;
pub mod directory;
mod door;
pub mod engine;
pub mod environment;
pub mod evaluator;
pub mod facilities;
mod family;
pub mod file_hash;
pub mod files;
pub mod gallery;
pub mod gpus;
mod group;
pub mod guard;
pub mod host;
mod keeper;
pub mod launch;
pub mod local;
pub mod log_queue;
pub mod machine;
pub mod noise;
pub mod open_games;
pub mod paths;
mod proc;
mod pulse;
pub mod roles;
pub mod run_dir;
pub mod run_log;
mod scratch;
pub mod services;
mod shortage;
pub mod signature;
mod socket;
pub mod store;
pub mod tablebase;
mod terminal;
pub mod this_program;
pub mod threads;
pub mod topology;
mod usage;
mod wait;
pub mod writer;
