//! The control group that an agent is in.
#![expect(clippy::disallowed_methods, reason = "it reads and writes files of the kernel")]

use std::fs;
use std::path::{Path, PathBuf};

use super::means::Means;
use super::outcome::{Failed, Tried};

/// Its group, by the kernel's name.
fn own() -> Result<PathBuf, Failed> {
    let groups = fs::read_to_string("/proc/self/cgroup")?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"));
    own.map(PathBuf::from).ok_or_else(|| Failed::refused("is in no group"))
}

/// Goes to the group above its own, where nobody counts it, stops it or ends it.
pub(super) fn leave(_: &Means, _: &str) -> Tried {
    let before = own()?;
    let above = before
        .parent()
        .ok_or_else(|| Failed::refused("nothing is above its group"))?;
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    let mount = mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        after.starts_with("cgroup2 ").then(|| before.split(' ').nth(4))?
    });
    let mount = mount.ok_or_else(|| Failed::refused("sees no file system of groups"))?;
    let above = Path::new(mount).join(above.strip_prefix("/").unwrap_or(above));
    fs::write(above.join("cgroup.procs"), std::process::id().to_string())?;
    match own()? {
        now if now == before => Err(Failed::refused("is still where it was")),
        now => Ok(format!("in {}", now.display())),
    }
}
