//! UCI agent that plays whatever wins the most material at once.

#![forbid(unsafe_code)]

fn main() {
    swissmatch_engines::instant::run("greedy", swissmatch_engines::greedy::choose);
}
