//! A process that is in a group from its first instant.
//!
//! No library offers this call, so this is the only place with code that the compiler cannot check. May not: be called
//! in a process of several threads, whose other threads may hold what the new process needs.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions};

/// The flag of `clone3` for a group; libc's constant of this name is too narrow for it.
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

#[derive(Debug)]
pub(crate) struct Process(Pid);

impl Process {
    /// Its number, which is not reused until it has been waited for.
    pub(crate) const fn pid(&self) -> Pid {
        self.0
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// It has already been waited for.
    pub(crate) fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            match rustix::process::waitpid(Some(self.0), WaitOptions::empty()) {
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
                Ok(Some((_, status))) => return Ok(ExitStatus::from_raw(status.as_raw())),
                Ok(None) => {}
            }
        }
    }
}

impl From<Child> for Process {
    fn from(child: Child) -> Self {
        Self(Pid::from_child(&child))
    }
}

/// Starts a command, in the group at `group` if given; in that case this process must have only one thread.
///
/// # Errors
/// The machine cannot make a process, or the command cannot be run.
pub(crate) fn spawn(command: &mut Command, group: Option<&Path>) -> io::Result<Process> {
    match group {
        None => command.spawn().map(Process::from),
        Some(group) => spawn_in(command, File::open(group)?.as_fd()).map(Process),
    }
}

fn spawn_in(command: &mut Command, group: BorrowedFd<'_>) -> io::Result<Pid> {
    let (mut heard, mut word) = io::pipe()?;
    let Some(child) = clone_in(group)? else {
        // This is the new process; it gets here only if it could not become the other program.
        let why = command.exec().raw_os_error().unwrap_or(0);
        let _ = word.write_all(&why.to_ne_bytes());
        std::process::abort();
    };
    drop(word);
    let mut why = [0; size_of::<i32>()];
    match heard.read_exact(&mut why) {
        // It closed when the other program started.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(child),
        Err(error) => Err(error),
        Ok(()) => {
            let _ = Process(child).wait();
            Err(io::Error::from_raw_os_error(i32::from_ne_bytes(why)))
        }
    }
}

/// Starts a copy of this process in a group; `None` in the copy.
#[expect(unsafe_code, reason = "neither the standard library nor rustix has clone3")]
fn clone_in(group: BorrowedFd<'_>) -> io::Result<Option<Pid>> {
    let arguments = libc::clone_args {
        flags: CLONE_INTO_CGROUP,
        pidfd: 0,
        child_tid: 0,
        parent_tid: 0,
        exit_signal: libc::SIGCHLD.unsigned_abs().into(),
        stack: 0,
        stack_size: 0,
        tls: 0,
        set_tid: 0,
        set_tid_size: 0,
        cgroup: group.as_raw_fd().unsigned_abs().into(),
    };
    // SAFETY: the arguments are of the size that is told, and outlive the call. Without `CLONE_VM` the new process has memory of its
    // own, and it is the only thread there; this one is the only one here, so nobody holds a lock.
    let made = unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, size_of::<libc::clone_args>()) };
    match made {
        0 => Ok(None),
        made => {
            let pid = i32::try_from(made).ok().and_then(Pid::from_raw);
            pid.map(Some).ok_or_else(io::Error::last_os_error)
        }
    }
}
