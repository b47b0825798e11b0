//! The event, event-sourced: what is stored, what follows from it, what may happen next.
//!
//! May not: ask the time, touch files or processes, hold moves; every number is a fold over the entries of the log.

pub mod altered;
pub mod analysis;
pub mod arbiter;
pub mod collected;
pub mod column;
pub mod director;
pub mod duration;
pub mod eligibility;
pub mod embargo;
pub mod faults;
pub mod games;
pub mod history;
pub mod house;
pub mod knockout;
pub mod limits;
pub mod log;
pub mod money;
pub mod names;
pub mod opening_plan;
pub mod part;
pub mod part_events;
pub mod placing;
pub mod planned;
pub mod playoff;
pub mod policy;
pub mod presence;
pub mod prizes;
pub mod ranking;
pub mod resampled;
pub mod rescore;
pub mod results;
pub mod roster;
pub mod schedule;
pub mod setup;
pub mod sprt;
pub mod stage;
pub mod state;
pub mod stop;
pub mod system;
pub mod ties;
pub mod timetable;
pub mod tour;
pub mod waiting;
