//! Ways to tell others something without writing to anything: locks, times of a device, and figures of the machine.
#![expect(clippy::disallowed_methods, reason = "it reads files and waits")]

use std::fs::{self, File};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;
use rustix::fs::{FlockOperation, Timespec, Timestamps, UTIME_NOW, flock, futimens};
use rustix::io::Errno;

use super::means::Means;
use super::outcome::{Failed, Tried};

/// How often a figure is looked at again, and after how long: the kernel counts in steps of up to 10 ms.
const LOOKS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(20);

/// A lock on the first byte.
fn byte(kind: libc::c_int) -> libc::flock {
    libc::flock {
        l_type: kind as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: 0,
        l_len: 1,
        l_pid: 0,
    }
}

/// Locks a byte of a file, which somebody else who has it open can see.
pub(super) fn lock_byte(_: &Means, path: &str) -> Tried {
    let (own, other) = (File::open(path)?, File::open(path)?);
    fcntl(&own, FcntlArg::F_SETLK(&byte(libc::F_RDLCK)))?;
    let mut seen = byte(libc::F_WRLCK);
    fcntl(&other, FcntlArg::F_OFD_GETLK(&mut seen))?;
    match libc::c_int::from(seen.l_type) == libc::F_UNLCK {
        true => Err(Failed::refused("nobody sees the lock")),
        false => Ok(format!("a byte of {path} is locked")),
    }
}

/// Locks a file, which keeps somebody else out who has it open.
pub(super) fn lock_file(_: &Means, path: &str) -> Tried {
    let (own, other) = (File::open(path)?, File::open(path)?);
    flock(&own, FlockOperation::NonBlockingLockShared)?;
    keeps_out(&other, path)
}

/// Sees that somebody else has a lock on a file.
pub(super) fn find_lock(_: &Means, path: &str) -> Tried {
    keeps_out(&File::open(path)?, path)
}

fn keeps_out(file: &File, path: &str) -> Tried {
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => Ok(format!("{path} is locked")),
        Err(error) => Err(error.into()),
        Ok(()) => Err(Failed::refused("nobody is kept out")),
    }
}

/// Changes the times of a file that everybody may write.
pub(super) fn touch(_: &Means, path: &str) -> Tried {
    let file = File::options().write(true).open(path)?;
    let time = || -> Result<SystemTime, Failed> { Ok(file.metadata()?.modified()?) };
    let was = time()?;
    sleep(PAUSE);
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    let times = Timestamps {
        last_access: now,
        last_modification: now,
    };
    futimens(&file, &times)?;
    match time()? == was {
        true => Err(Failed::refused("it has the same time as before")),
        false => Ok(format!("{path} has another time")),
    }
}

/// Sees a figure of the machine change.
pub(super) fn see_figure(_: &Means, path: &str) -> Tried {
    let was = fs::read(path)?;
    for _ in 0..LOOKS {
        sleep(PAUSE);
        if fs::read(path)? != was {
            return Ok(format!("{path} changes"));
        }
    }
    Err(Failed::refused("it stays as it was"))
}

/// Sees how much room the disk has on which others write, too.
pub(super) fn see_room(_: &Means, path: &str) -> Tried {
    let room = rustix::fs::statvfs(path)?;
    Ok(format!("{} of {} blocks are free", room.f_bfree, room.f_blocks))
}
