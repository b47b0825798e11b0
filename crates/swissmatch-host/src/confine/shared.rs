//! What agents would share though each has namespaces of its own, and what is put in its place: device nodes, on which they could lock
//! bytes, and the machine's figures, which one could move for another to read.

use std::ffi::OsString;
use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode};

use super::system::DEVICES;

/// What is put, and over what.
pub(super) type Put = (OsString, OsString);

/// Figures of the whole machine.
const FIGURES: &[&str] = &[
    "/proc/buddyinfo",
    "/proc/cpuinfo",
    "/proc/diskstats",
    "/proc/interrupts",
    "/proc/loadavg",
    "/proc/locks",
    "/proc/meminfo",
    "/proc/pressure/cpu",
    "/proc/pressure/io",
    "/proc/pressure/irq",
    "/proc/pressure/memory",
    "/proc/schedstat",
    "/proc/softirqs",
    "/proc/stat",
    "/proc/swaps",
    "/proc/sys/fs/aio-nr",
    "/proc/sys/fs/dentry-state",
    "/proc/sys/fs/file-nr",
    "/proc/sys/fs/inode-nr",
    "/proc/sys/fs/inode-state",
    "/proc/uptime",
    "/proc/vmstat",
    "/proc/zoneinfo",
];

/// Where a machine has figures of its parts, and what they are called there.
const PARTS: &str = "/sys/devices/system/node";
const FIGURES_OF_A_PART: &[&str] = &["meminfo", "numastat", "vmstat"];

/// The machine's figures as they are now, copied to `directory`. What this user cannot read no agent can.
///
/// # Errors
/// When they cannot be written.
pub(super) fn figures(directory: &Path) -> io::Result<Vec<Put>> {
    let mut copies = Vec::new();
    for path in FIGURES.iter().map(PathBuf::from).chain(of_parts()) {
        let Ok(text) = std::fs::read(&path) else { continue };
        let copy = directory.join(copies.len().to_string());
        crate::files::copy_new(&mut text.as_slice(), &copy)?;
        std::fs::set_permissions(&copy, Permissions::from_mode(0o444))?;
        copies.push((copy.into_os_string(), path.into_os_string()));
    }
    Ok(copies)
}

fn of_parts() -> impl Iterator<Item = PathBuf> {
    let parts = std::fs::read_dir(PARTS).into_iter().flatten().flatten();
    parts.flat_map(|part| FIGURES_OF_A_PART.iter().map(move |name| part.path().join(name)))
}

/// Nodes in `directory` of the devices that every agent may open; none where this machine lets nobody make or open such there, as an
/// ordinary user, or on a disk without devices.
pub(super) fn devices(directory: &Path) -> Vec<Put> {
    let made = DEVICES.iter().map(|device| node(directory, Path::new(device)));
    made.collect::<io::Result<_>>().unwrap_or_default()
}

fn node(directory: &Path, device: &Path) -> io::Result<Put> {
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
