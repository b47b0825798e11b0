//! What entrants hand in: received, looked at, tried, kept by content, and played.
//!
//! Beside the run, in `submissions/`: its log (`log.jsonl`), the archives, what was unpacked of each, and the programs by which Python
//! plays. May not: speak to a person.

mod contract;
mod enter;
mod entrant;
mod incoming;
mod judge;
mod packages;
mod reason;
mod shown;
mod store;
mod submit;
mod template;
mod trial;
mod unpack;

pub(crate) use enter::{as_handed_in, by_submissions, enter, play_as_in, require_all, verify};
pub(crate) use judge::judge_what_was_left;
pub use judge::{Came, SubmissionStep};
pub(crate) use packages::{note_packages, require_packages};
pub use store::Store;
pub use submit::{submit, try_out};
