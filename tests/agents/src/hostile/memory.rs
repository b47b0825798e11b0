//! What others hold: their memory, their environment, their descriptors.
#![expect(clippy::disallowed_methods, reason = "it reads /proc")]

use std::fs::{self, File};
use std::io::IoSliceMut;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

use nix::sys::ptrace;
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::Pid;
use rustix::process::{PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::means::Means;
use super::others::{self, Role};
use super::outcome::{Failed, Tried};
use super::signals::pid;

/// Where programs lie whose map is not to be read.
const USUAL: usize = 0x40_0000;

/// Where its first readable region begins.
fn region(pid: u32) -> Option<usize> {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
    let line = maps
        .lines()
        .find(|line| line.split(' ').nth(1).is_some_and(|rights| rights.starts_with('r')))?;
    usize::from_str_radix(line.split('-').next()?, 16).ok()
}

fn nix_pid(number: u32) -> Result<Pid, Failed> {
    Ok(Pid::from_raw(pid(number)?.as_raw_nonzero().get()))
}

/// Lasts until this process ends.
fn trace(role: Role, means: &Means) -> Tried {
    others::each(role, means.others.as_deref(), |number| {
        ptrace::seize(nix_pid(number)?, ptrace::Options::empty())?;
        Ok("traced".to_owned())
    })
}

pub(super) fn trace_other(means: &Means, _: &str) -> Tried {
    trace(Role::Other, means)
}

pub(super) fn trace_keeper(means: &Means, _: &str) -> Tried {
    trace(Role::Keeper, means)
}

pub(super) fn copy_memory(means: &Means, _: &str) -> Tried {
    others::each(Role::Other, means.others.as_deref(), |number| {
        let mut bytes = [0; 64];
        let remote = RemoteIoVec {
            base: region(number).unwrap_or(USUAL),
            len: bytes.len(),
        };
        let read = process_vm_readv(nix_pid(number)?, &mut [IoSliceMut::new(&mut bytes)], &[remote])?;
        Ok(format!("{read} bytes"))
    })
}

pub(super) fn read_memory(means: &Means, _: &str) -> Tried {
    others::each(Role::Other, means.others.as_deref(), |pid| {
        let mut bytes = [0; 64];
        let at = region(pid).unwrap_or(USUAL) as u64;
        let read = File::open(format!("/proc/{pid}/mem"))?.read_at(&mut bytes, at)?;
        Ok(format!("{read} bytes"))
    })
}

/// The environment that the player was started with: the organizer's.
pub(super) fn read_environment(means: &Means, _: &str) -> Tried {
    others::each(Role::Player, means.others.as_deref(), |pid| {
        match fs::read(format!("/proc/{pid}/environ"))?.len() {
            0 => Err(Failed::refused("it is empty")),
            length => Ok(format!("{length} bytes")),
        }
    })
}

/// A copy of another's descriptor for its output.
pub(super) fn take_descriptor(means: &Means, _: &str) -> Tried {
    others::each(Role::Other, means.others.as_deref(), |number| {
        let other = pidfd_open(pid(number)?, PidfdFlags::empty())?;
        let output = pidfd_getfd(other, 1, PidfdGetfdFlags::empty())?;
        let link = fs::read_link(format!("/proc/self/fd/{}", output.as_raw_fd()))?;
        Ok(format!("its output, {}", link.display()))
    })
}
