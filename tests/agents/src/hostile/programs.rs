//! Programs that are not the agent's own: an engine of the organizer's machine, a compiler; and ways around being refused one.
#![expect(clippy::disallowed_methods, reason = "it copies and starts programs")]

use std::fs;
use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::fs::{MemfdFlags, memfd_create};

use super::means::Means;
use super::outcome::{Failed, Tried};

/// What the kernel starts programs with.
const LOADERS: [&str; 3] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-linux-riscv64-lp64d.so.1",
];

/// An engine takes the word for an unknown one, and ends with its input.
const WORD: &str = "--help";

fn ends_well(command: &mut Command) -> Tried {
    let ran = command.arg(WORD).stdin(Stdio::null()).output()?;
    match ran.status.success() {
        true => Ok(format!("it said {} bytes", ran.stdout.len())),
        false => Err(Failed::Refused(format!(
            "{}: {}",
            ran.status,
            String::from_utf8_lossy(&ran.stderr).trim()
        ))),
    }
}

/// As it is.
pub(super) fn run(_: &Means, path: &str) -> Tried {
    ends_well(&mut Command::new(path))
}

/// By the loader, which maps what it can read.
pub(super) fn by_loader(_: &Means, path: &str) -> Tried {
    let loader = LOADERS.into_iter().find(|loader| Path::new(loader).exists());
    let loader = loader.ok_or_else(|| Failed::untried("there is no loader"))?;
    ends_well(Command::new(loader).arg(path))
}

/// A copy in the scratch directory.
pub(super) fn by_copy(means: &Means, path: &str) -> Tried {
    run_copy(path, &std::env::temp_dir().join(format!("{}-copy", means.mark)))
}

/// A copy of its own program, in a directory or in the scratch directory.
pub(super) fn copy_itself(means: &Means, directory: &str) -> Tried {
    let directory = match directory {
        "scratch" => std::env::temp_dir(),
        path => path.into(),
    };
    run_copy("/proc/self/exe", &directory.join(format!("{}-itself", means.mark)))
}

fn run_copy(path: &str, copy: &Path) -> Tried {
    let made = fs::copy(path, copy).and_then(|_| fs::set_permissions(copy, fs::Permissions::from_mode(0o755)));
    let ran = made
        .map_err(Failed::from)
        .and_then(|()| ends_well(&mut Command::new(copy)));
    let _left = fs::remove_file(copy);
    ran
}

/// A copy of its own program in memory, whatever may be said of it when it is made.
pub(super) fn in_memory(_: &Means, _: &str) -> Tried {
    let program = fs::read("/proc/self/exe")?;
    let each = [MemfdFlags::EXEC, MemfdFlags::empty(), MemfdFlags::NOEXEC_SEAL];
    let mut last = Err(Failed::untried("nothing"));
    for flags in each {
        last = memfd_create("hostile", flags).map_err(Failed::from).and_then(|file| {
            let mut file = fs::File::from(file);
            file.write_all(&program)?;
            let _sealed = file.set_permissions(fs::Permissions::from_mode(0o755));
            let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
            // One that is open to be written is busy.
            let read = fs::File::open(path)?;
            drop(file);
            ends_well(&mut Command::new(format!("/proc/self/fd/{}", keep(&read)?)))
        });
        if last.is_ok() {
            break;
        }
    }
    last
}

/// A descriptor that a child has, too.
fn keep(file: &fs::File) -> Result<i32, Failed> {
    rustix::io::fcntl_setfd(file, rustix::io::FdFlags::empty())?;
    Ok(file.as_raw_fd())
}
