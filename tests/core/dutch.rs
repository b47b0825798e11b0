//! The Dutch system beside its literal definition, beside other programs, and beside tournaments of others.
#![expect(clippy::disallowed_methods, reason = "these tests read files and run other programs")]

mod criteria;
mod generated;
mod literal;
mod other_programs;
