//! A process that tries out a control group: groups are used for engines only if a process started in one was counted,
//! stopped and ended by it.
//!
//! It is a process of its own because only a process with a single thread may start another in a group. May not: be
//! asked by an agent, or do anything else.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Group, kill, spawn};

/// The first argument by which the program knows that it is this process; the second is the group.
pub(crate) const ARGUMENT: &str = "__group";

/// How long a group may take to stop a process.
const PATIENCE: Duration = Duration::from_secs(2);

/// Lets such a process try the group at `path`.
///
/// # Errors
/// What the group failed to do.
pub(super) fn try_in(path: &Path) -> io::Result<()> {
    let tried = Command::new("/proc/self/exe").arg(ARGUMENT).arg(path).output()?;
    match tried.status.success() {
        true => Ok(()),
        false => Err(io::Error::other(String::from_utf8_lossy(&tried.stdout).into_owned())),
    }
}

/// Runs the trial and prints what did not work. Without a group it waits to be ended.
pub(crate) fn run(group: Option<&OsStr>) -> u8 {
    let Some(group) = group else {
        std::thread::sleep(PATIENCE * 2);
        return 0;
    };
    match tries(Path::new(group)) {
        Ok(()) => 0,
        Err(error) => {
            let _ = write!(io::stdout(), "{error}");
            5
        }
    }
}

fn tries(path: &Path) -> io::Result<()> {
    let group = Group::open(path.to_path_buf())?;
    let process = spawn(Command::new("/proc/self/exe").arg(ARGUMENT), Some(path))?;
    let tried = stops(&group);
    kill(path);
    // It ends by itself if it is not ended.
    let signal = process.wait()?.signal();
    tried?;
    if signal != Some(libc::SIGKILL) {
        return Err(io::Error::other("it was not ended"));
    }
    match group.ran() {
        Some(ran) if !ran.is_zero() => Ok(()),
        _ => Err(io::Error::other("what it ran was not counted")),
    }
}

fn stops(group: &Group) -> io::Result<()> {
    let until = Instant::now() + PATIENCE;
    group.freeze();
    while !group.is_frozen() {
        if Instant::now() >= until {
            return Err(io::Error::other("it was not stopped"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    group.thaw();
    Ok(())
}
