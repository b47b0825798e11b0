//! Unix sockets in a run's directory: their owner's alone, found whatever the directory is called, and not for agents.
//!
//! May not: know what is said there; touch a run's directory without its lock, but to connect.

use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::Uid;

use super::family;

/// The run's directory, to find its sockets in whatever it is called later.
pub(super) fn directory(path: &Path) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty())
}

/// A socket's path by way of the open directory: an address holds 108 bytes, and paths may be longer.
fn path_in(directory: &OwnedFd, name: &str) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}/{name}", directory.as_raw_fd()))
}

/// A new stream socket.
fn new() -> rustix::io::Result<OwnedFd> {
    rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
}

/// Removes the socket, where one is.
pub(super) fn remove(directory: &OwnedFd, name: &str) -> rustix::io::Result<()> {
    match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error),
        Ok(there) if FileType::from_raw_mode(there.st_mode).is_socket() => {
            rustix::fs::unlinkat(directory, name, AtFlags::empty())
        }
        Ok(_) => Err(Errno::NOTSOCK),
    }
}

/// A socket that is its owner's alone from the moment it has a name: bind takes its mode from the unbound socket.
pub(super) fn listen(directory: &OwnedFd, name: &str, queue: i32) -> rustix::io::Result<UnixListener> {
    let socket = new()?;
    rustix::fs::fchmod(&socket, Mode::RUSR | Mode::WUSR)?;
    rustix::net::bind(&socket, &SocketAddrUnix::new(path_in(directory, name))?)?;
    rustix::net::listen(&socket, queue)?;
    rustix::io::ioctl_fionbio(&socket, true)?;
    Ok(UnixListener::from(socket))
}

/// Connects to the socket of that name in `directory`, and waits so long where its queue is full.
///
/// # Errors
/// When nobody listens there.
pub(super) fn connect(in_directory: &Path, name: &str, patience: Duration) -> rustix::io::Result<UnixStream> {
    let directory = directory(in_directory)?;
    let socket = new()?;
    set_socket_timeout(&socket, Timeout::Send, Some(patience))?;
    rustix::net::connect(&socket, &SocketAddrUnix::new(path_in(&directory, name))?)?;
    Ok(UnixStream::from(socket))
}

/// Whether who is at the other end may ask, by their user and by whose process it is.
///
/// # Errors
/// When they may not; the sentence says why.
pub(super) fn may_ask(stream: &UnixStream) -> Result<(), String> {
    let peer = rustix::net::sockopt::socket_peercred(stream);
    let peer = peer.map_err(|error| format!("it is not known who asks ({error})"))?;
    let own = rustix::process::geteuid();
    is_user_admitted(peer.uid, own)?;
    // Agents run as the same user, and an act is not theirs to do. Root could do anything anyway. What an agent leaves behind
    // is below the guard, which is above this process.
    let me = rustix::process::getpid();
    let root = rustix::process::getppid().unwrap_or(me);
    if peer.uid == own && peer.pid != me && family::is_below(peer.pid, root) != Some(false) {
        return Err(format!(
            "process {} of user {} was started by the runner, as agents are, or has gone",
            peer.pid.as_raw_nonzero(),
            peer.uid.as_raw()
        ));
    }
    Ok(())
}

fn is_user_admitted(asks: Uid, own: Uid) -> Result<(), String> {
    if asks == own || asks.is_root() {
        return Ok(());
    }
    Err(format!(
        "user {} asked, but the run belongs to user {}",
        asks.as_raw(),
        own.as_raw()
    ))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Runs a test of this program by itself, as a child of it: one that connects to the socket in `dir`, which it is told by
    /// `DIR`, and finds itself turned away. Its process id.
    pub(crate) fn child_is_turned_away(test: &str, dir: &Path) -> u32 {
        let mut child = std::process::Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", test, "--ignored", "--nocapture"])
            .env("DIR", dir)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        assert!(child.wait().expect("it ends").success(), "it was turned away");
        child.id()
    }

    #[test]
    fn the_user_of_the_run_and_root_are_admitted() {
        let user = Uid::from_raw;
        assert_eq!(is_user_admitted(user(1000), user(1000)), Ok(()));
        assert_eq!(is_user_admitted(user(0), user(1000)), Ok(()));
        assert_eq!(
            is_user_admitted(user(1001), user(1000)),
            Err("user 1001 asked, but the run belongs to user 1000".to_owned())
        );
    }
}
