//! UCI agent that does harm on request, for tests of what an agent can reach.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    swissmatch_test_agents::hostile::run(std::env::args().skip(1))
}
