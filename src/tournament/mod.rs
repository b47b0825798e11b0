//! The event, event-sourced: what is stored, what follows from it, what may happen next.
//!
//! May not: ask the time, touch files or processes, hold moves; every number is a fold over events.

pub mod altered;
pub mod analysis;
pub mod arbiter;
pub mod column;
pub mod director;
pub mod duration;
pub mod eligibility;
mod embargo;
pub mod event;
mod games;
pub mod house;
pub mod knockout;
mod limits;
pub mod mini_match;
pub mod money;
pub mod names;
pub mod opening_plan;
pub mod part;
pub mod placing;
pub mod planned;
pub mod playoff;
pub mod presence;
pub mod prizes;
pub mod resampled;
pub mod rescore;
pub mod roster;
pub mod schedule;
pub mod setup;
pub mod state;
pub mod ties;
pub mod timetable;
pub mod tour;
pub mod waiting;
