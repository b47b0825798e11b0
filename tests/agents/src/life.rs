//! An end for agents that may not end by themselves.
#![expect(
    clippy::disallowed_methods,
    reason = "it waits on a thread of its own and ends the process"
)]

use std::process;
use std::thread;
use std::time::Duration;

/// Ends this process with code 9 after so long: a test that fails to end an
/// agent must not leave it on the machine for good.
pub(crate) fn limit(life: Duration) {
    thread::spawn(move || {
        thread::sleep(life);
        process::exit(9);
    });
}
