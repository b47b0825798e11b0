//! The only place with processes, threads, clocks, files, sockets and the environment.
//!
//! May not: decide anything about pairings, results or standings.
#![expect(clippy::disallowed_methods, reason = "this is the layer that touches the world")]

pub mod agents;
pub mod analyse;
pub mod check;
pub mod conduct;
pub mod console;
pub mod cores;
pub mod desk;
pub mod eligibility;
pub mod engine;
pub mod environment;
pub mod evaluations;
pub mod evaluator;
mod family;
pub mod files;
pub mod guard;
pub mod keeper;
pub mod machine;
pub mod open_run;
pub mod presence;
pub mod progress;
pub mod publish;
mod pulse;
pub mod roster_lock;
pub mod run_dir;
pub mod run_files;
pub mod slot;
pub mod stop;
pub mod store;
pub mod tablebase;
pub mod threads;
pub mod topology;
pub mod verify;
pub mod warnings;
pub mod writer;
