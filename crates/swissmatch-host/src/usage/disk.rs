//! How much lies in the directories that an agent may write.
//!
//! An agent changes them meanwhile, so every step starts from an open directory and follows no link. May not: keep more
//! than one directory open for each level.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, StatVfsMountFlags, StatxFlags};
use rustix::io::Errno;

/// The least that each entry takes of a disk, in bytes: its name, and the file system's data on it.
const ENTRY: u64 = 4096;
/// The deepest level that is looked at.
const DEEPEST: usize = 64;
/// How many entries are looked at before others have their turn.
const STEP: usize = 20_000;
/// A file system is full if less than this is free, or than this part of a small one.
const ROOM: u64 = 16 << 20;
const ROOM_PART: u64 = 20;
/// How many entries are looked at if an answer cannot wait.
const QUICK: usize = 50_000;

/// What some directories use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DiskUse {
    /// Bytes of disk.
    pub(super) bytes: u64,
    /// Directories that cannot be looked at: closed, or too deep.
    pub(super) unseen: u64,
}

/// A look at everything below a directory, in steps. Links are not followed, and a file with several names counts once
/// if all of them are there.
#[derive(Debug)]
struct Walk {
    found: DiskUse,
    open: Vec<Dir>,
}

impl Walk {
    fn new(top: &Path) -> Self {
        let mut walk = Self {
            found: DiskUse::default(),
            open: Vec::new(),
        };
        let below = walk.look(rustix::fs::CWD, top.as_os_str().as_bytes());
        walk.open.extend(below);
        walk
    }

    /// Looks at up to `entries` more, and stops once more than `enough` bytes are found; returns whether that was all.
    fn go_on(&mut self, entries: usize, enough: u64) -> bool {
        for _ in 0..entries {
            let Some(mut directory) = self.open.pop() else {
                return true;
            };
            // A directory that goes while it is read is read no further.
            let Some(Ok(entry)) = directory.read() else {
                continue;
            };
            let name = entry.file_name().to_bytes();
            let is_itself = matches!(name, b"." | b"..");
            let below = directory
                .fd()
                .ok()
                .filter(|_| !is_itself)
                .and_then(|within| self.look(within, name));
            self.open.push(directory);
            if self.open.len() < DEEPEST {
                self.open.extend(below);
            } else {
                self.found.unseen += u64::from(below.is_some());
            }
            if self.found.bytes > enough {
                return true;
            }
        }
        self.open.is_empty()
    }

    /// Counts the entry of this name; returns it if it is a directory.
    fn look(&mut self, within: BorrowedFd<'_>, name: &[u8]) -> Option<Dir> {
        let stat = || rustix::fs::statx(within, name, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::BASIC_STATS);
        let there = match stat() {
            // Its names may be read, but it may not be entered.
            Err(Errno::ACCESS) if reopen(within) => stat(),
            there => there,
        };
        let entered = there.and_then(|there| {
            self.found.bytes += (there.stx_blocks * 512 / u64::from(there.stx_nlink).max(1)).max(ENTRY);
            let is_directory = FileType::from_raw_mode(there.stx_mode.into()).is_dir();
            is_directory.then(|| enter(within, name)).transpose()
        });
        match entered {
            Ok(directory) => directory,
            // It has gone, or something else is there now.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => None,
            Err(_) => {
                self.found.unseen += 1;
                None
            }
        }
    }
}

fn enter(within: BorrowedFd<'_>, name: &[u8]) -> rustix::io::Result<Dir> {
    let open = |flags| {
        let flags = OFlags::CLOEXEC | OFlags::DIRECTORY | OFlags::NOFOLLOW | flags;
        rustix::fs::openat(within, name, flags, Mode::empty())
    };
    let mut directory = open(OFlags::RDONLY);
    // A directory that the agent closes it may open again, and so may the user who runs the agent.
    if matches!(directory, Err(Errno::ACCESS)) && reopen(open(OFlags::PATH)?.as_fd()) {
        directory = open(OFlags::RDONLY);
    }
    Dir::new(directory?)
}

/// Gives its owner all rights to an open directory; returns whether that worked.
fn reopen(directory: BorrowedFd<'_>) -> bool {
    // By its descriptor, whatever has its name by now.
    let path = format!("/proc/self/fd/{}", directory.as_raw_fd());
    fs::set_permissions(path, Permissions::from_mode(0o700)).is_ok()
}

/// How much disk a file, or everything below a directory, takes, as far as a quick look tells.
pub(crate) fn size(top: &Path) -> u64 {
    let mut walk = Walk::new(top);
    walk.go_on(QUICK, u64::MAX);
    walk.found.bytes
}

/// True if the file system of one of these is full; places that cannot be written do not count.
pub(crate) fn is_full<'a>(places: impl IntoIterator<Item = &'a Path>) -> bool {
    places.into_iter().any(|place| {
        rustix::fs::statvfs(place).is_ok_and(|found| {
            let free = found.f_bavail.saturating_mul(found.f_frsize);
            let room = ROOM.min(found.f_blocks.saturating_mul(found.f_frsize) / ROOM_PART);
            let has_names = found.f_files == 0 || found.f_favail > 0;
            (free < room || !has_names) && !found.f_flag.contains(StatVfsMountFlags::RDONLY)
        })
    })
}

/// Directories that an agent may write, with what was in each before, and looks at them under way.
#[derive(Debug)]
pub(super) struct WritableDirectories {
    tops: Vec<(PathBuf, DiskUse)>,
    /// What the last complete look found.
    last: DiskUse,
    /// The look under way: what was found in earlier directories, and the index of this one.
    under_way: Option<(DiskUse, usize, Walk)>,
}

impl WritableDirectories {
    /// These directories, as they are now.
    pub(super) fn new(paths: &[OsString]) -> Self {
        let top = |path: &OsString| {
            let mut walk = Walk::new(Path::new(path));
            while !walk.go_on(STEP, u64::MAX) {}
            (PathBuf::from(path), walk.found)
        };
        Self {
            tops: paths.iter().map(top).collect(),
            last: DiskUse::default(),
            under_way: None,
        }
    }

    /// The file systems on which they lie. Some may be in memory, like many a `/tmp`.
    pub(super) fn devices(&self) -> Vec<u64> {
        let tops = self.tops.iter();
        tops.filter_map(|(top, _)| Some(rustix::fs::stat(top).ok()?.st_dev))
            .collect()
    }

    /// How much they have grown together, as far as has been looked.
    pub(super) const fn grown(&self) -> DiskUse {
        self.last
    }

    /// What was in them before.
    pub(super) fn had(&self) -> u64 {
        self.tops.iter().map(|(_, had)| had.bytes).sum()
    }

    /// True if their file system is full.
    pub(super) fn are_full(&self) -> bool {
        is_full(self.tops.iter().map(|(top, _)| top.as_path()))
    }

    /// True if a look is under way.
    pub(super) const fn is_looking(&self) -> bool {
        self.under_way.is_some()
    }

    /// Takes a step of a look, beginning one if none is under way. It need not go on once more than `enough` bytes are
    /// found.
    pub(super) fn look(&mut self, enough: u64) {
        let (before, number, mut walk) = match self.under_way.take() {
            Some(under_way) => under_way,
            None => match self.tops.first() {
                Some((top, _)) => (DiskUse::default(), 0, Walk::new(top)),
                None => return,
            },
        };
        let had = self.tops[number].1;
        let is_whole = walk.go_on(STEP, had.bytes.saturating_add(enough - before.bytes.min(enough)));
        let sum = DiskUse {
            bytes: before.bytes + walk.found.bytes.saturating_sub(had.bytes),
            unseen: before.unseen + walk.found.unseen.saturating_sub(had.unseen),
        };
        let next = self.tops.get(number + 1).filter(|_| sum.bytes <= enough);
        self.under_way = match (is_whole, next) {
            (false, _) => Some((before, number, walk)),
            (true, Some((top, _))) => Some((sum, number + 1, Walk::new(top))),
            (true, None) => {
                self.last = sum;
                None
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(places: &mut WritableDirectories, enough: u64) -> DiskUse {
        places.look(enough);
        while places.is_looking() {
            places.look(enough);
        }
        places.grown()
    }

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("its own");
    }

    #[test]
    fn what_is_written_below_is_seen_and_what_was_there_is_not_counted() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path();
        fs::write(path.join("before"), vec![1; 300_000]).expect("a file");
        let mut places = WritableDirectories::new(&[path.as_os_str().to_owned()]);
        assert_eq!(grown(&mut places, u64::MAX), DiskUse::default());
        let closed = path.join("closed/more");
        fs::create_dir_all(&closed).expect("directories");
        fs::write(closed.join("file"), vec![1; 500_000]).expect("a file");
        chmod(&closed, 0o400);
        chmod(&path.join("closed"), 0);
        std::os::unix::fs::symlink("/usr", path.join("link")).expect("a link");
        let DiskUse { bytes, unseen } = grown(&mut places, u64::MAX);
        assert!((500_000..600_000).contains(&bytes), "{bytes}");
        assert_eq!(unseen, 0);
    }

    /// More entries than a step has, which take more than their bytes; what lies deep and behind them is found all the
    /// same.
    #[test]
    fn many_entries_hide_nothing() {
        let [place, other] = [(), ()].map(|()| tempfile::tempdir().expect("a directory"));
        let paths = [place.path().as_os_str().to_owned(), other.path().as_os_str().to_owned()];
        let mut places = WritableDirectories::new(&paths);
        let below = place.path().join("below");
        fs::create_dir(&below).expect("a directory");
        for number in 0..STEP + 5000 {
            fs::write(place.path().join(number.to_string()), "").expect("a file");
        }
        fs::write(below.join("file"), vec![1; 5_000_000]).expect("a file");
        fs::write(other.path().join("file"), vec![1; 7_000_000]).expect("a file");
        let (least, entries) = (12_000_000, (STEP + 5000) as u64 * ENTRY);
        let found = grown(&mut places, u64::MAX);
        assert!(
            (least + entries..least + entries + 2_000_000).contains(&found.bytes),
            "{found:?}"
        );
        let found = grown(&mut places, 1000);
        assert!(
            (1001..least).contains(&found.bytes),
            "it ends where it is enough: {found:?}"
        );
    }

    #[test]
    fn what_is_too_deep_is_not_seen_and_said_to_be() {
        let place = tempfile::tempdir().expect("a directory");
        let paths = [place.path().as_os_str().to_owned()];
        let mut places = WritableDirectories::new(&paths);
        let deep: PathBuf = std::iter::repeat_n("d", 2 * DEEPEST).collect();
        fs::create_dir_all(place.path().join(&deep)).expect("directories");
        assert_eq!(grown(&mut places, u64::MAX).unseen, 1);
        // What was there before the agent is not its doing.
        let mut places = WritableDirectories::new(&paths);
        assert_eq!(grown(&mut places, u64::MAX), DiskUse::default());
        fs::create_dir_all(place.path().join("other").join(&deep)).expect("directories");
        assert_eq!(grown(&mut places, u64::MAX).unseen, 1);
    }

    /// A directory that is replaced by a link while it is looked at leads nowhere.
    #[test]
    fn no_link_is_followed() {
        let [place, other] = [(), ()].map(|()| tempfile::tempdir().expect("a directory"));
        chmod(other.path(), 0o500);
        let link = place.path().join("link");
        std::os::unix::fs::symlink(other.path(), &link).expect("a link");
        let within = rustix::fs::open(place.path(), OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
        let entered = enter(within.expect("it opens").as_fd(), b"link");
        assert!(matches!(entered, Err(Errno::NOTDIR | Errno::LOOP)));
        let mode = fs::metadata(other.path()).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o500);
    }
}
