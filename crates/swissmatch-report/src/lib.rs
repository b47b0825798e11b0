//! Reports on an event for people and other programs: text made from its state.
//!
//! May not: touch files, clocks or processes; decide anything about the event. Whatever agents and entrants wrote
//! (names, moves that are none) is untrusted here and leaves this module harmless for the format it goes into.

pub mod after_round;
pub mod analysis;
pub mod anchor;
pub mod appeal;
pub mod asked;
pub mod beginning;
pub mod byes;
pub mod check;
pub mod compare;
pub mod compared;
pub mod confidence;
pub mod counts;
pub mod course;
pub mod crosstable;
mod decimal;
pub mod duplicates;
pub mod explain;
pub mod faults;
pub mod figures;
pub mod file_standings;
pub mod games;
pub mod gate;
mod html;
pub mod interruptions;
pub mod junit;
pub mod ladder;
pub mod league;
#[cfg(test)]
mod live;
pub mod live_figures;
pub mod machine;
pub mod minutes;
pub mod moment;
pub mod nights;
pub mod not_begun;
pub mod page;
pub mod parts;
pub mod peers;
pub mod pgn;
pub mod plan;
pub mod playoff;
pub mod plot;
pub mod prizes;
pub mod proposal;
pub mod ratings;
pub mod rescore;
pub mod results_pgn;
pub mod roster;
pub mod rules;
pub mod sampled;
pub mod sprt;
pub mod standings;
pub mod stop;
pub mod submissions;
pub mod summary;
pub mod table;
pub mod taken;
pub mod thinking;
pub mod tour;
pub mod trf;
pub mod versus;
pub mod viewers;
pub mod waiting;
pub mod warnings;
pub mod why;
pub mod workers;
pub mod workflow;

mod at_once;
mod cut_off;
mod progress;
mod share;
mod unplayed;
mod untrusted;

pub use untrusted::event as event_name;
pub use untrusted::name as player_name;

#[cfg(test)]
mod fixture;
