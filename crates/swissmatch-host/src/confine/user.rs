//! Users of their own for agents, where the runner is the superuser: numbers that nobody else has, each for one agent on this machine.
//!
//! A number is held by a lock on its file, which the kernel lets go with this process, however that ends. The files are in a directory that
//! nobody else may write, so no ordinary user can hold a number or put another file in its place.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::Path;

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use crate::files;

/// Numbers that no system gives to anybody (systemd's table of users and groups).
const USERS: std::ops::RangeInclusive<u32> = 60_706..=61_183;
/// Where their files are: empty after the machine was started, and the superuser's.
const PLACE: &str = "/run/swissmatch-users";

/// A user that no other agent has as long as this lives.
#[derive(Debug)]
pub(super) struct OwnUser {
    number: u32,
    _held: OwnedFd,
}

impl OwnUser {
    /// One that is free; `None` where all are taken.
    ///
    /// # Errors
    /// When the directory of their files cannot be made, or is not this user's alone.
    pub(super) fn take() -> io::Result<Option<Self>> {
        Self::take_in(Path::new(PLACE))
    }

    fn take_in(place: &Path) -> io::Result<Option<Self>> {
        let directory = own_directory(place).map_err(|error| files::about(place, &error))?;
        for number in USERS {
            let held = lock(&directory, number);
            if let Some(held) = held.map_err(|error| files::about(place, &error.into()))? {
                return Ok(Some(Self { number, _held: held }));
            }
        }
        Ok(None)
    }

    /// Its number, that of its group too.
    pub(super) const fn number(&self) -> u32 {
        self.number
    }
}

/// The directory, made where it is not there.
fn own_directory(place: &Path) -> io::Result<File> {
    match DirBuilder::new().mode(0o700).create(place) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = File::from(rustix::fs::open(place, flags, Mode::empty())?);
    let data = directory.metadata()?;
    match data.uid() == rustix::process::geteuid().as_raw() && data.mode() & 0o022 == 0 {
        true => Ok(directory),
        false => Err(io::Error::other("others may write it; remove it, and it is made anew")),
    }
}

/// The lock of a number; `None`: somebody has it.
fn lock(directory: &File, number: u32) -> rustix::io::Result<Option<OwnedFd>> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::openat(directory, number.to_string(), flags, Mode::RUSR | Mode::WUSR)?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn no_two_agents_have_one_user_and_one_that_is_let_go_is_free() {
        let home = tempfile::tempdir().expect("a directory");
        let place = home.path().join("users");
        let take = || OwnUser::take_in(&place).expect("a place");
        let (one, other) = (take().expect("one is free"), take().expect("one is free"));
        assert_eq!((one.number(), other.number()), (60_706, 60_707));
        assert_eq!(place.metadata().expect("it is there").mode() & 0o777, 0o700);
        drop(one);
        let all: Vec<_> = std::iter::from_fn(take).collect();
        assert_eq!(all.len() + 1, USERS.count());
        assert_eq!(all.first().map(OwnUser::number), Some(60_706));
        assert!(take().is_none());
    }

    #[test]
    fn a_place_that_others_may_write_is_refused() {
        let home = tempfile::tempdir().expect("a directory");
        let [open, link, file] = ["open", "link", "file"].map(|name| home.path().join(name));
        std::fs::create_dir(&open).expect("a directory");
        std::fs::set_permissions(&open, Permissions::from_mode(0o777)).expect("it is ours");
        symlink(home.path(), &link).expect("a link");
        std::fs::write(&file, "").expect("a file");
        let refused = OwnUser::take_in(&open).expect_err("others may write it");
        assert!(
            refused
                .to_string()
                .ends_with("open: others may write it; remove it, and it is made anew")
        );
        for place in [link, file] {
            OwnUser::take_in(&place).expect_err("it is no directory");
        }
        // Nor is what is put in the place of a number's file followed.
        std::fs::set_permissions(&open, Permissions::from_mode(0o755)).expect("it is ours");
        symlink(home.path().join("file"), open.join("60706")).expect("a link");
        OwnUser::take_in(&open).expect_err("it is a link");
    }
}
