//! A run: created, resumed or opened, then played, analysed, verified; its arbiter's acts, its presence checks, its published files.
//!
//! May not: speak to a person, know of a command line, or decide anything about pairings, results or standings.
#![expect(
    clippy::disallowed_methods,
    reason = "a run has clocks and files; the machine itself is below, in shell"
)]

pub mod analyse;
pub mod check;
pub mod conduct;
pub mod eligibility;
pub mod evaluations;
pub mod open_run;
pub mod presence;
pub mod publish;
pub mod roster_lock;
pub mod run_files;
pub mod verify;
pub mod warnings;
