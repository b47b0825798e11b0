//! The files of the run.
#![expect(clippy::disallowed_methods, reason = "it reads and changes the files of the run")]

use std::fs::{self, File, OpenOptions, Permissions};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;
use nix::sys::stat::Mode;

use super::means::Means;
use super::others::{self, Role};
use super::outcome::{Failed, Tried};

/// Where SQLite's writers exclude each other, in the file beside the log.
const WRITERS: i64 = 120;

/// Where the run's files lie: as told, else where the player has its log open.
pub(super) fn dir(means: &Means) -> Result<PathBuf, Failed> {
    if let Some(dir) = &means.run {
        return Ok(dir.clone());
    }
    for player in others::of(Role::Player, means.others.as_deref())? {
        let links = fs::read_dir(format!("/proc/{player}/fd"))?.flatten();
        let paths = links.filter_map(|entry| fs::read_link(entry.path()).ok());
        let mut logs = paths.filter(|path| path.ends_with("run.sqlite"));
        if let Some(dir) = logs.next().as_deref().and_then(|log| log.parent()) {
            return Ok(dir.to_owned());
        }
    }
    Err(Failed::refused("sees no directory of a run"))
}

/// A byte of the log, by what it is already: whoever can do that can write any other.
pub(super) fn write_log(means: &Means, _: &str) -> Tried {
    let path = dir(means)?.join("run.sqlite");
    let log = OpenOptions::new().read(true).write(true).open(&path)?;
    let mut byte = [0];
    log.read_exact_at(&mut byte, 0)?;
    log.write_all_at(&byte, 0)?;
    Ok(format!("wrote to {}", path.display()))
}

pub(super) fn read_log(means: &Means, _: &str) -> Tried {
    let path = dir(means)?.join("run.sqlite");
    Ok(format!("{} bytes of {}", fs::read(&path)?.len(), path.display()))
}

/// Held until this process ends.
pub(super) fn lock_log(means: &Means, _: &str) -> Tried {
    let path = dir(means)?.join("run.sqlite-shm");
    let file = OpenOptions::new().read(true).write(true).open(&path)?;
    let lock = libc::flock {
        l_type: libc::F_WRLCK as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: WRITERS,
        l_len: 1,
        l_pid: 0,
    };
    fcntl(&file, FcntlArg::F_SETLK(&lock))?;
    Ok(format!("locked {}", path.display()))
}

/// A file beside those of the run, or in their place.
pub(super) fn litter(means: &Means, _: &str) -> Tried {
    let path = dir(means)?.join(&means.mark);
    fs::write(&path, "hostile\n")?;
    Ok(format!("made {}", path.display()))
}

/// A pipe that whoever writes the standings would wait at.
pub(super) fn pipe(means: &Means, _: &str) -> Tried {
    let path = dir(means)?.join("standings.md");
    if path.exists() {
        fs::remove_file(&path)?;
    }
    nix::unistd::mkfifo(&path, Mode::S_IRUSR | Mode::S_IWUSR)?;
    Ok(format!("a pipe at {}", path.display()))
}

/// An own socket in the place of the one that takes the arbiter's acts. It listens until this process ends.
pub(super) fn pose(means: &Means, _: &str) -> Tried {
    let path = dir(means)?.join("arbiter.sock");
    if path.exists() {
        fs::remove_file(&path)?;
    }
    let listening = UnixListener::bind(&path)?;
    std::thread::spawn(move || listening.accept());
    Ok(format!("listens at {}", path.display()))
}

pub(super) fn close(means: &Means, _: &str) -> Tried {
    let path = dir(means)?;
    fs::set_permissions(&path, Permissions::from_mode(0o000))?;
    match fs::metadata(&path)?.permissions().mode() & 0o777 {
        0 => Ok(format!("{} has no rights", path.display())),
        rights => Err(Failed::Refused(format!("the rights are still {rights:o}"))),
    }
}

pub(super) fn remove(means: &Means, _: &str) -> Tried {
    let path = dir(means)?;
    // That it is there to begin with.
    File::open(&path)?;
    fs::remove_dir_all(&path)?;
    Ok(format!("{} is gone", path.display()))
}
