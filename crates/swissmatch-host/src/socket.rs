//! Unix sockets in a run's directory: open to their owner alone, found whatever the directory is called, and closed to
//! agents.
//!
//! May not: know what is said there; touch a run's directory without its lock, except to connect.

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

/// The run's directory, opened, so that its sockets are found whatever it is called later.
pub(super) fn directory(path: &Path) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty())
}

/// A socket's path through the open directory: an address has room for 108 bytes, and paths may be longer.
fn path_in(directory: &OwnedFd, name: &str) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}/{name}", directory.as_raw_fd()))
}

fn new() -> rustix::io::Result<OwnedFd> {
    rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
}

/// Removes the socket, if it exists.
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

/// Listens at a socket that is open to its owner alone from the moment it has a name: bind takes its mode from the
/// unbound socket.
pub(super) fn listen(directory: &OwnedFd, name: &str, queue: i32) -> rustix::io::Result<UnixListener> {
    let socket = new()?;
    rustix::fs::fchmod(&socket, Mode::RUSR | Mode::WUSR)?;
    rustix::net::bind(&socket, &SocketAddrUnix::new(path_in(directory, name))?)?;
    rustix::net::listen(&socket, queue)?;
    rustix::io::ioctl_fionbio(&socket, true)?;
    Ok(UnixListener::from(socket))
}

/// Connects to the socket of that name in `directory`, and waits up to `patience` if its queue is full.
///
/// # Errors
/// Nobody listens there.
pub(super) fn connect(in_directory: &Path, name: &str, patience: Duration) -> rustix::io::Result<UnixStream> {
    let directory = directory(in_directory)?;
    let socket = new()?;
    set_socket_timeout(&socket, Timeout::Send, Some(patience))?;
    rustix::net::connect(&socket, &SocketAddrUnix::new(path_in(&directory, name))?)?;
    Ok(UnixStream::from(socket))
}

/// Checks whether the other end may ask, by its user and its process.
///
/// # Errors
/// It may not; the sentence says why.
pub(super) fn may_ask(stream: &UnixStream) -> Result<(), String> {
    let peer = rustix::net::sockopt::socket_peercred(stream);
    let peer = peer.map_err(|error| format!("it is not known who asks ({error})"))?;
    let own = rustix::process::geteuid();
    is_user_admitted(peer.uid, own)?;
    // Agents run as the same user, and acts are not for them. Root could do anything anyway. What an agent leaves
    // behind is below the guard, which is above this process.
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

    /// Runs a test of this program by itself, as a child that connects to the socket in `dir`, which `DIR` tells it,
    /// and finds itself turned away. Returns its process id.
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
