//! A process that tries what a control group does: an engine's is believed in only where a process that was started in one was counted,
//! stopped and ended by it.
//!
//! A process of its own, since only one of a single thread may start another in a group. May not: be asked by an agent, or do anything
//! else.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Group, kill, spawn};

/// First argument by which the program knows that it is this process; the second one is the group.
pub(crate) const ARGUMENT: &str = "__group";

/// How long a group may take to stop somebody.
const PATIENCE: Duration = Duration::from_secs(2);

/// Has such a process try the group at `path`.
///
/// # Errors
/// What the group did not do.
pub(super) fn try_in(path: &Path) -> io::Result<()> {
    let tried = Command::new("/proc/self/exe").arg(ARGUMENT).arg(path).output()?;
    match tried.status.success() {
        true => Ok(()),
        false => Err(io::Error::other(String::from_utf8_lossy(&tried.stdout).into_owned())),
    }
}

/// Tries, and prints what did not work. Without a group it waits to be ended.
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
    // It ends by itself where it is not ended.
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
