//! What every isolated agent may read of this machine: what programs need to run at all, and nothing that is anybody's.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::paths::resolved;

/// Directories and files of the system: libraries, interpreters, and what those read at their start.
pub(super) const READ: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/group",
    "/etc/java",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
];

/// Where programs are looked up by agents that are isolated.
pub(super) const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games";

/// Beginnings of further names in `/etc`, which have a version in them.
pub(super) const READ_OF_ETC: &[&str] = &["java-", "python3", "lua"];

/// Of the machine's processes: itself, and figures.
pub(super) const READ_OF_PROC: &[&str] = &[
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/threads-max",
    "/proc/sys/vm/max_map_count",
    "/proc/sys/vm/overcommit_memory",
];

/// Devices without a memory.
pub(super) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What is in place of the places that programs share, where it has namespaces of its own.
pub(super) const OWN: &[&str] = &["/tmp", "/var/tmp", "/dev/shm"];

fn is_fact(place: &str) -> bool {
    place.starts_with("/etc") || place.starts_with("/sys")
}

/// What programs read to find out about the machine.
pub(super) fn facts() -> impl Iterator<Item = &'static str> {
    READ.iter().copied().filter(|place| is_fact(place))
}

/// What of `/etc` is for every agent.
pub(super) fn in_etc() -> impl Iterator<Item = PathBuf> {
    let named = READ.iter().map(PathBuf::from);
    named.filter(|path| path.starts_with("/etc")).chain(versions_in_etc())
}

/// Where programs and libraries lie, each directory once and by its own name.
pub(super) fn places() -> Vec<PathBuf> {
    let places = READ.iter().filter(|place| !is_fact(place));
    let places: BTreeSet<PathBuf> = places.map(|place| resolved(Path::new(place))).collect();
    let is_within = |place: &PathBuf| places.iter().any(|other| place != other && place.starts_with(other));
    places.iter().filter(|place| !is_within(place)).cloned().collect()
}

/// The names in `/etc` that are for every agent and have a version in them.
pub(super) fn versions_in_etc() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    let named = entries.filter(|entry| {
        let name = entry.file_name();
        READ_OF_ETC
            .iter()
            .any(|begin| name.to_string_lossy().starts_with(begin))
    });
    let mut paths: Vec<_> = named.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
