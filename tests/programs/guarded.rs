//! A program behind a guard: says its arguments, and ends with the exit code that the first one is, or by a signal where that is
//! no number.

use std::process::{ExitCode, abort};

fn main() -> ExitCode {
    swissmatch::begin_guarded();
    let words: Vec<String> = swissmatch::arguments()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    println!("{words:?}");
    match words[0].parse::<u8>() {
        Ok(code) => code.into(),
        Err(_) => abort(),
    }
}
