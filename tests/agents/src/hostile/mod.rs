//! An agent that plays legal moves and does harm on request, so that it can be
//! tested what an agent of a match runner reaches beyond its own process.
//!
//! A line on standard error says what came of each attempt: `hostile KIND: done
//! DETAIL` where the harm is really done, `hostile KIND: refused WHY` where it
//! was stopped, and `hostile KIND: untried WHY` where this machine lacks what
//! the attempt is made with.
//!
//! It looks only at the run that it plays in: from its own process up to the
//! guard, and down from there. Nobody else's processes are ever touched.

mod agent;
mod arbiter;
mod arguments;
mod calls;
mod channels;
mod descent;
mod files;
mod groups;
mod host;
mod ipc;
mod kernel;
mod kinds;
mod limits;
mod means;
mod memory;
mod network;
mod others;
mod outcome;
mod programs;
mod run_files;
mod signals;
mod streams;

pub use agent::run;
