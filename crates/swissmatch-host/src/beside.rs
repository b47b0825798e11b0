//! A server of this program beside a run: a process of its own, which shows what happens and whose end costs no game.
//!
//! It has the socket on which it listens as its standard output, and a connection of the gallery as its standard input: whoever plays
//! keeps the one for the next server, where this one ends, and gives the other. May not: know what is shown.

use std::ffi::OsString;
use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use swissmatch_broker::reach;

use super::environment::without_secrets;

/// How long a server that ended is missed before the next one starts.
const PAUSE: Duration = Duration::from_secs(1);
/// How long one may take to show everybody the end.
const GOODBYE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);

/// A server that is kept up while a run is played.
#[derive(Debug)]
pub struct SideServer {
    listener: TcpListener,
    arguments: Vec<OsString>,
    child: Option<Child>,
    /// When the next one starts.
    due: Instant,
}

/// What became of it.
#[derive(Debug)]
pub enum ServerChange {
    /// It has started, and takes live lines from the other end of this.
    Begun(UnixStream),
    /// It ended, or could not be started, and will be started again.
    Ended(String),
}

impl SideServer {
    /// One that listens at `listener` and is this program with `arguments`.
    pub fn new(listener: TcpListener, arguments: Vec<OsString>) -> Self {
        if let Ok(address) = listener.local_addr() {
            reach::close_to_page(address.port());
        }
        Self {
            listener,
            arguments,
            child: None,
            due: Instant::now(),
        }
    }

    /// Starts it where it is not there; what has changed since this was called last.
    pub fn keep_up(&mut self) -> Option<ServerChange> {
        if let Some(child) = &mut self.child {
            let ended = child.try_wait();
            let why = match ended {
                Ok(None) => return None,
                Ok(Some(status)) => status.to_string(),
                Err(error) => error.to_string(),
            };
            self.child = None;
            self.due = Instant::now() + PAUSE;
            return Some(ServerChange::Ended(why));
        }
        if Instant::now() < self.due {
            return None;
        }
        Some(match self.start() {
            Ok(lines) => ServerChange::Begun(lines),
            Err(error) => {
                self.due = Instant::now() + PAUSE * 10;
                ServerChange::Ended(error.to_string())
            }
        })
    }

    fn start(&mut self) -> io::Result<UnixStream> {
        let (own, given) = UnixStream::pair()?;
        let listener = OwnedFd::from(self.listener.try_clone()?);
        let mut command = Command::new("/proc/self/exe");
        without_secrets(&mut command)
            .arg0("swissmatch-server")
            .args(&self.arguments)
            .stdin(Stdio::from(OwnedFd::from(given)))
            .stdout(Stdio::from(listener));
        self.child = Some(command.spawn()?);
        Ok(own)
    }

    /// Has it show the end, and ends it.
    pub fn finish(mut self) {
        let Some(child) = &mut self.child else { return };
        let _ = rustix::process::kill_process(Pid::from_child(child), Signal::TERM);
        let until = Instant::now() + GOODBYE;
        while Instant::now() < until {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            sleep(LOOK);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// The two sockets of a process that was started so: what it listens on, and the runner's live lines.
///
/// # Errors
/// When it was not.
pub fn inherited() -> io::Result<(TcpListener, UnixStream)> {
    let listener = TcpListener::from(socket(io::stdout().as_fd())?);
    let lines = UnixStream::from(socket(io::stdin().as_fd())?);
    listener.local_addr()?;
    Ok((listener, lines))
}

/// Whoever plays the run beside which this process was started.
#[derive(Clone, Copy, Debug)]
pub struct RunnerProcess(Pid);

impl RunnerProcess {
    /// The one at the other end of its live lines.
    ///
    /// # Errors
    /// When the machine does not say.
    pub fn of(lines: &UnixStream) -> io::Result<Self> {
        Ok(Self(rustix::net::sockopt::socket_peercred(lines)?.pid))
    }

    /// Whether it is still there: this process, which it started, has another parent after it.
    pub fn is_there(self) -> bool {
        rustix::process::getppid() == Some(self.0)
    }
}

fn socket(descriptor: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    rustix::net::sockopt::socket_type(descriptor)?;
    descriptor.try_clone_to_owned()
}
