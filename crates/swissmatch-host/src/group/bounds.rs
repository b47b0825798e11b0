//! What all processes of a group may have together, where the kernel bounds that: by the controllers that the group's place has.
//!
//! May not: decide how much that is.

use std::fs;
use std::io;
use std::path::Path;

use rustix::io::Errno;

use super::place::Top;
use super::put;
use crate::files::about;
use swissmatch_game::resource::{Allowance, Overuse, Resource};

/// How many more processes and threads than it may have the kernel lets an engine have, so that its keeper sees them.
const SEEN: u64 = 64;

/// The group beside those of engines that whoever was in their place is moved to: the kernel gives controllers to groups of a place
/// where nobody is.
const MAIN: &str = "main";

/// What groups of a place bound.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub(super) memory: bool,
    pub(super) processes: bool,
}

impl Bounds {
    /// What groups in this place bound, as far as that can be had.
    pub(super) fn had_in(top: &Top) -> Self {
        let has = |controller| is_given(&top.path, controller) || (top.is_ours && give(&top.path, controller).is_ok());
        Self {
            memory: has("memory"),
            processes: has("pids"),
        }
    }

    /// Bounds a group.
    ///
    /// # Errors
    /// When the kernel does not take it.
    pub(super) fn bound(self, group: &Path, allowance: Allowance, helpers: u64) -> io::Result<()> {
        let put = |name: &str, value: &str| {
            let path = group.join(name);
            put(&path, value).map_err(|error| about(&path, &error))
        };
        if self.memory
            && let Some(memory) = allowance.memory
        {
            put("memory.max", &memory.to_string())?;
            put("memory.oom.group", "1")?;
            // There is no such file where the machine puts nothing on a disk.
            if group.join("memory.swap.max").exists() {
                put("memory.swap.max", "0")?;
            }
        }
        if self.processes {
            let most = allowance.processes.saturating_add(helpers).saturating_add(SEEN);
            put("pids.max", &most.min(MOST_PROCESSES).to_string())?;
        }
        Ok(())
    }
}

/// More than this no machine has.
const MOST_PROCESSES: u64 = 1 << 22;

/// Whether groups in this place have this controller.
fn is_given(top: &Path, controller: &str) -> bool {
    let given = fs::read_to_string(top.join("cgroup.subtree_control")).unwrap_or_default();
    given.split_whitespace().any(|given| given == controller)
}

/// Gives groups in this place a controller; for that whoever is in the place itself goes to a group of its own.
fn give(top: &Path, controller: &str) -> io::Result<()> {
    let control = top.join("cgroup.subtree_control");
    let word = format!("+{controller}");
    match put(&control, &word) {
        Err(error) if error.raw_os_error() == Some(Errno::BUSY.raw_os_error()) => {
            let main = top.join(MAIN);
            match fs::create_dir(&main) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            for process in fs::read_to_string(top.join("cgroup.procs"))?.lines() {
                // It may have ended meanwhile.
                let _ = put(&main.join("cgroup.procs"), process);
            }
            put(&control, &word)
        }
        given => given,
    }
}

/// That the kernel ended everybody in a group because they had more memory than they may.
pub(crate) fn over_memory(group: &Path) -> Option<Overuse> {
    let events = fs::read_to_string(group.join("memory.events")).ok()?;
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let ended = events.lines().find_map(|line| number(line.strip_prefix("oom ")?))?;
    let read = |name: &str| number(&fs::read_to_string(group.join(name)).ok()?);
    let limit = read("memory.max").filter(|_| ended > 0)?;
    Some(Overuse {
        resource: Resource::Memory,
        used: read("memory.peak").unwrap_or(limit),
        limit,
    })
}
