//! UCI agent that plays a seeded random legal move.

#![forbid(unsafe_code)]

fn main() {
    swissmatch_engines::instant::run("random-mover", swissmatch_engines::random::choose);
}
