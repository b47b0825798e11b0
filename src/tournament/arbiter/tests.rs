//! Acts and what they do.
