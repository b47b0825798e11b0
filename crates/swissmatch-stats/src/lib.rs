//! The role of chance: strengths and rank confidence from the games that were played, tests of them, and simulated
//! events before any is played.
//!
//! May not: know engines, clocks, files or how an event is stored; decide a result or a place: floats are for shares
//! and strengths alone, points stay exact.

pub mod accuracy;
pub mod confidence;
mod elo;
pub mod marks;
pub mod pairs;
pub mod places;
pub mod plan;
pub mod printed;
pub mod rating;
pub mod simulate;
pub mod spread;
pub mod sprt;
pub mod stop;

mod stream;
