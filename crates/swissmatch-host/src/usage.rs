//! What the processes below a keeper use of the machine, and whether that is more than they may.
//!
//! Read from `/proc`, some files a process each time. What comes and goes between two looks is not seen. May not: end anybody.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_gettime};
use rustix::fs::{Mode, OFlags};
use rustix::process::Pid;

use self::several::{Seen, Several, thinkers};
use super::family;
use swissmatch_game::resource::{Allowance, Overuse, Resource};

pub(super) mod disk;
pub(super) mod several;

/// How often it is looked what lies in the directories that they may write.
const WALK: Duration = Duration::from_secs(1);
/// From one step of such a look to the next: so many times what it took.
const LONG_LOOKS: u32 = 20;
/// Looks in a row at which somebody hides, whoever it is each time: then it is no process that was just beginning.
const HIDDEN: u32 = 3;

/// Looks at what is below one process.
#[derive(Debug)]
pub(super) struct Meter {
    root: Pid,
    allowance: Allowance,
    /// Processes below it that are not the agent's own.
    helpers: u64,
    /// Whether this machine puts memory on a disk.
    swaps: bool,
    /// Places in memory that the agent has for itself, with the file system that everybody else has there.
    in_memory: Vec<(&'static str, Option<u64>)>,
    /// What was there when it was looked last, with the processor time that it had used.
    seen: HashMap<Pid, Seen<Option<TimeSpec>>>,
    several: Several,
    /// Whether it has just been found that several may think.
    are_several: bool,
    /// Directories that it may write.
    places: disk::Places,
    /// When they may be looked at next.
    walk: Instant,
    /// Whether anything has run since they were looked at.
    may_have_written: bool,
    /// How often in a row there were processes that could not be looked at.
    hidden: u32,
}

impl Meter {
    /// One for everything below this process that is to come. `in_memory` are paths of file systems that only the agent has,
    /// `places` where it may write.
    pub(super) fn new(
        root: Pid,
        allowance: Allowance,
        helpers: u64,
        in_memory: &'static [&'static str],
        places: &[OsString],
    ) -> Self {
        let swaps = fs::read_to_string("/proc/swaps").is_ok_and(|swaps| swaps.lines().count() > 1);
        Self {
            root,
            allowance,
            helpers,
            swaps,
            in_memory: in_memory
                .iter()
                .map(|&path| (path, rustix::fs::stat(path).ok().map(|stat| stat.st_dev)))
                .collect(),
            seen: HashMap::new(),
            several: Several::default(),
            are_several: false,
            places: disk::Places::new(places),
            walk: Instant::now() + WALK,
            may_have_written: false,
            hidden: 0,
        }
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
        let has_rested =
            |(pid, seen): (&Pid, &Seen<Option<TimeSpec>>)| seen.ran.is_some() && processor_time(*pid) == seen.ran;
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
        let enough = usize::try_from(processes.saturating_add(self.helpers)).unwrap_or(usize::MAX);
        let found = family::with_children(self.root, enough);
        let all: Vec<Pid> = found.iter().map(|(pid, _)| *pid).collect();
        // Before the looks: what runs meanwhile has not rested.
        let seen = found.into_iter().map(|(pid, children)| {
            let seen = Seen {
                ran: processor_time(pid),
                threads: threads(pid).unwrap_or(1),
                children,
            };
            (pid, seen)
        });
        let before = std::mem::replace(&mut self.seen, seen.collect());
        self.are_several = self.several.is_news(thinkers(&before, &self.seen));
        let tasks: u64 = self.seen.values().map(|seen| seen.threads).sum();
        over(Resource::Processes, tasks.saturating_sub(self.helpers), processes)
            .or_else(|| memory.and_then(|most| over(Resource::Memory, self.memory(&all, most), most)))
            .or_else(|| self.over_by_counts(&all))
            .or_else(|| self.over_by_places())
    }

    /// The same of what the kernel counts as written, and of who keeps it from telling.
    fn over_by_counts(&mut self, all: &[Pid]) -> Option<Overuse> {
        let counts: Vec<io::Result<u64>> = all.iter().map(|pid| written(*pid)).collect();
        // The kernel adds what the dead wrote to the counts of those who buried them, and the root buries orphans.
        let written = counts.iter().chain([&written(self.root)]).flatten().sum();
        let hiding = all
            .iter()
            .zip(&counts)
            .filter(|(pid, count)| is_hidden(**pid, count))
            .count() as u64;
        self.hidden = if hiding > 0 { self.hidden + 1 } else { 0 };
        let hidden = if self.hidden < HIDDEN { 0 } else { hiding };
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
        let disk::Found { bytes, unseen } = self.places.grown();
        over(Resource::Disk, bytes, disk).or_else(|| over(Resource::Unseen, unseen, 0))
    }

    /// How many bytes of memory these have together. What several of them share is counted once where that decides whether it is
    /// more than `most`.
    fn memory(&self, all: &[Pid], most: u64) -> u64 {
        let sum = |of: &dyn Fn(Pid) -> Option<u64>| -> u64 { all.iter().filter_map(|pid| of(*pid)).sum() };
        let (files, own) = (open_in_memory(all), self.in_places_in_memory(all));
        let swapped = if self.swaps { sum(&swapped) } else { 0 };
        let at_most = sum(&resident) + swapped + files + own;
        if at_most <= most {
            return at_most;
        }
        let parts: Vec<Parts> = all.iter().filter_map(|pid| parts(*pid)).collect();
        let sum = |of: fn(&Parts) -> u64| -> u64 { parts.iter().map(of).sum() };
        // What is open in memory and mapped is among what is shared.
        let unmapped = files.saturating_sub(sum(|part| part.shared));
        sum(|part| part.all + part.swapped) + unmapped + own
    }

    /// What lies in the places in memory that only the agent has. Processes around it have everybody's there, such as the one that
    /// waits for its end, and so has the agent's until it is shut in.
    fn in_places_in_memory(&self, all: &[Pid]) -> u64 {
        let seen_by = |pid: &Pid, path: &str, everybodys: Option<u64>| {
            let path = of_process(*pid).join("root").join(path.trim_start_matches('/'));
            let place = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
            let is_its_own = Some(rustix::fs::fstat(&place).ok()?.st_dev) != everybodys;
            let found = rustix::fs::fstatvfs(&place).ok().filter(|_| is_its_own)?;
            Some(found.f_blocks.saturating_sub(found.f_bfree) * found.f_frsize)
        };
        let of_place = |(path, everybodys): &(&str, Option<u64>)| {
            let seen_by = |pid| seen_by(pid, path, *everybodys);
            all.iter().rev().find_map(seen_by)
        };
        self.in_memory.iter().filter_map(of_place).sum()
    }
}

/// The processes and threads of an engine below its keeper, and its memory in bytes, as far as that is looked at quickly.
pub(super) fn tally(keeper: Pid) -> (u64, u64) {
    let all = family::descendants(keeper);
    let threads = all.iter().map(|pid| threads(*pid).unwrap_or(1)).sum();
    let memory = all.iter().filter_map(|pid| resident(*pid)).sum();
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
    let stat = fs::read_to_string(of_process(of).join("stat")).ok()?;
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
    let status = fs::read_to_string(process.join("status")).unwrap_or_default();
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    users.is_some_and(|users| users.split_whitespace().all(|id| id.parse() == Ok(user)))
}

/// Bytes that a process, and those that it has buried, had the kernel write to disks.
fn written(of: Pid) -> io::Result<u64> {
    let counts = fs::read_to_string(of_process(of).join("io"))?;
    let count = |name: &str| -> Option<u64> {
        let line = counts.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse().ok()
    };
    let written = || Some(count("write_bytes:")?.saturating_sub(count("cancelled_write_bytes:")?));
    written().ok_or(ErrorKind::InvalidData.into())
}

/// Bytes of a process that are in memory.
fn resident(of: Pid) -> Option<u64> {
    of_memory(of, |thread| {
        let counts = fs::read_to_string(thread.join("statm")).ok()?;
        let pages: u64 = counts.split(' ').nth(1)?.parse().ok()?;
        (pages > 0).then(|| pages * rustix::param::page_size() as u64)
    })
}

/// Bytes of a process that the machine has put on a disk.
fn swapped(of: Pid) -> Option<u64> {
    of_memory(of, |thread| {
        kibibytes(&fs::read_to_string(thread.join("status")).ok()?, "VmSwap:")
    })
}

/// The memory of a process, of what is shared by several its part.
#[derive(Clone, Copy, Debug)]
struct Parts {
    all: u64,
    /// What is in files in memory; part of it all.
    shared: u64,
    swapped: u64,
}

/// All of it where the kernel does not tell its part.
fn parts(of: Pid) -> Option<Parts> {
    let told = of_memory(of, |thread| {
        let rolled_up = fs::read_to_string(thread.join("smaps_rollup")).ok()?;
        let part = |name| kibibytes(&rolled_up, name);
        Some(Parts {
            all: part("Pss:")?,
            shared: part("Pss_Shmem:").unwrap_or(0),
            swapped: part("SwapPss:").unwrap_or(0),
        })
    });
    let whole = || {
        Some(Parts {
            all: resident(of)?,
            shared: 0,
            swapped: swapped(of).unwrap_or(0),
        })
    };
    told.or_else(whole)
}

/// A figure of a list of names and numbers of kB, in bytes.
fn kibibytes(list: &str, name: &str) -> Option<u64> {
    let line = list.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// What is told of the memory of a process: by the process itself or, where its first thread has ended and tells nothing, by
/// another of its threads.
fn of_memory<T>(of: Pid, told: impl Fn(&Path) -> Option<T>) -> Option<T> {
    let process = of_process(of);
    told(&process).or_else(|| {
        let threads = fs::read_dir(process.join("task")).ok()?;
        threads.flatten().find_map(|thread| told(&thread.path()))
    })
}

/// What files without a name hold in memory that these have open (`memfd_create`), mapped or not.
fn open_in_memory(all: &[Pid]) -> u64 {
    let mut found = BTreeMap::new();
    for pid in all {
        let open = fs::read_dir(of_process(*pid).join("fd"))
            .into_iter()
            .flatten()
            .flatten();
        for descriptor in open.map(|entry| entry.path()) {
            let leads_to = fs::read_link(&descriptor).unwrap_or_default();
            if leads_to.to_string_lossy().starts_with("/memfd:")
                && let Ok(file) = fs::metadata(&descriptor)
            {
                found.insert((file.dev(), file.ino()), file.blocks() * 512);
            }
        }
    }
    found.values().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance() -> Allowance {
        Allowance::UNLIMITED
    }

    fn meter(allowance: Allowance) -> Meter {
        Meter::new(rustix::process::getpid(), allowance, 0, &[], &[])
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
        let (tasks, has) = (threads(pid), resident(pid));
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

    #[test]
    fn what_everybody_has_is_nobodys_memory() {
        let own = rustix::process::getpid();
        let meter = Meter::new(own, allowance(), 0, &["/tmp", "/dev/shm"], &[]);
        assert_eq!(meter.in_places_in_memory(&[own]), 0);
        // As it looks where the agent has it for itself.
        let in_memory = vec![("/", None)];
        assert!(Meter { in_memory, ..meter }.in_places_in_memory(&[own]) > 0);
    }

    #[test]
    fn files_without_a_name_in_memory_count_once() {
        let own = rustix::process::getpid();
        let before = open_in_memory(&[own]);
        let file = rustix::fs::memfd_create("meter", rustix::fs::MemfdFlags::CLOEXEC).expect("a file in memory");
        let _other = file.try_clone().expect("a descriptor");
        rustix::io::write(&file, &[7; 100_000]).expect("there is room");
        let after = open_in_memory(&[own, own]);
        assert!(
            after >= before + 100_000 && after < before + 200_000,
            "{before}, {after}"
        );
    }
}
