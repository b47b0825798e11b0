//! Where groups can be made: below a unit that systemd has delegated or, for the superuser, in the root group.
//!
//! May not: make a group.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// What systemd writes on the group of a unit that it leaves to the unit's processes.
const DELEGATED: [&str; 2] = ["user.delegate", "trusted.delegate"];

#[derive(Debug)]
pub(super) struct Top {
    pub(super) path: PathBuf,
    /// systemd has left it to its processes: then all of them may be moved.
    pub(super) is_ours: bool,
}

/// The group below which groups of engines are made.
///
/// # Errors
/// Why there is none.
pub(super) fn top() -> Result<Top, String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let (mount, own) = places(&mounts, &groups).ok_or("no file system of control groups of version 2 is mounted")?;
    let delegated = own
        .ancestors()
        .take_while(|path| path.starts_with(&mount))
        .find(|path| {
            // The manager of a user's units makes groups there itself.
            !is_of_a_manager(path) && is_delegated(path)
        });
    let top = match delegated {
        Some(path) => path,
        None if rustix::process::geteuid().is_root() => &mount,
        None => own.as_path(),
    };
    match may_make_groups_in(top) {
        true => Ok(Top {
            path: top.to_path_buf(),
            is_ours: delegated.is_some(),
        }),
        false => Err(format!(
            "groups may not be made in {}: a unit of systemd needs `Delegate=yes`, a command `systemd-run --user --scope -p \
             Delegate=yes`",
            top.display()
        )),
    }
}

fn is_delegated(group: &Path) -> bool {
    let mut value = [0; 8];
    DELEGATED.iter().any(|name| {
        let read = rustix::fs::getxattr(group, *name, &mut value[..]);
        read.is_ok_and(|length| &value[..length] == b"1")
    })
}

fn is_of_a_manager(group: &Path) -> bool {
    let name = group.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("user@") && name.ends_with(".service")
}

/// True if this user may make groups in it and start processes in them.
fn may_make_groups_in(group: &Path) -> bool {
    let may_write = |path: &Path| access(path, Access::WRITE_OK).is_ok();
    may_write(group) && may_write(&group.join("cgroup.procs"))
}

/// Where groups of version 2 are mounted, and the group of the process with these mounts (`/proc/PID/mountinfo`) and
/// groups (`/proc/PID/cgroup`).
fn places(mounts: &str, groups: &str) -> Option<(PathBuf, PathBuf)> {
    // The fields before the hyphen end with optional ones; the fourth is the root of the mount, the fifth its place.
    let mounted = mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let is_one = after.split(' ').next() == Some("cgroup2");
        let mut fields = before.split(' ').skip(3);
        is_one.then_some((fields.next()?, fields.next()?))
    });
    let (root, place) = mounted?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let below = Path::new(own).strip_prefix(root).ok()?;
    // Joined with an empty path it would end with a slash.
    let parts = [Path::new(place), below];
    let own = parts.iter().filter(|part| !part.as_os_str().is_empty()).collect();
    Some((place.into(), own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_control_group_is_found_where_it_is_mounted() {
        let mounts = "24 30 0:22 / /proc rw,nosuid - proc proc rw\n\
                      35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate";
        let of = |mounts: &str, groups: &str| places(mounts, groups).map(|(_, own)| own.into_os_string());
        let found = of(mounts, "4:memory:/x\n0::/user.slice/run.scope");
        assert_eq!(found, Some("/sys/fs/cgroup/user.slice/run.scope".into()));
        assert_eq!(of(mounts, "0::/"), Some("/sys/fs/cgroup".into()));
        // In a container the root of the mount is a group of the host.
        let within = mounts.replace("0:30 / ", "0:30 /docker/x ");
        assert_eq!(of(&within, "0::/docker/x/play"), Some("/sys/fs/cgroup/play".into()));
        assert_eq!(of(&within, "0::/other"), None);
        assert_eq!(of(mounts, "4:memory:/x"), None);
        assert_eq!(of("24 30 0:22 / /proc rw - proc proc rw", "0::/x"), None);
    }

    #[test]
    fn the_manager_of_a_users_units_keeps_its_own() {
        assert!(is_of_a_manager(Path::new(
            "/sys/fs/cgroup/user.slice/user@1000.service"
        )));
        assert!(!is_of_a_manager(Path::new(
            "/sys/fs/cgroup/system.slice/swissmatch.service"
        )));
    }
}
