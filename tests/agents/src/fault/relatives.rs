//! Processes that an agent leaves behind or turns into.
//!
//! All of them are this program again, told to linger. That way a test finds
//! them by the mark in their command line, and no unsafe code is needed to give
//! up an input or output: the new program image is started without it.

#![expect(clippy::disallowed_methods, reason = "the faults here are about processes")]

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Linux's flag for an open file on which nothing waits, on the processors that swissmatch runs on.
const O_NONBLOCK: i32 = 0o4000;

/// How long processes left behind live.
const LINGER_SECONDS: &str = "300";

/// Which of its streams the agent gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Stdin,
    Stdout,
}

/// The arguments that make this program linger.
pub(crate) fn linger_arguments(mark: &str) -> [&str; 4] {
    ["--linger", LINGER_SECONDS, "--mark", mark]
}

/// Does nothing for a while: the life of a process left behind.
pub(crate) fn linger(time: Duration) {
    thread::sleep(time);
}

/// Leaves an orphan in a session of its own, out of reach of signals to the
/// agent's process group. Its streams lead nowhere.
pub(crate) fn orphan_in_own_session(mark: &str) -> io::Result<()> {
    // With --fork the program setsid starts a child and ends, so what it
    // started has no parent left.
    let ended = Command::new("setsid")
        .arg("--fork")
        .arg(env::current_exe()?)
        .args(linger_arguments(mark))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if ended.success() {
        Ok(())
    } else {
        Err(io::Error::other(format!("setsid: {ended}")))
    }
}

/// Leaves a child that holds the agent's output open.
pub(super) fn child_holding_stdout(mark: &str) -> io::Result<()> {
    Command::new(env::current_exe()?)
        .args(linger_arguments(mark))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(drop)
}

/// Fills the pipe that it reads from with empty lines, so that nobody else can write to it until it has read on.
pub(super) fn fill_own_input() -> io::Result<()> {
    let mut input = OpenOptions::new()
        .write(true)
        .custom_flags(O_NONBLOCK)
        .open("/proc/self/fd/0")?;
    loop {
        match input.write(b"\n") {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

/// Goes on living under the same process id without the given stream. Comes
/// back only if that fails.
pub(super) fn live_on_without(stream: Stream, mark: &str) -> io::Error {
    let this_program = match env::current_exe() {
        Ok(path) => path,
        Err(error) => return error,
    };
    let mut command = Command::new(this_program);
    command.args(linger_arguments(mark));
    match stream {
        Stream::Stdin => command.stdin(Stdio::null()),
        Stream::Stdout => command.stdout(Stdio::null()),
    };
    command.exec()
}
