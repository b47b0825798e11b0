//! What the processes below a keeper use of the machine, and whether that is more than they may.
//!
//! Read from `/proc`, some files for each process. What comes and goes between two checks is not seen. May not: end any
//! process.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_gettime};
use rustix::process::Pid;

use self::several::{ProcessSample, Several, thinkers};
use super::{family, proc};
use swissmatch_game::resource::{Allowance, Overuse, Resource};

pub(super) mod disk;
mod memory;
pub(super) mod several;

/// How often to check what lies in the directories that they may write.
const WALK: Duration = Duration::from_secs(1);
/// The pause between two steps of such a check, as a multiple of the step's duration.
const LONG_LOOKS: u32 = 20;
/// How many checks in a row must find a hidden process, whichever it is, so that it is not just one that was starting.
const HIDDEN: u32 = 3;
/// How long this must last: if the machine has too much to do, a program takes some checks to start.
const HIDDEN_FOR: Duration = Duration::from_secs(1);

/// Checks everything below one process.
#[derive(Debug)]
pub(super) struct Meter {
    root: Pid,
    allowance: Allowance,
    /// Processes below it that are not the agent's own: they made its namespaces, and wait.
    helpers: Vec<Pid>,
    in_memory: memory::MemoryFileSystems,
    /// What was there at the last check, with the processor time used by then.
    seen: HashMap<Pid, ProcessSample<Option<TimeSpec>>>,
    several: Several,
    /// It has just been found that several processes may think.
    are_several: bool,
    /// Directories that they may write.
    places: disk::WritableDirectories,
    /// The file systems of these directories.
    devices: Vec<u64>,
    /// When they may next be checked.
    walk: Instant,
    /// Bytes of disk in its open files without a name, at the last check.
    unnamed: u64,
    /// Something has run since they were checked.
    may_have_written: bool,
    /// At how many checks in a row there were processes that could not be looked at.
    hidden: u32,
    /// When the first of these checks was.
    hidden_since: Instant,
}

impl Meter {
    /// A meter for everything below this process that is to come. `in_memory` are paths of file systems that only the
    /// agent has, `places` are where it may write.
    pub(super) fn new(
        root: Pid,
        allowance: Allowance,
        in_memory: &'static [&'static str],
        places: &[OsString],
    ) -> Self {
        let places = disk::WritableDirectories::new(places);
        Self {
            root,
            allowance,
            helpers: Vec::new(),
            in_memory: memory::MemoryFileSystems::new(in_memory),
            seen: HashMap::new(),
            several: Several::default(),
            are_several: false,
            devices: places.devices(),
            places,
            walk: Instant::now() + WALK,
            unnamed: 0,
            may_have_written: false,
            hidden: 0,
            hidden_since: Instant::now(),
        }
    }

    /// Leaves out these processes, whose memory and time are not the agent's, because it cannot reach them; children
    /// that they reaped were its own.
    pub(super) fn leave_out(&mut self, helpers: Vec<Pid>) {
        self.helpers = helpers;
    }

    /// The largest file that they may write: as much as they may write in all, plus what was there before. `None` means
    /// any size.
    pub(super) fn largest_file(&self) -> Option<u64> {
        let most = self.allowance.disk.saturating_add(self.places.had());
        (most < u64::MAX).then_some(most)
    }

    /// The overuse when they exceeded what they may write, as the kernel saw it.
    pub(super) const fn over_largest_file(&self) -> Overuse {
        Overuse {
            resource: Resource::Disk,
            used: self.allowance.disk.saturating_add(1),
            limit: self.allowance.disk,
        }
    }

    /// True if nothing below has run since the last check: then nothing more is used, and no process is new.
    fn has_rested(&self) -> bool {
        let has_rested = |(pid, seen): (&Pid, &ProcessSample<Option<TimeSpec>>)| {
            seen.ran.is_some() && processor_time(*pid) == seen.ran
        };
        !self.seen.is_empty() && self.seen.iter().all(has_rested)
    }

    /// True if the last check found that several processes may think; it is reported once.
    pub(super) const fn are_several(&mut self) -> bool {
        std::mem::replace(&mut self.are_several, false)
    }

    /// The overuse, if there is any.
    pub(super) fn over(&mut self) -> Option<Overuse> {
        let Allowance { memory, processes, .. } = self.allowance;
        if self.has_rested() && self.hidden == 0 {
            let owes_a_look = self.may_have_written || self.places.is_looking();
            return if owes_a_look { self.over_by_places() } else { None };
        }
        self.may_have_written = true;
        let enough = usize::try_from(processes).unwrap_or(usize::MAX);
        let mut found = family::with_children(self.root, enough.saturating_add(self.helpers.len()));
        found.retain(|(pid, _)| !self.helpers.contains(pid));
        let all: Vec<Pid> = found.iter().map(|(pid, _)| *pid).collect();
        // Before the checks, so that what runs meanwhile counts as having run.
        let seen = found.into_iter().map(|(pid, children)| {
            let seen = ProcessSample {
                ran: processor_time(pid),
                threads: threads(pid).unwrap_or(1),
                children,
            };
            (pid, seen)
        });
        let before = std::mem::replace(&mut self.seen, seen.collect());
        self.are_several = self.several.is_news(thinkers(&before, &self.seen));
        let tasks: u64 = self.seen.values().map(|seen| seen.threads).sum();
        let found = memory::HiddenMemory::of(&all, &self.devices, memory.unwrap_or(u64::MAX));
        self.unnamed = found.on_disk();
        over(Resource::Processes, tasks, processes)
            .or_else(|| {
                memory.and_then(|most| over(Resource::Memory, self.in_memory.held_by(&all, &found, most), most))
            })
            .or_else(|| self.over_by_counts(&all))
            .or_else(|| self.over_by_places())
    }

    /// The overuse by the kernel's counts of writing, or by hiding from them.
    fn over_by_counts(&mut self, all: &[Pid]) -> Option<Overuse> {
        let counts: Vec<io::Result<u64>> = all.iter().map(|pid| written(*pid)).collect();
        // The kernel adds what the dead wrote to the counts of those who reaped them: the root reaps orphans, and so do
        // helpers.
        let of_others: Vec<_> = self
            .helpers
            .iter()
            .chain([&self.root])
            .map(|pid| written(*pid))
            .collect();
        let written = counts.iter().chain(&of_others).flatten().sum();
        let hiding = all
            .iter()
            .zip(&counts)
            .filter(|(pid, count)| is_hidden(**pid, count))
            .count() as u64;
        if self.hidden == 0 {
            self.hidden_since = Instant::now();
        }
        self.hidden = if hiding > 0 { self.hidden + 1 } else { 0 };
        let has_hidden = self.hidden >= HIDDEN && self.hidden_since.elapsed() >= HIDDEN_FOR;
        let hidden = if has_hidden { hiding } else { 0 };
        over(Resource::Disk, written, self.allowance.disk).or_else(|| over(Resource::Unseen, hidden, 0))
    }

    /// The overuse of room where they may write, as far as that is checked now.
    fn over_by_places(&mut self) -> Option<Overuse> {
        let disk = self.allowance.disk;
        // If no room is left, the agent that has taken it must end before others suffer.
        if Instant::now() >= self.walk || self.places.are_full() {
            let begun = Instant::now();
            self.may_have_written &= self.places.is_looking();
            self.places.look(disk);
            // Long checks come seldom, and each of their steps does, too.
            let pause = if self.places.is_looking() { Duration::ZERO } else { WALK };
            self.walk = Instant::now() + pause.max(LONG_LOOKS * begun.elapsed());
        }
        let disk::DiskUse { bytes, unseen } = self.places.grown();
        over(Resource::Disk, bytes.max(self.unnamed), disk).or_else(|| over(Resource::Unseen, unseen, 0))
    }
}

/// The number of processes and threads of an engine below its keeper, and its memory in bytes, as far as a quick look
/// tells.
pub(super) fn tally(keeper: Pid) -> (u64, u64) {
    let all = family::descendants(keeper);
    let threads = all.iter().map(|pid| threads(*pid).unwrap_or(1)).sum();
    let memory = all.iter().filter_map(|pid| memory::held(*pid)).sum();
    (threads, memory)
}

/// How long a process has run so far, with all its threads, including ended ones.
fn processor_time(of: Pid) -> Option<TimeSpec> {
    let pid = nix::unistd::Pid::from_raw(of.as_raw_nonzero().get());
    clock_gettime(ClockId::pid_cpu_clock_id(pid).ok()?).ok()
}

fn of_process(pid: Pid) -> PathBuf {
    PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero()))
}

/// The number of a process's threads.
fn threads(of: Pid) -> Option<u64> {
    let stat = proc::text(of_process(of).join("stat")).ok()?;
    // PID (NAME) STATE …; a name may hold anything, even parentheses.
    stat.rsplit_once(") ")?.1.split(' ').nth(17)?.parse().ok()
}

fn over(resource: Resource, used: u64, limit: u64) -> Option<Overuse> {
    (used > limit).then_some(Overuse { resource, used, limit })
}

/// True if a process of this user exists but cannot be looked at, because it has asked the kernel for that
/// (`PR_SET_DUMPABLE`), or because its program may not be read.
fn is_hidden(pid: Pid, told: &io::Result<u64>) -> bool {
    let is_closed = matches!(told, Err(error) if error.kind() == ErrorKind::PermissionDenied);
    is_closed && is_of(&of_process(pid), rustix::process::geteuid().as_raw())
}

/// True if a process belongs to that user alone: one of another user, as by `sudo`, is looked at as far as that is
/// allowed.
fn is_of(process: &Path, user: u32) -> bool {
    let status = proc::text(process.join("status")).unwrap_or_default();
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    users.is_some_and(|users| users.split_whitespace().all(|id| id.parse() == Ok(user)))
}

/// Bytes that a process, and the children that it reaped, had the kernel write to disks.
fn written(of: Pid) -> io::Result<u64> {
    let counts = proc::text(of_process(of).join("io"))?;
    let count = |name: &str| -> Option<u64> {
        let line = counts.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse().ok()
    };
    let written = || Some(count("write_bytes:")?.saturating_sub(count("cancelled_write_bytes:")?));
    written().ok_or(ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance() -> Allowance {
        Allowance::UNLIMITED
    }

    fn meter(allowance: Allowance) -> Meter {
        Meter::new(rustix::process::getpid(), allowance, &[], &[])
    }

    #[test]
    fn what_is_none_of_the_agents_is_left_out() {
        let started = || {
            std::process::Command::new("sleep")
                .arg("30")
                .spawn()
                .expect("sleep starts")
        };
        let mut children = [started(), started()];
        let [helper, own] = children.each_ref().map(Pid::from_child);
        let mut meter = meter(allowance());
        meter.leave_out(vec![helper]);
        let over = meter.over();
        for child in &mut children {
            child.kill().and_then(|()| child.wait()).expect("sleep ends");
        }
        assert_eq!(over, None);
        assert!(
            meter.seen.contains_key(&own) && !meter.seen.contains_key(&helper),
            "{meter:?}"
        );
    }

    /// This process is the root, and what other tests have below it counts, too.
    #[test]
    fn what_is_used_is_seen() {
        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .spawn()
            .expect("sleep starts");
        let pid = Pid::from_child(&child);
        let few = meter(Allowance {
            processes: 0,
            ..allowance()
        })
        .over();
        let little = meter(Allowance {
            memory: Some(1),
            ..allowance()
        })
        .over();
        let enough = meter(allowance()).over();
        let (tasks, has) = (threads(pid), memory::held(pid));
        child.kill().and_then(|()| child.wait()).expect("sleep ends");
        assert!(
            matches!(
                few,
                Some(Overuse {
                    resource: Resource::Processes,
                    used: 1..,
                    limit: 0
                })
            ),
            "{few:?}"
        );
        assert!(
            matches!(
                little,
                Some(Overuse {
                    resource: Resource::Memory,
                    used: 2..,
                    limit: 1
                })
            ),
            "{little:?}"
        );
        assert_eq!(enough, None);
        assert_eq!(tasks, Some(1));
        assert!(has.is_some_and(|bytes| bytes > 4096), "{has:?}");
        assert!(
            written(rustix::process::getpid()).is_ok(),
            "this kernel counts what is written"
        );
    }
}
