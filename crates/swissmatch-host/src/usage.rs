//! What the processes below a keeper use of the machine, and whether that is more than they may.
//!
//! Read from `/proc`, some files a process each time. What comes and goes between two looks is not seen. May not: end anybody.

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

/// How often it is looked what lies in the directories that they may write.
const WALK: Duration = Duration::from_secs(1);
/// From one step of such a look to the next: so many times what it took.
const LONG_LOOKS: u32 = 20;
/// Looks in a row at which somebody hides, whoever it is each time: then it is no process that was just beginning.
const HIDDEN: u32 = 3;
/// And how long it has to be so: where the machine has too much to do, a program takes some looks to begin.
const HIDDEN_FOR: Duration = Duration::from_secs(1);

/// Looks at what is below one process.
#[derive(Debug)]
pub(super) struct Meter {
    root: Pid,
    allowance: Allowance,
    /// Processes below it that are not the agent's own: they made its namespaces, and wait.
    helpers: Vec<Pid>,
    in_memory: memory::MemoryFileSystems,
    /// What was there when it was looked last, with the processor time that it had used.
    seen: HashMap<Pid, ProcessSample<Option<TimeSpec>>>,
    several: Several,
    /// Whether it has just been found that several may think.
    are_several: bool,
    /// Directories that it may write.
    places: disk::WritableDirectories,
    /// The file systems on which these lie.
    devices: Vec<u64>,
    /// When they may be looked at next.
    walk: Instant,
    /// Bytes of a disk that its open files without a name held at the last look.
    unnamed: u64,
    /// Whether anything has run since they were looked at.
    may_have_written: bool,
    /// How often in a row there were processes that could not be looked at.
    hidden: u32,
    /// When the first of them was.
    hidden_since: Instant,
}

impl Meter {
    /// One for everything below this process that is to come. `in_memory` are paths of file systems that only the agent has,
    /// `places` where it may write.
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

    /// What these hold and run is none of the agent's, who cannot reach them; what they have buried was.
    pub(super) fn leave_out(&mut self, helpers: Vec<Pid>) {
        self.helpers = helpers;
    }

    /// The largest file that they may write: as much as all they may write, and what was there before. `None`: any.
    pub(super) fn largest_file(&self) -> Option<u64> {
        let most = self.allowance.disk.saturating_add(self.places.had());
        (most < u64::MAX).then_some(most)
    }

    /// That they went over what they may write, as the kernel saw it.
    pub(super) const fn over_largest_file(&self) -> Overuse {
        Overuse {
            resource: Resource::Disk,
            used: self.allowance.disk.saturating_add(1),
            limit: self.allowance.disk,
        }
    }

    /// Whether nothing below has run since it was looked last: then nothing is used that was not, and nobody new is there.
    fn has_rested(&self) -> bool {
        let has_rested = |(pid, seen): (&Pid, &ProcessSample<Option<TimeSpec>>)| {
            seen.ran.is_some() && processor_time(*pid) == seen.ran
        };
        !self.seen.is_empty() && self.seen.iter().all(has_rested)
    }

    /// Whether the last look has found that several processes may think, which it does once.
    pub(super) const fn are_several(&mut self) -> bool {
        std::mem::replace(&mut self.are_several, false)
    }

    /// What is used more than it may be, if anything is.
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
        // Before the looks: what runs meanwhile has not rested.
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

    /// The same of what the kernel counts as written, and of who keeps it from telling.
    fn over_by_counts(&mut self, all: &[Pid]) -> Option<Overuse> {
        let counts: Vec<io::Result<u64>> = all.iter().map(|pid| written(*pid)).collect();
        // The kernel adds what the dead wrote to the counts of those who buried them: the root buries orphans, and so do helpers.
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

    /// The same of what lies where they may write, as far as it is looked at now.
    fn over_by_places(&mut self) -> Option<Overuse> {
        let disk = self.allowance.disk;
        // Where there is no room left, who has taken it is to be ended before others suffer.
        if Instant::now() >= self.walk || self.places.are_full() {
            let begun = Instant::now();
            self.may_have_written &= self.places.is_looking();
            self.places.look(disk);
            // Long looks come seldom, each of their steps too.
            let pause = if self.places.is_looking() { Duration::ZERO } else { WALK };
            self.walk = Instant::now() + pause.max(LONG_LOOKS * begun.elapsed());
        }
        let disk::DiskUse { bytes, unseen } = self.places.grown();
        over(Resource::Disk, bytes.max(self.unnamed), disk).or_else(|| over(Resource::Unseen, unseen, 0))
    }
}

/// The processes and threads of an engine below its keeper, and its memory in bytes, as far as that is looked at quickly.
pub(super) fn tally(keeper: Pid) -> (u64, u64) {
    let all = family::descendants(keeper);
    let threads = all.iter().map(|pid| threads(*pid).unwrap_or(1)).sum();
    let memory = all.iter().filter_map(|pid| memory::held(*pid)).sum();
    (threads, memory)
}

/// What a process has run so far, with all its threads, also those that have ended.
fn processor_time(of: Pid) -> Option<TimeSpec> {
    let pid = nix::unistd::Pid::from_raw(of.as_raw_nonzero().get());
    clock_gettime(ClockId::pid_cpu_clock_id(pid).ok()?).ok()
}

fn of_process(pid: Pid) -> PathBuf {
    PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero()))
}

/// The processes' threads, this one's first among them.
fn threads(of: Pid) -> Option<u64> {
    let stat = proc::text(of_process(of).join("stat")).ok()?;
    // PID (NAME) STATE …; a name may hold anything, parentheses too.
    stat.rsplit_once(") ")?.1.split(' ').nth(17)?.parse().ok()
}

fn over(resource: Resource, used: u64, limit: u64) -> Option<Overuse> {
    (used > limit).then_some(Overuse { resource, used, limit })
}

/// Whether a process of this user, of which this was told, is there and cannot be looked at, as one that has asked the kernel for
/// that (`PR_SET_DUMPABLE`), or whose program may not be read.
fn is_hidden(pid: Pid, told: &io::Result<u64>) -> bool {
    let is_closed = matches!(told, Err(error) if error.kind() == ErrorKind::PermissionDenied);
    is_closed && is_of(&of_process(pid), rustix::process::geteuid().as_raw())
}

/// Whether a process is of that user alone: one of another user's, as by `sudo`, is looked at as far as that may be.
fn is_of(process: &Path, user: u32) -> bool {
    let status = proc::text(process.join("status")).unwrap_or_default();
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    users.is_some_and(|users| users.split_whitespace().all(|id| id.parse() == Ok(user)))
}

/// Bytes that a process, and those that it has buried, had the kernel write to disks.
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

    /// This process is the root, and what other tests have below it counts too.
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
