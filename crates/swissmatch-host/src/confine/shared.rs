//! What agents would share though each has namespaces of its own, and what is put in its place: device nodes, on which they could lock
//! bytes, and the machine's figures, which one could move for another to read. With them go the facts that programs read in `/etc`: each
//! mount takes its time at every start, and links to one directory take none.

use std::ffi::OsString;
use std::fs::{DirEntry, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode};

use super::system::{self, DEVICES};

/// What is put, and over what.
pub(super) type BindMount = (OsString, OsString);

/// Figures of the whole machine, and directories of such.
const FIGURES: &[&str] = &[
    "/proc/buddyinfo",
    "/proc/cgroups",
    "/proc/cpuinfo",
    "/proc/diskstats",
    "/proc/interrupts",
    "/proc/key-users",
    "/proc/loadavg",
    "/proc/locks",
    "/proc/meminfo",
    "/proc/pressure",
    "/proc/schedstat",
    "/proc/softirqs",
    "/proc/stat",
    "/proc/swaps",
    "/proc/sys/fs",
    "/proc/uptime",
    "/proc/vmstat",
    "/proc/zoneinfo",
    NODES,
];

/// What is known of each node of memory.
const NODES: &str = "/sys/devices/system/node";

/// Where these lie.
pub(super) const OF_FIGURES: &str = "/proc";

/// Directories of such that no program needs, and that may be large: in their place is an empty one.
const LEFT_OUT: &[&str] = &["/proc/fs", "/proc/irq"];

/// Most entries of a directory of `/etc` that is copied: to copy one with hundreds, such as `/etc/alternatives`, takes longer than a mount.
const MOST_COPIED: usize = 64;

/// The machine's figures and facts as they are now, copied to one directory below `directory` that every agent may look into. What this
/// user cannot read no agent can.
///
/// # Errors
/// When they cannot be written.
pub(super) fn figures(directory: &Path) -> io::Result<Vec<BindMount>> {
    let shown = directory.join("shown");
    std::fs::create_dir(&shown)?;
    std::fs::set_permissions(&shown, Permissions::from_mode(0o755))?;
    let figures = FIGURES.iter().map(PathBuf::from);
    let facts = system::in_etc().filter(|path| !is_large(path));
    let places = figures.chain(facts).filter(|path| !path.is_symlink());
    let mut copies = Vec::new();
    for (number, path) in places.enumerate() {
        let copy = shown.join(number.to_string());
        match copy_of(&path, &copy) {
            Ok(true) => copies.push((copy.into_os_string(), path.into_os_string())),
            Ok(false) => {}
            // A fact without a copy is shown where it is, by a mount of its own.
            Err(_) if path.starts_with("/etc") => {}
            Err(error) => return Err(error),
        }
    }
    let empty = shown.join("empty");
    std::fs::create_dir(&empty)?;
    std::fs::set_permissions(&empty, Permissions::from_mode(0o755))?;
    let left_out = LEFT_OUT.iter().filter(|path| Path::new(path).is_dir());
    copies.extend(left_out.map(|path| (empty.clone().into_os_string(), path.into())));
    Ok(copies)
}

/// Whether it is a directory that is not worth its copy.
fn is_large(path: &Path) -> bool {
    let entries = std::fs::read_dir(path).into_iter().flatten();
    entries.take(MOST_COPIED + 1).count() > MOST_COPIED
}

/// Whether it is a link of a node to a block of its memory: there are hundreds, and no agent sees what they lead to.
fn leads_nowhere(entry: &DirEntry) -> bool {
    entry.path().starts_with(NODES)
        && entry.file_name().to_string_lossy().starts_with("memory")
        && entry.file_type().is_ok_and(|kind| kind.is_symlink())
}

/// Copies a file, a link or a directory; whether there was something to read.
fn copy_of(path: &Path, copy: &Path) -> io::Result<bool> {
    let Ok(kind) = path.symlink_metadata().map(|data| data.file_type()) else {
        return Ok(false);
    };
    if kind.is_symlink() {
        let leads_to = std::fs::read_link(path)?;
        return std::os::unix::fs::symlink(leads_to, copy).map(|()| true);
    }
    if kind.is_dir() {
        std::fs::create_dir(copy)?;
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| !leads_nowhere(entry)) {
            copy_of(&entry.path(), &copy.join(entry.file_name()))?;
        }
        return std::fs::set_permissions(copy, Permissions::from_mode(0o755)).map(|()| true);
    }
    let Ok(text) = std::fs::read(path) else {
        return Ok(false);
    };
    let copied = crate::files::copy_new(&mut text.as_slice(), copy);
    copied.map_err(|error| {
        let error = crate::files::about(copy, &error);
        io::Error::other(format!("{} cannot be copied to {error}", path.display()))
    })?;
    std::fs::set_permissions(copy, Permissions::from_mode(0o444)).map(|()| true)
}

/// Nodes in `directory` of the devices that every agent may open; none where this machine lets nobody make or open such there, as an
/// ordinary user, or on a disk without devices.
pub(super) fn devices(directory: &Path) -> Vec<BindMount> {
    let made = DEVICES.iter().map(|device| node(directory, Path::new(device)));
    made.collect::<io::Result<_>>().unwrap_or_default()
}

fn node(directory: &Path, device: &Path) -> io::Result<BindMount> {
    let own = directory.join(device.file_name().unwrap_or_default());
    let number = device.metadata()?.rdev();
    rustix::fs::mknodat(CWD, &own, FileType::CharacterDevice, Mode::empty(), number)?;
    std::fs::set_permissions(&own, Permissions::from_mode(0o666))?;
    File::open(&own)?;
    Ok((own.into_os_string(), device.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_copied_as_they_are() {
        let place = tempfile::tempdir().expect("a directory");
        let copies = figures(place.path()).expect("room");
        let over: Vec<&str> = copies.iter().filter_map(|(_, over)| over.to_str()).collect();
        for name in ["cpuinfo", "loadavg", "meminfo", "stat", "uptime", "vmstat"] {
            let path = format!("/proc/{name}");
            assert!(over.contains(&path.as_str()), "{path}: {over:?}");
        }
        let begin = |path: &OsString| std::fs::read_to_string(path).expect("text")[..6].to_owned();
        for (copy, over) in copies
            .iter()
            .filter(|(_, over)| over == "/proc/meminfo" || over == "/proc/stat")
        {
            assert_eq!(begin(copy), begin(over));
        }
        let nodes = copies.iter().find(|(_, over)| over == NODES);
        let Some((copy, _)) = nodes else { return };
        let names = |path: PathBuf| std::fs::read_dir(path).into_iter().flatten().flatten();
        let of_first =
            names(Path::new(copy).join("node0")).map(|entry| entry.file_name().to_string_lossy().into_owned());
        let of_first: Vec<String> = of_first.collect();
        assert!(of_first.iter().any(|name| name == "meminfo"), "{of_first:?}");
        assert!(!of_first.iter().any(|name| name.starts_with("memory")), "{of_first:?}");
    }

    #[test]
    fn large_directories_are_shown_where_they_are() {
        let place = tempfile::tempdir().expect("a directory");
        assert!(!is_large(place.path()) && !is_large(&place.path().join("nothing")));
        for entry in 0..=MOST_COPIED {
            std::fs::write(place.path().join(entry.to_string()), "").expect("a file");
        }
        assert!(is_large(place.path()));
        let copies = figures(tempfile::tempdir().expect("a directory").path()).expect("room");
        let of_etc = copies
            .iter()
            .filter(|(_, over)| over.to_string_lossy().starts_with("/etc"));
        assert!(of_etc.map(|(_, over)| Path::new(over)).all(|over| !is_large(over)));
    }

    #[test]
    fn nodes_are_of_the_same_devices_and_no_others_or_there_are_none() {
        let place = tempfile::tempdir().expect("a directory");
        let made = devices(place.path());
        assert!(made.is_empty() || made.len() == DEVICES.len(), "{made:?}");
        let data = |path: &OsString| Path::new(path).metadata().expect("it is there");
        for (own, device) in made {
            assert_eq!(data(&own).rdev(), data(&device).rdev());
            assert_ne!(data(&own).dev(), data(&device).dev());
        }
    }
}
