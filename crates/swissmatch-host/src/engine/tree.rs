//! The threads of an engine's processes: how long each ran, and how long it was ready to run without being run, by the
//! kernel's own count.
//!
//! Reading it costs a file for each thread, and without a control group, which lists them all, some more for each
//! process. May not: be asked where an answer is waited for by the microsecond.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::process::{Pid, getpriority_process};

use super::delay;
use crate::family;
use crate::group::Group;
use crate::proc;
use crate::usage::several::{ProcessSample, thinkers};

/// A hundredth of a second: the kernel's unit of processor time for whole processes.
const TICK: Duration = Duration::from_millis(10);

/// Where all processes of an engine are: below a keeper, and in a control group if they have one.
#[derive(Clone, Copy, Debug)]
pub(super) struct EngineProcesses<'a> {
    pub(super) keeper: Pid,
    pub(super) group: Option<&'a Group>,
    /// The processes that made its namespaces and wait for its end; they are not its own.
    pub(super) helpers: &'a [Pid],
    /// If they have no group: there have been several that may think.
    pub(super) are_several: bool,
    /// Its threads, once known, if it is a program of ours that starts no process: they stay the same until its end.
    pub(super) fixed: Option<&'a OnceLock<Vec<i32>>>,
}

/// The counts of a tree of processes at one time.
#[derive(Clone, Debug)]
pub(super) struct TreeCounts {
    /// When they were taken.
    at: Instant,
    /// For each thread how long it ran and how long it waited, since it began.
    threads: BTreeMap<i32, (Duration, Duration)>,
    all: All,
}

/// What is known about all its processes together.
#[derive(Clone, Debug)]
enum All {
    /// What all processes in its control group ran, whichever they were.
    Group(Duration),
    Without {
        /// With what their first threads ran.
        processes: HashMap<Pid, ProcessSample<Option<Duration>>>,
        /// What they ran, including children that they have reaped.
        ticks: u64,
        are_several: bool,
    },
}

/// What the threads of a tree did between two times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Did {
    pub(super) longest_wait: Duration,
    pub(super) waits: Duration,
    pub(super) ran: Duration,
}

/// How long the threads of a tree ran in a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// How long they ran.
    pub ran: Duration,
    /// The length of the period.
    pub of: Duration,
}

impl std::ops::AddAssign for Ran {
    fn add_assign(&mut self, more: Self) {
        self.ran += more.ran;
        self.of += more.of;
    }
}

impl EngineProcesses<'_> {
    fn threads(&self) -> Vec<i32> {
        let in_group = self.group.and_then(|group| threads_in(group, self.helpers));
        in_group.map_or_else(|| threads_below(self.keeper), Iterator::collect)
    }

    /// True if all its threads wait for something.
    pub(super) fn is_idle(&self) -> bool {
        let is_busy = |thread: &i32| {
            let stat = after_name(&format!("/proc/{thread}/stat"));
            stat.is_some_and(|stat| stat.starts_with(['R', 'D']))
        };
        !self.threads().iter().any(is_busy)
    }
}

impl TreeCounts {
    /// The counts of an engine's tree as it is now.
    pub(super) fn of(engine: EngineProcesses<'_>) -> Self {
        match engine.fixed {
            Some(fixed) => Self::of_threads(fixed.get_or_init(|| threads_below(engine.keeper))),
            None => Self::of_anybody(engine),
        }
    }

    /// The counts of a program that has these threads and starts none. There may be hundreds of such programs at once,
    /// each asked every few seconds: what they run is little, and measuring it must not cost more.
    fn of_threads(threads: &[i32]) -> Self {
        Self {
            at: Instant::now(),
            threads: counts_of_all(threads.iter().copied()),
            all: All::Without {
                processes: HashMap::new(),
                ticks: 0,
                are_several: false,
            },
        }
    }

    fn of_anybody(engine: EngineProcesses<'_>) -> Self {
        let in_group = engine.group.and_then(|group| Self::in_group(group, engine.helpers));
        in_group.unwrap_or_else(|| Self::below(engine.keeper, engine.are_several))
    }

    /// The counts of all processes in a group except the helpers; `None` if the kernel does not list them.
    fn in_group(group: &Group, helpers: &[Pid]) -> Option<Self> {
        let (at, ran) = (Instant::now(), group.ran()?);
        Some(Self {
            at,
            threads: counts_of_all(threads_in(group, helpers)?),
            all: All::Group(ran),
        })
    }

    /// The counts of all processes below a keeper.
    fn below(keeper: Pid, are_several: bool) -> Self {
        let at = Instant::now();
        let (mut threads, mut processes, mut all_ticks) = (BTreeMap::new(), HashMap::new(), 0);
        for (pid, children) in family::with_children(keeper, usize::MAX) {
            let process = pid.as_raw_nonzero();
            let mut seen = ProcessSample {
                threads: 0,
                children,
                ran: None,
            };
            all_ticks += ticks(&format!("/proc/{process}/stat")).unwrap_or(0);
            let Ok(listed) = fs::read_dir(format!("/proc/{process}/task")) else {
                continue;
            };
            for thread in listed.flatten() {
                let number = thread.file_name().to_string_lossy().parse();
                if let (Ok(number), Some(counts)) = (number, counts_of(thread.path().join("schedstat"))) {
                    threads.insert(number, counts);
                    seen.threads += 1;
                    seen.ran = Some(counts.0).filter(|_| number == process.get()).or(seen.ran);
                }
            }
            processes.insert(pid, seen);
        }
        Self {
            at,
            threads,
            all: All::Without {
                processes,
                ticks: all_ticks,
                are_several,
            },
        }
    }

    /// What was done in `time`, since `before`. No thread can have waited for longer than it did not run in that time;
    /// an earlier wait is only counted when the thread runs. A process that made itself less urgent than the runner
    /// waits by its own choice. For an engine of several processes no wait is known without a control group: processes
    /// that come and go, and that nobody counts, may have kept the others waiting.
    pub(super) fn did_since(&self, before: &Self, time: Duration) -> Did {
        let mut did = Did::default();
        let niceness = |of| getpriority_process(of).ok();
        let ours = niceness(None);
        let is_as_urgent = |thread: i32| {
            let its = niceness(Pid::from_raw(thread));
            its.is_none_or(|its| ours.is_none_or(|ours| its <= ours))
        };
        for (thread, &(ran, waited)) in &self.threads {
            let (ran_before, waited_before) = before.threads.get(thread).copied().unwrap_or_default();
            let ran = ran.saturating_sub(ran_before);
            let waited = waited.saturating_sub(waited_before).min(time.saturating_sub(ran));
            did.ran += ran;
            // Most threads do nothing.
            if waited > Duration::ZERO && is_as_urgent(*thread) {
                did.waits += waited;
                did.longest_wait = did.longest_wait.max(waited);
            }
        }
        did.ran = self.all_since(before, did.ran);
        if self.were_several_since(before) {
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

    /// What all of them ran, including those that have ended since; the threads still there ran `ran`. A group's count
    /// has all of them. Without one, processes that nobody reaps are missed, and what is counted in ticks is only known
    /// to the tick.
    fn all_since(&self, before: &Self, ran: Duration) -> Duration {
        match (&self.all, &before.all) {
            (All::Group(now), All::Group(then)) => ran.max(now.saturating_sub(*then)),
            (All::Without { ticks: now, .. }, All::Without { ticks: then, .. }) => {
                let ticks = now.saturating_sub(*then).saturating_sub(1);
                ran.max(TICK.saturating_mul(u32::try_from(ticks).unwrap_or(u32::MAX)))
            }
            // One of the two could not be read.
            _ => ran,
        }
    }

    /// True if there were several that may have thought since `before`, and nobody counts what short-lived ones ran.
    fn were_several_since(&self, before: &Self) -> bool {
        match (&self.all, &before.all) {
            (
                All::Without {
                    processes, are_several, ..
                },
                All::Without { processes: then, .. },
            ) => *are_several || thinkers(then, processes) > 1,
            (All::Without { are_several, .. }, All::Group(_)) => *are_several,
            (All::Group(_), _) => false,
        }
    }
}

/// What a thread ran and waited, by its `schedstat`.
fn counts_of(path: impl AsRef<Path>) -> Option<(Duration, Duration)> {
    delay::counts(&proc::read(path).ok()?)
}

/// The counts of those of these threads that still exist.
fn counts_of_all(threads: impl Iterator<Item = i32>) -> BTreeMap<i32, (Duration, Duration)> {
    let counted = threads.filter_map(|thread| Some((thread, counts_of(format!("/proc/{thread}/schedstat"))?)));
    counted.collect()
}

/// The threads of all processes in a group except the helpers; `None` if the kernel does not list them.
fn threads_in(group: &Group, helpers: &[Pid]) -> Option<impl Iterator<Item = i32>> {
    let is_a_helper = |thread: &i32| helpers.iter().any(|pid| pid.as_raw_nonzero().get() == *thread);
    Some(group.threads()?.into_iter().filter(move |thread| !is_a_helper(thread)))
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
    let stat = proc::text(path).ok()?;
    Some(stat.rsplit_once(") ")?.1.to_owned())
}

/// `utime`, `stime`, `cutime` and `cstime`.
fn ticks(path: &str) -> Option<u64> {
    let stat = after_name(path)?;
    let times = stat.split(' ').skip(11).take(4);
    Some(times.filter_map(|time| time.parse::<u64>().ok()).sum())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use rustix::process::getpid;
    use swissmatch_game::resource::Allowance;

    use super::*;
    use crate::group::groups;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn tree(threads: &[(i32, u64, u64)], ticks: u64) -> TreeCounts {
        let threads = threads
            .iter()
            .map(|&(thread, ran, waited)| (thread, (ms(ran), ms(waited))));
        TreeCounts {
            at: Instant::now(),
            threads: threads.collect(),
            all: All::Without {
                processes: HashMap::new(),
                ticks,
                are_several: false,
            },
        }
    }

    #[test]
    fn what_was_done_between_two_times() {
        // Numbers of this process, so that its priority is the runner's.
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
        // A thread that is new, and one that has ended since.
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
            TreeCounts::of(EngineProcesses {
                keeper: getpid(),
                group: None,
                helpers: &[],
                are_several: false,
                fixed,
            })
        });
        let pid = i32::try_from(child.id()).expect("a pid");
        let are_there = trees.each_ref().map(|tree| tree.threads.contains_key(&pid));
        child.kill().and_then(|()| child.wait()).expect("sleep ends");
        assert_eq!(are_there, [true; 3], "{trees:?}");
        assert!(fixed.get().is_some_and(|threads| threads.contains(&pid)));
        assert!(ticks("/proc/self/stat").is_some());
    }

    #[test]
    fn a_group_has_the_same_threads_but_for_those_that_are_none_of_the_engines() {
        let Ok(groups) = groups() else { return };
        let group = groups.make(Allowance::UNLIMITED, 0).expect("a group");
        let started = || Command::new("sleep").arg("30").spawn().expect("sleep starts");
        let mut children = [started(), started(), started()];
        for child in &children[..2] {
            let pid = child.id().to_string();
            std::fs::write(group.path().join("cgroup.procs"), pid).expect("it is moved");
        }
        let pids = children.each_ref().map(Pid::from_child);
        let tree = |helpers: &[Pid]| {
            let tree = TreeCounts::of(EngineProcesses {
                keeper: getpid(),
                group: Some(&group),
                helpers,
                are_several: false,
                fixed: None,
            });
            assert!(matches!(tree.all, All::Group(_)), "{tree:?}");
            tree.threads.into_keys().collect::<Vec<_>>()
        };
        let seen = [tree(&[]), tree(&pids[..1])];
        for child in &mut children {
            child.kill().and_then(|()| child.wait()).expect("sleep ends");
        }
        let [one, other, _] = pids.map(|pid| pid.as_raw_nonzero().get());
        let mut both = vec![one, other];
        both.sort_unstable();
        assert_eq!(seen, [both, vec![other]]);
    }
}
