//! The program: parse arguments, run, errors become exit codes. Three roles share the binary: the guard (as a person
//! starts it), the player behind the guard, and the keeper of one engine.

use std::process::ExitCode;

use swissmatch::cli::exit::Exit;
use swissmatch::shell::{guard, keeper, machine};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    if arguments.next_if(|word| word == keeper::ARGUMENT).is_some() {
        return keeper::run().into();
    }
    if let Err(error) = machine::outlive_file_limits() {
        eprintln!("swissmatch: {error}");
        return Exit::Machine.into();
    }
    let is_player = arguments.next_if(|word| word == guard::ARGUMENT).is_some();
    if is_player {
        let guard = arguments.next().unwrap_or_default();
        if let Err(error) = guard::tie_to(&guard.to_string_lossy()) {
            eprintln!("swissmatch: {error}");
            return Exit::Machine.into();
        }
    }
    swissmatch::cli::main(arguments.collect(), is_player)
}
