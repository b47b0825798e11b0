//! UCI agent with an alpha-beta search.

#![forbid(unsafe_code)]

fn main() {
    swissmatch_engines::alphabeta::run();
}
