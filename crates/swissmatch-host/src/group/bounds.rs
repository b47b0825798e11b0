//! What all processes of a group may have together, if the kernel bounds that with the controllers of the group's
//! place.
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

/// How many processes and threads beyond its limit the kernel allows an engine, so that its keeper sees them.
const SEEN: u64 = 64;

/// A group next to the engines' groups, for processes that were in their place: the kernel gives controllers only to
/// groups of a place without processes.
const MAIN: &str = "main";

/// What groups of a place bound.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupBounds {
    pub(super) memory: bool,
    pub(super) processes: bool,
}

impl GroupBounds {
    /// What groups in this place bound, as far as controllers can be had.
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
    /// The kernel refuses it.
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
            // There is no such file on a machine without swap.
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

/// More than any machine has.
const MOST_PROCESSES: u64 = 1 << 22;

/// True if groups in this place have this controller.
fn is_given(top: &Path, controller: &str) -> bool {
    let given = fs::read_to_string(top.join("cgroup.subtree_control")).unwrap_or_default();
    given.split_whitespace().any(|given| given == controller)
}

/// Gives groups in this place a controller; processes in the place itself are moved to a group of their own for that.
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

/// The most memory that a group has ever had, in bytes; `None` if it does not count that.
pub(super) fn peak(group: &Path) -> Option<u64> {
    number(&fs::read_to_string(group.join("memory.peak")).ok()?)
}

/// How often something happened to the memory of a group, by its `memory.events`.
fn times(events: &str, what: &str) -> Option<u64> {
    let line = events.lines().find(|line| line.split(' ').next() == Some(what))?;
    number(line.split_once(' ')?.1)
}

fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// True if the kernel ended a process of the group with these `memory.events` although the group never reached its
/// limit: someone else lacked memory.
fn is_ended_for_others(events: &str) -> bool {
    times(events, "oom") == Some(0) && times(events, "oom_kill").is_some_and(|times| times > 0)
}

/// Like [`is_ended_for_others`], for the group at `group`.
pub(super) fn was_ended_for_others(group: &Path) -> bool {
    fs::read_to_string(group.join("memory.events")).is_ok_and(|events| is_ended_for_others(&events))
}

/// The overuse, if the kernel ended all processes of a group because they had more memory than they may.
pub(crate) fn over_memory(group: &Path) -> Option<Overuse> {
    let events = fs::read_to_string(group.join("memory.events")).ok()?;
    let limit = number(&fs::read_to_string(group.join("memory.max")).ok()?);
    let limit = limit.filter(|_| times(&events, "oom").is_some_and(|times| times > 0))?;
    Some(Overuse {
        resource: Resource::Memory,
        used: peak(group).unwrap_or(limit),
        limit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_memory_was_short_is_seen() {
        let events = |max: u64, oom: u64, killed: u64, group: u64| {
            format!("low 0\nhigh 0\nmax {max}\noom {oom}\noom_kill {killed}\noom_group_kill {group}\n")
        };
        assert!(is_ended_for_others(&events(0, 0, 3, 1)));
        // It reached its limit, but the kernel found something to take back.
        assert!(is_ended_for_others(&events(9, 0, 1, 0)));
        assert!(!is_ended_for_others(&events(9, 1, 1, 1)), "its own");
        assert!(!is_ended_for_others(&events(9, 0, 0, 0)), "nobody");
        assert!(!is_ended_for_others(""), "not counted");
    }

    #[test]
    fn the_peak_is_read_where_it_is_counted() {
        let group = tempfile::tempdir().expect("a directory");
        assert_eq!(peak(group.path()), None);
        std::fs::write(group.path().join("memory.peak"), "268435456\n").expect("a file");
        assert_eq!(peak(group.path()), Some(256 << 20));
    }
}
