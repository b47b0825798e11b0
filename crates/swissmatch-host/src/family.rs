//! The processes below this one: finding them, and ending them all.
//!
//! For the keeper and the guard, which are child subreapers: a process orphaned below them becomes their child.

use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions};
use rustix::thread::Timespec;

use super::proc;

/// The pause between two rounds of killing, while the kernel hands over orphans: a millisecond, or until a child ends
/// if this process hears of that.
const PAUSE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 1_000_000,
};

/// Children of process `of`: by the kernel's list for each of its threads or, if the kernel keeps none, by the parent
/// that every process names.
pub(super) fn children(of: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let Ok(threads) = std::fs::read_dir(format!("/proc/{}/task", of.as_raw_nonzero())) else {
        return found;
    };
    for thread in threads.flatten() {
        match proc::text(thread.path().join("children")) {
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

/// The parent of a process, `Some(None)` for the first process; `None` if the process no longer exists.
fn parent(of: Pid) -> Option<Option<Pid>> {
    field(of, 1).map(|parent| pid(&parent))
}

/// True if a signal has stopped a process.
pub(super) fn is_stopped(process: Pid) -> bool {
    field(process, 0).is_some_and(|state| state == "T")
}

/// A field of the kernel's status of a process, counted from 0 after its name; `None` if the process no longer exists.
fn field(of: Pid, number: usize) -> Option<String> {
    let stat = proc::text(format!("/proc/{}/stat", of.as_raw_nonzero())).ok()?;
    // PID (NAME) STATE PARENT …; a name may hold anything, even parentheses.
    Some(stat.rsplit_once(") ")?.1.split(' ').nth(number)?.to_owned())
}

/// True if a process is below `root`; `None` if that cannot be told, because it or a process between them has gone.
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

fn pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

/// All processes below `root`, parents before children.
pub(super) fn descendants(root: Pid) -> Vec<Pid> {
    with_children(root, usize::MAX)
        .into_iter()
        .map(|(pid, _)| pid)
        .collect()
}

/// Like [`descendants`], each with its number of children. If there are more than `enough`, only some of them, but more
/// than `enough`.
pub(super) fn with_children(root: Pid, enough: usize) -> Vec<(Pid, usize)> {
    let new = |children: Vec<Pid>| children.into_iter().map(|child| (child, 0));
    let mut all: Vec<(Pid, usize)> = new(children(root)).collect();
    let mut next = 0;
    while let Some(&(pid, _)) = all.get(next).filter(|_| all.len() <= enough) {
        let children = children(pid);
        all[next].1 = children.len();
        all.extend(new(children));
        next += 1;
    }
    all
}

/// The most rounds of stopping: each stops what processes started that had not been stopped yet.
const ROUNDS: usize = 10;

/// Stops everything below `root`, until no process runs that could start another.
pub(super) fn stop_all(root: Pid) {
    for _ in 0..ROUNDS {
        let running: Vec<Pid> = descendants(root).into_iter().filter(|pid| runs(*pid)).collect();
        if running.is_empty() {
            break;
        }
        for pid in running {
            let _ = rustix::process::kill_process(pid, Signal::STOP);
        }
    }
}

/// Continues everything below `root`.
pub(super) fn go_on(root: Pid) {
    for pid in descendants(root) {
        let _ = rustix::process::kill_process(pid, Signal::CONT);
    }
}

/// True if a process is neither stopped nor dead.
fn runs(of: Pid) -> bool {
    let stat = proc::text(format!("/proc/{}/stat", of.as_raw_nonzero())).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| !matches!(state, 'T' | 't' | 'Z' | 'X'))
}

/// Kills everything below this process until no child is left, or `patience` is over. Returns whether nothing is left.
/// It stops everything first, so that a tree that forks cannot outrun the killing.
pub(super) fn kill_all(patience: Duration) -> bool {
    let until = Instant::now() + patience;
    loop {
        let all = descendants(rustix::process::getpid());
        for signal in [Signal::STOP, Signal::KILL] {
            for &pid in &all {
                // A process that has already gone is as good as killed.
                let _ = rustix::process::kill_process(pid, signal);
            }
        }
        if reap_all() {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        // A signal ends it early.
        let _ = rustix::thread::nanosleep(&PAUSE);
    }
}

/// Reaps every child that has ended. Returns whether no child is left.
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
