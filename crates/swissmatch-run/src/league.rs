//! A league on the disk: its history, its builds, the run of a night.
//!
//! May not: play; say what is a change.

pub mod builds;
pub mod content;
pub mod earlier;
pub mod history;
pub mod night;
