//! UCI agent that misbehaves on request, for tests of a match runner.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    swissmatch_test_agents::fault::run(std::env::args().skip(1))
}
