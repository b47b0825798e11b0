//! The program: parse arguments, run, errors become exit codes. Three roles share the binary: the guard (as a person
//! starts it), the player behind the guard, and the keeper of one engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    swissmatch::begin();
    swissmatch::cli::main(swissmatch::arguments().collect())
}
