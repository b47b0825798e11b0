//! The tie-breaks beside a second computation from the wording of their rules, and what must hold for any results.
#![expect(clippy::disallowed_methods, reason = "these tests read the environment and files")]

mod compare;
mod generate;
mod literal;
mod properties;
mod worked;
