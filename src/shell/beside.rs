//! A server of this program beside a run: a process of its own, which shows what happens and whose end costs no game.
//!
//! It has the socket on which it listens as its standard output, and a connection of the gallery as its standard input: whoever plays
//! keeps the one for the next server, where this one ends, and gives the other. May not: know what is shown.

use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// The two sockets of a process that was started so: what it listens on, and the runner's live lines.
///
/// # Errors
/// When it was not.
pub fn inherited() -> io::Result<(TcpListener, UnixStream)> {
    let socket = |descriptor: std::os::fd::BorrowedFd<'_>| -> io::Result<OwnedFd> {
        rustix::net::sockopt::socket_type(descriptor)?;
        descriptor.try_clone_to_owned()
    };
    let listener = TcpListener::from(socket(io::stdout().as_fd())?);
    let lines = UnixStream::from(socket(io::stdin().as_fd())?);
    listener.local_addr()?;
    Ok((listener, lines))
}
