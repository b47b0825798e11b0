//! The keeper of one engine: stands between the player and the engine, and ends the engine's whole process tree.
//!
//! The contract on process death in ARCHITECTURE.md. Runs in a process of its own: `swissmatch __keeper FD PROGRAM ARGS…`.
//! Its socket speaks upwards, one line each: `ready` before anything of the engine runs; then `started PID`, `failed TEXT` (the
//! program cannot be run) or `host TEXT` (the machine cannot run it); later `exited CODE` or `signalled N`.
//! The socket's end tells it to kill; its own end tells the player that nothing is left.

use std::ffi::OsString;
use std::io::Write as _;
use std::os::fd::{FromRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::{environment, family, machine};

/// First argument by which the program knows that it is a keeper.
pub const ARGUMENT: &str = "__keeper";

/// How long the killing of one tree may take before the keeper gives up and leaves the rest to the guard.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs the keeper. `arguments` are the descriptor's number, the directory to run in, the program, its arguments.
#[must_use]
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(socket) = arguments.next().and_then(inherited_socket) else {
        return ExitCode::from(4);
    };
    let Some((directory, program)) = arguments.next().zip(arguments.next()) else {
        return ExitCode::from(4);
    };
    let mut socket = UnixStream::from(socket);
    match keep(&mut socket, &directory, &program, arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(socket, "{} {error}", whose(&error));
            ExitCode::from(5)
        }
    }
}

fn keep(
    socket: &mut UnixStream,
    directory: &OsString,
    program: &OsString,
    args: impl Iterator<Item = OsString>,
) -> std::io::Result<()> {
    rustix::process::setsid()?;
    // A stop that is sent to the whole tree is the player's to answer; the engine gets these as usual.
    let heard = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&heard))?;
    }
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    // An engine can stop its keeper; the player's end sets it going again, to see its socket closed.
    rustix::process::set_parent_process_death_signal(Some(Signal::CONT))?;
    writeln!(socket, "ready")?;
    // A group of its own, so that an engine that signals its group does not meet its keeper.
    let mut command = Command::new(program);
    command.args(args).current_dir(directory).process_group(0);
    environment::take_over(&mut command);
    let mut engine = match command.spawn() {
        Ok(engine) => engine,
        Err(error) => return writeln!(socket, "{} {error}", whose(&error)),
    };
    let attended = attend(socket, &mut engine);
    // Whatever went wrong: the player may have gone at any step.
    family::kill_all(PATIENCE);
    attended
}

/// The word for a failed start: `host` where the machine lacks something, `failed` where the program or its directory is at
/// fault.
fn whose(error: &std::io::Error) -> &'static str {
    match machine::is_short(error) {
        true => "host",
        false => "failed",
    }
}

fn attend(socket: &mut UnixStream, engine: &mut Child) -> std::io::Result<()> {
    let_go_of_the_pipes()?;
    let ended = rustix::process::pidfd_open(Pid::from_child(engine), PidfdFlags::empty())?;
    writeln!(socket, "started {}", engine.id())?;
    wait_for_either(socket, engine, &ended)
}

/// Until the player lets go; tells it when the engine ends before.
fn wait_for_either(socket: &mut UnixStream, engine: &mut Child, ended: &OwnedFd) -> std::io::Result<()> {
    loop {
        let mut polled = [PollFd::new(&*socket, PollFlags::IN), PollFd::new(ended, PollFlags::IN)];
        match rustix::event::poll(&mut polled, None) {
            Err(Errno::INTR) => continue,
            other => other?,
        };
        if !polled[0].revents().is_empty() {
            return Ok(());
        }
        let status = engine.wait()?;
        match status.signal() {
            Some(signal) => writeln!(socket, "signalled {signal}")?,
            None => writeln!(socket, "exited {}", status.code().unwrap_or(0))?,
        }
        break;
    }
    // What the engine left running ends when the player lets go, which it does as soon as it has read its last words.
    let mut polled = [PollFd::new(&*socket, PollFlags::IN)];
    while rustix::event::poll(&mut polled, None) == Err(Errno::INTR) {}
    Ok(())
}

/// The engine's pipes must be the engine's alone, or their end would not show.
fn let_go_of_the_pipes() -> std::io::Result<()> {
    let null = rustix::fs::open("/dev/null", OFlags::RDWR, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

/// Takes over the descriptor that the player left open for this process, and closes it to the engine.
#[expect(
    unsafe_code,
    reason = "a descriptor's number from the command line becomes an owned descriptor"
)]
fn inherited_socket(number: OsString) -> Option<OwnedFd> {
    let number = number.to_str()?.parse().ok()?;
    // SAFETY: the player opened this descriptor for this process alone, and nothing else here uses its number.
    let socket = unsafe { OwnedFd::from_raw_fd(number) };
    rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::CLOEXEC).ok()?;
    Some(socket)
}
