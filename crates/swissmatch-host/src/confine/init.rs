//! The first process of an agent's namespaces, where the agent has no control group: it starts the process that becomes the agent, and
//! stops all others there at once.
//!
//! A signal to everybody is sent by the kernel while nobody can be started, so that nobody is left out, whoever starts whom. No
//! process in a namespace can end or stop its first one, or see what is outside. May not: be told what to do by the agent.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus, Stdio};

use nix::sys::signal::{Signal, kill};
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions};
use signal_hook::consts::SIGCHLD;

use super::jail::{self, CANNOT, close_inherited};
use crate::family;
use crate::launch::{FREEZE, THAW};

/// First argument by which the program knows that it is this process.
pub(crate) const ARGUMENT: &str = "__init";

/// Whom a signal to this number reaches.
const EVERYBODY_ELSE: nix::unistd::Pid = nix::unistd::Pid::from_raw(-1);

/// Is the first process, and ends with the agent's exit code, as shells give it. Its standard input is handed on to the agent's process;
/// its standard output is the socket to the keeper.
pub(crate) fn run() -> u8 {
    close_inherited();
    attend().map_or(CANNOT, |status| {
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
        u8::try_from(code).unwrap_or(CANNOT)
    })
}

fn attend() -> io::Result<ExitStatus> {
    let socket = UnixStream::from(rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?);
    let (ends, told) = UnixStream::pair()?;
    ends.set_nonblocking(true)?;
    signal_hook::low_level::pipe::register(SIGCHLD, told)?;
    let mut agent = Command::new("/proc/self/exe")
        .arg(jail::ARGUMENT)
        .stdout(Stdio::null())
        .spawn()?;
    let mut is_kept = true;
    loop {
        if let Some(status) = agent.try_wait()? {
            return Ok(status);
        }
        let mut polled = vec![PollFd::new(&ends, PollFlags::IN)];
        polled.extend(is_kept.then(|| PollFd::new(&socket, PollFlags::IN)));
        match rustix::event::poll(&mut polled, None) {
            Err(Errno::INTR) => continue,
            polled => polled?,
        };
        let [is_an_end, is_told] = [0, 1].map(|at| polled.get(at).is_some_and(|one| !one.revents().is_empty()));
        if is_an_end {
            while (&ends).read(&mut [0; 64]).is_ok_and(|read| read > 0) {}
            bury_orphans(Pid::from_child(&agent));
        }
        if is_told {
            is_kept = obey(&socket);
        }
    }
}

/// Does what the keeper says, and says so; whether there may be more.
fn obey(mut socket: &UnixStream) -> bool {
    let mut word = [0];
    let signal = match socket.read(&mut word) {
        Ok(1) if word[0] == FREEZE => Signal::SIGSTOP,
        Ok(1) if word[0] == THAW => Signal::SIGCONT,
        Err(error) if error.kind() == io::ErrorKind::Interrupted => return true,
        _ => return false,
    };
    // Where there is nobody else the agent has ended.
    let _ = kill(EVERYBODY_ELSE, signal);
    socket.write_all(&word).is_ok()
}

/// Whoever lost its parents here is this process's child.
fn bury_orphans(agent: Pid) {
    for child in family::children(rustix::process::getpid()) {
        if child != agent {
            let _ = rustix::process::waitpid(Some(child), WaitOptions::NOHANG);
        }
    }
}
