//! The threads of an engine's processes: how long each ran, and how long it was ready to run and was not run, by the kernel's
//! own count.
//!
//! Reading it costs some files a thread. May not: be asked where an answer is waited for by the microsecond.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::process::{Pid, getpid};

use super::delay;
use crate::family;
use crate::group::Group;
use crate::usage::several::{Seen, thinkers};

/// A hundredth of a second: the kernel's unit of processor time of whole processes.
const TICK: Duration = Duration::from_millis(10);

/// Where all processes of an engine are: below a keeper, and in a control group, where they have one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whose<'a> {
    pub(super) keeper: Pid,
    pub(super) group: Option<&'a Group>,
    /// Whether they have been several that may think, where they have no group.
    pub(super) are_several: bool,
    /// Its threads, once they are known, where it is a program of ours that starts nobody: they are the same until its end.
    pub(super) fixed: Option<&'a OnceLock<Vec<i32>>>,
}

/// The counts of a tree of processes at one time.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// When it was taken.
    at: Instant,
    /// Of each thread what it ran and what it waited, since it began.
    threads: BTreeMap<i32, (Duration, Duration)>,
    /// Its processes, where they have no control group, with what their first threads ran.
    processes: HashMap<Pid, Seen<Option<Duration>>>,
    /// What all its processes ran, and those that they have buried.
    ticks: u64,
    /// What everybody in its control group ran, whoever they were, where it has one.
    group: Option<Duration>,
    are_several: bool,
}

/// What the threads of a tree did between two times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Did {
    pub(super) longest_wait: Duration,
    pub(super) waits: Duration,
    pub(super) ran: Duration,
}

/// What the threads of a tree ran, of a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// How long they ran.
    pub ran: Duration,
    /// How long the time was.
    pub of: Duration,
}

impl std::ops::AddAssign for Ran {
    fn add_assign(&mut self, more: Self) {
        self.ran += more.ran;
        self.of += more.of;
    }
}

impl Tree {
    /// The tree of an engine as it is now.
    pub(super) fn of(engine: Whose<'_>) -> Self {
        match engine.fixed {
            Some(fixed) => Self::of_threads(fixed.get_or_init(|| threads_below(engine.keeper))),
            None => Self::of_anybody(engine),
        }
    }

    /// That of a program that has these threads and starts none. There may be hundreds of such programs at once, each asked every few
    /// seconds: what they all run is little, and so has to be what it costs to know it.
    fn of_threads(threads: &[i32]) -> Self {
        let at = Instant::now();
        let counts = threads.iter().map(|thread| Some((*thread, delay::of_thread(*thread)?)));
        Self {
            at,
            threads: counts.flatten().collect(),
            processes: HashMap::new(),
            ticks: 0,
            group: None,
            are_several: false,
        }
    }

    fn of_anybody(engine: Whose<'_>) -> Self {
        let mut tree = Self {
            at: Instant::now(),
            threads: BTreeMap::new(),
            processes: HashMap::new(),
            ticks: 0,
            group: engine.group.and_then(Group::ran),
            are_several: engine.are_several,
        };
        for (pid, children) in family::with_children(engine.keeper, usize::MAX) {
            let process = pid.as_raw_nonzero();
            let mut seen = Seen {
                threads: 0,
                children,
                ran: None,
            };
            tree.ticks += ticks(&format!("/proc/{process}/stat")).unwrap_or(0);
            let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
                continue;
            };
            for thread in threads.flatten() {
                let number = thread.file_name().to_string_lossy().parse();
                let counts = fs::read(thread.path().join("schedstat")).ok();
                if let (Ok(number), Some(counts)) = (number, counts.as_deref().and_then(delay::counts)) {
                    tree.threads.insert(number, counts);
                    seen.threads += 1;
                    seen.ran = Some(counts.0).filter(|_| number == process.get()).or(seen.ran);
                }
            }
            if engine.group.is_none() {
                tree.processes.insert(pid, seen);
            }
        }
        tree
    }

    /// What was done since `before`, in `time`. No thread can have waited for longer than it did not run in that time: what it
    /// had waited before comes to be counted when it runs. Who has made itself less urgent than the runner waits by its own
    /// will. Of an engine of several processes no wait is known without a control group: those of them that come and go, whom nobody
    /// counts, may have kept the others waiting.
    pub(super) fn did_since(&self, before: &Self, time: Duration) -> Did {
        let mut did = Did::default();
        let nice = niceness(&format!("/proc/{}/stat", getpid().as_raw_nonzero()));
        for (thread, &(ran, waited)) in &self.threads {
            let (ran_before, waited_before) = before.threads.get(thread).copied().unwrap_or_default();
            let ran = ran.saturating_sub(ran_before);
            let waited = waited.saturating_sub(waited_before).min(time.saturating_sub(ran));
            did.ran += ran;
            // Most threads do nothing.
            let niceness = || niceness(&format!("/proc/{thread}/stat"));
            if waited > Duration::ZERO && niceness().is_none_or(|it| nice.is_none_or(|ours| it <= ours)) {
                did.waits += waited;
                did.longest_wait = did.longest_wait.max(waited);
            }
        }
        did.ran = self.all_since(before, did.ran);
        if self.are_several || thinkers(&before.processes, &self.processes) > 1 {
            (did.waits, did.longest_wait) = (Duration::ZERO, Duration::ZERO);
        }
        did
    }

    /// How long all of them ran since `before`, and how long ago that was.
    pub(super) fn ran_since(&self, before: &Self) -> Ran {
        let ran = self.threads.iter().map(|(thread, (ran, _))| {
            let (ran_before, _) = before.threads.get(thread).copied().unwrap_or_default();
            ran.saturating_sub(ran_before)
        });
        Ran {
            ran: self.all_since(before, ran.sum()),
            of: self.at.saturating_duration_since(before.at),
        }
    }

    /// What all of them ran, those that have ended in between among them, of which the threads that are there ran so much. The count
    /// of the group has everybody; without one whoever nobody buries is missed, and what is counted in ticks is known by the tick.
    fn all_since(&self, before: &Self, ran: Duration) -> Duration {
        if let (Some(now), Some(then)) = (self.group, before.group) {
            return ran.max(now.saturating_sub(then));
        }
        let ticks = self.ticks.saturating_sub(before.ticks).saturating_sub(1);
        ran.max(TICK.saturating_mul(u32::try_from(ticks).unwrap_or(u32::MAX)))
    }
}

/// The threads of all processes below a keeper.
fn threads_below(keeper: Pid) -> Vec<i32> {
    let tasks = family::descendants(keeper).into_iter();
    let tasks = tasks.filter_map(|pid| fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).ok());
    let threads = tasks.flatten().flatten();
    threads
        .filter_map(|thread| thread.file_name().to_string_lossy().parse().ok())
        .collect()
}

/// The fields of a `stat` after the name, which may hold anything.
fn after_name(path: &str) -> Option<String> {
    let stat = fs::read_to_string(path).ok()?;
    Some(stat.rsplit_once(") ")?.1.to_owned())
}

/// `utime`, `stime`, `cutime` and `cstime`.
fn ticks(path: &str) -> Option<u64> {
    let stat = after_name(path)?;
    let times = stat.split(' ').skip(11).take(4);
    Some(times.filter_map(|time| time.parse::<u64>().ok()).sum())
}

/// `nice`, higher for what is less urgent.
fn niceness(path: &str) -> Option<i32> {
    after_name(path)?.split(' ').nth(16)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn tree(threads: &[(i32, u64, u64)], ticks: u64) -> Tree {
        let threads = threads
            .iter()
            .map(|&(thread, ran, waited)| (thread, (ms(ran), ms(waited))));
        Tree {
            at: Instant::now(),
            threads: threads.collect(),
            processes: HashMap::new(),
            ticks,
            group: None,
            are_several: false,
        }
    }

    #[test]
    fn what_was_done_between_two_times() {
        // Numbers of this process: its priority is the runner's.
        let me = getpid().as_raw_nonzero().get();
        let before = tree(&[(me, 100, 50)], 10);
        let did = tree(&[(me, 150, 90)], 15).did_since(&before, ms(100));
        assert_eq!((did.longest_wait, did.waits, did.ran), (ms(40), ms(40), ms(50)));
        // A wait that began long before.
        let did = tree(&[(me, 150, 10_000)], 15).did_since(&before, ms(100));
        assert_eq!((did.longest_wait, did.ran), (ms(50), ms(50)));
        // Others ran and have ended.
        let did = tree(&[(me, 150, 50)], 40).did_since(&before, ms(100));
        assert_eq!((did.longest_wait, did.ran), (ms(0), ms(290)));
        // A thread that is new, and has ended since.
        let did = tree(&[(i32::MAX, 50, 50)], 15).did_since(&before, ms(100));
        assert_eq!((did.longest_wait, did.ran), (ms(50), ms(50)));
    }

    #[test]
    fn this_process_is_read() {
        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .spawn()
            .expect("sleep starts");
        let fixed = OnceLock::new();
        let trees = [None, Some(&fixed), Some(&fixed)].map(|fixed| {
            Tree::of(Whose {
                keeper: getpid(),
                group: None,
                are_several: false,
                fixed,
            })
        });
        let pid = i32::try_from(child.id()).expect("a pid");
        let are_there = trees.each_ref().map(|tree| tree.threads.contains_key(&pid));
        child.kill().and_then(|()| child.wait()).expect("sleep ends");
        assert_eq!(are_there, [true; 3], "{trees:?}");
        assert!(fixed.get().is_some_and(|threads| threads.contains(&pid)));
        assert!(niceness("/proc/self/stat").is_some() && ticks("/proc/self/stat").is_some());
    }
}
