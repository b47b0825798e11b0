//! Processes below this one: who they are, and the end of them all.
//!
//! For the keeper and the guard, which are child subreapers: whatever is orphaned below them becomes their child.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions};
use rustix::thread::Timespec;

/// Pause between two rounds of killing, while the kernel hands over orphans: a millisecond, or until a child ends where this
/// process hears of that.
const PAUSE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 1_000_000,
};

/// Children of process `of`: by the kernel's list of each of its threads, or, where the kernel keeps none, by the parent that
/// every process names.
fn children(of: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let Ok(threads) = std::fs::read_dir(format!("/proc/{}/task", of.as_raw_nonzero())) else {
        return found;
    };
    for thread in threads.flatten() {
        match std::fs::read_to_string(thread.path().join("children")) {
            Ok(list) => found.extend(list.split_ascii_whitespace().filter_map(pid)),
            Err(_) if thread.path().exists() => return children_by_parent(of),
            // The thread ended in between.
            Err(_) => {}
        }
    }
    found
}

fn children_by_parent(of: Pid) -> Vec<Pid> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let named = processes.flatten().filter_map(|process| {
        let process = pid(&process.file_name().to_string_lossy())?;
        (parent(process)? == Some(of)).then_some(process)
    });
    named.collect()
}

/// The parent of a process, `Some(None)` of the first; `None` where there is no such process any more.
fn parent(of: Pid) -> Option<Option<Pid>> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", of.as_raw_nonzero())).ok()?;
    // PID (NAME) STATE PARENT …; a name may hold anything, parentheses too.
    Some(pid(stat.rsplit_once(") ")?.1.split(' ').nth(1)?))
}

/// Whether a process is below `root`; `None` where that cannot be told, because it or one between them has gone.
pub(super) fn is_below(process: Pid, root: Pid) -> Option<bool> {
    let mut next = process;
    while let Some(above) = parent(next)? {
        if above == root {
            return Some(true);
        }
        next = above;
    }
    Some(false)
}

/// How many bytes of memory the processes below `root` have together. What several of them share is counted once where that
/// decides whether it is more than `most`.
pub(super) fn memory_below(root: Pid, most: u64) -> u64 {
    let all = descendants(root);
    let sum = |of: fn(Pid) -> Option<u64>| all.iter().filter_map(|pid| of(*pid)).sum();
    let resident: u64 = sum(resident);
    match resident > most {
        true => sum(proportional),
        false => resident,
    }
}

/// Bytes of a process that are in memory.
fn resident(of: Pid) -> Option<u64> {
    of_memory(of, |thread| {
        let counts = std::fs::read_to_string(thread.join("statm")).ok()?;
        let pages: u64 = counts.split(' ').nth(1)?.parse().ok()?;
        Some(pages * rustix::param::page_size() as u64)
    })
}

/// The same, of what is shared by several its part; all of it where the kernel does not tell that.
fn proportional(of: Pid) -> Option<u64> {
    let part = of_memory(of, |thread| {
        let sums = std::fs::read_to_string(thread.join("smaps_rollup")).ok()?;
        let part = sums.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        Some(part.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    });
    part.or_else(|| resident(of))
}

/// What is told of the memory of a process: by the process itself or, where its first thread has ended and knows of none, by
/// another of its threads.
fn of_memory(of: Pid, told: impl Fn(&Path) -> Option<u64>) -> Option<u64> {
    let process = PathBuf::from(format!("/proc/{}", of.as_raw_nonzero()));
    let first = told(&process);
    first.filter(|bytes| *bytes > 0).or_else(|| {
        let threads = std::fs::read_dir(process.join("task")).ok()?;
        threads.flatten().filter_map(|thread| told(&thread.path())).max()
    })
}

fn pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

/// All processes below `root`, parents before children.
pub(super) fn descendants(root: Pid) -> Vec<Pid> {
    let mut all = children(root);
    let mut next = 0;
    while let Some(&pid) = all.get(next) {
        all.extend(children(pid));
        next += 1;
    }
    all
}

/// Kills everything below this process until no child is left, or until `patience` is over.
/// Returns whether nothing is left. Stops all first, so that a tree that forks cannot outrun the killing.
pub(super) fn kill_all(patience: Duration) -> bool {
    let until = Instant::now() + patience;
    loop {
        let all = descendants(rustix::process::getpid());
        for signal in [Signal::STOP, Signal::KILL] {
            for &pid in &all {
                // Gone already is as good as killed.
                let _ = rustix::process::kill_process(pid, signal);
            }
        }
        if reap_all() {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        // A signal ends it before its time.
        let _ = rustix::thread::nanosleep(&PAUSE);
    }
}

/// Reaps every child that has ended. Returns whether no child is left at all.
fn reap_all() -> bool {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return false,
            Err(_) => return true,
        }
    }
}

/// Kills and reaps every child but `spared`, with all below them: orphans that were handed to this process.
pub(super) fn kill_orphans(spared: Pid) {
    for child in children(rustix::process::getpid()) {
        if child == spared {
            continue;
        }
        for pid in descendants(child).into_iter().chain([child]) {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
        let _ = rustix::process::waitpid(Some(child), WaitOptions::NOHANG);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_finding_children_agree() {
        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .spawn()
            .expect("sleep starts");
        let (me, of_child) = (rustix::process::getpid(), Pid::from_child(&child));
        let found = [children(me), children_by_parent(me)].map(|children| children.contains(&of_child));
        let below = [(of_child, me), (me, of_child), (me, me)].map(|(process, root)| is_below(process, root));
        child.kill().and_then(|()| child.wait()).expect("sleep ends");
        assert_eq!(found, [true, true]);
        assert_eq!(below, [Some(true), Some(false), Some(false)]);
        assert_eq!(is_below(of_child, me), None);
    }
}
