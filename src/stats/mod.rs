//! What chance did: rank confidence from the games that were played.
//!
//! May not: know engines, clocks, files or how an event is stored; decide a result or a place: floats are for shares and
//! strengths alone, points stay exact.

pub mod confidence;
pub mod places;

mod stream;
