//! Engines and compilers of this machine, by the names that they usually have: what an isolated agent that may run any program can play
//! or make moves by.
//!
//! May not: be taken for all that there are, or for what agents are kept from.

use std::path::PathBuf;

use super::system::PATH;

const ENGINES: &[&str] = &[
    "berserk",
    "crafty",
    "dragon",
    "ethereal",
    "fairy-stockfish",
    "fairymax",
    "fruit",
    "glaurung",
    "gnuchess",
    "hoichess",
    "houdini",
    "komodo",
    "lc0",
    "maia",
    "obsidian",
    "phalanx",
    "plentychess",
    "rubichess",
    "sjeng",
    "stockfish",
    "toga2",
    "viridithas",
];

const COMPILERS: &[&str] = &[
    "as", "c++", "cargo", "cc", "clang", "clang++", "dmd", "fpc", "g++", "gcc", "gccgo", "gfortran", "ghc", "go",
    "javac", "ld", "ldc2", "nim", "rustc", "tcc", "zig",
];

/// Those that lie where isolated agents look programs up.
pub(crate) fn engines_and_compilers() -> Vec<PathBuf> {
    let names = ENGINES.iter().chain(COMPILERS);
    let found = names.filter_map(|name| {
        std::env::split_paths(PATH)
            .map(|place| place.join(name))
            .find(|path| path.is_file())
    });
    found.collect()
}
