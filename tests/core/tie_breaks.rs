//! The tie-breaks beside a second computation from the wording of their rules, and what must hold for any results.

mod compare;
mod generate;
mod literal;
mod properties;
mod worked;
