//! The FIDE (Dutch) system, C.04.3.
//!
//! May not: know games, files or names; use chance.

pub mod rules;
