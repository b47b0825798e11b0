//! A server of this program beside a run: a process of its own, which shows what happens and whose end costs no game.
//!
//! Its standard output is the socket on which it listens, its standard input a connection to the gallery. The runner
//! keeps the listening socket for the next server, if this one ends, and makes a new connection. May not: know what is
//! shown.

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

/// How long after a server's end the next one starts.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a server may take to show everyone the end.
const GOODBYE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);

/// A server that is kept up while a run is played.
#[derive(Debug)]
pub struct SideServer {
    listener: TcpListener,
    arguments: Vec<OsString>,
    child: Option<Child>,
    /// When the next server starts.
    due: Instant,
}

/// A change in the server's state.
#[derive(Debug)]
pub enum ServerChange {
    /// It has started, and takes live lines from the other end of this stream.
    Begun(UnixStream),
    /// It ended or could not be started, and will be started again.
    Ended(String),
}

impl SideServer {
    /// A server that is this program with `arguments` and listens at `listener`.
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

    /// Starts the server if it is not there; returns what has changed since the last call.
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

    /// Lets it show the end, then ends it.
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

/// The two sockets of a server process: the one that it listens on, and the runner's live lines.
///
/// # Errors
/// This process was not started as such a server.
pub fn inherited() -> io::Result<(TcpListener, UnixStream)> {
    let listener = TcpListener::from(socket(io::stdout().as_fd())?);
    let lines = UnixStream::from(socket(io::stdin().as_fd())?);
    listener.local_addr()?;
    Ok((listener, lines))
}

/// The runner beside whose run this process was started.
#[derive(Clone, Copy, Debug)]
pub struct RunnerProcess(Pid);

impl RunnerProcess {
    /// The process at the other end of the live lines.
    ///
    /// # Errors
    /// The machine does not say.
    pub fn of(lines: &UnixStream) -> io::Result<Self> {
        Ok(Self(rustix::net::sockopt::socket_peercred(lines)?.pid))
    }

    /// True if it is still there: it is this process's parent, and after its end there is another.
    pub fn is_there(self) -> bool {
        rustix::process::getppid() == Some(self.0)
    }
}

fn socket(descriptor: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    rustix::net::sockopt::socket_type(descriptor)?;
    descriptor.try_clone_to_owned()
}
