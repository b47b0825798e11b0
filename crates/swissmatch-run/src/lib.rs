//! A run: created, resumed or opened, then played, analysed, verified; its arbiter's acts, its presence checks, its published files.
//!
//! May not: speak to a person, read a command line (its sentences name flags that help), or decide anything about pairings,
//! results or standings.
#![expect(
    clippy::disallowed_methods,
    reason = "a run has clocks and files; the machine itself is below, in shell"
)]

pub mod account;
pub mod act;
mod agent_files;
mod analyse;
pub mod analysis;
mod anchors;
pub mod answers;
pub mod archive;
mod begin;
pub mod by_content;
mod check;
pub mod checks;
pub mod chosen;
pub mod collected;
pub mod conduct;
pub mod course;
mod create;
pub mod database;
mod doings;
pub mod earlier;
pub mod eligibility;
mod entered;
pub mod error;
mod evaluations;
pub mod event_file;
pub mod follow;
mod found;
pub mod game_file;
mod hosted;
mod interrupted;
mod introduction;
mod known;
pub mod ladder;
pub mod late;
pub mod league;
pub mod live;
mod locked;
pub mod materials;
pub mod measure;
mod notice;
pub mod offered;
mod open_desk;
pub mod open_run;
pub mod other_game_rules;
mod over;
mod own_directory;
pub mod page;
mod play;
pub mod publish;
mod reach;
pub mod report;
mod resume;
pub mod room;
pub mod roster_lock;
mod run_files;
mod services;
mod signing;
mod stored;
mod submission_error;
pub mod submissions;
pub mod thinking;
pub mod tour;
mod trial;
pub mod trust;
pub mod try_out;
mod two_players;
pub mod verify;
mod viewers;
pub mod warnings;

pub use begin::{HeldRun, PreparedRun};
pub use conduct::{Reader, RunEnd, Stopper};
pub use error::RunError;
pub use event_file::EventFile;
pub use hosted::{Machine, sparing, this_machine, this_machine_as};
pub use notice::Notice;
pub use over::FinishedRun;
pub use play::{PlayedRun, Run};
pub use signing::signer;

pub use swissmatch_host::host::GameHost;
