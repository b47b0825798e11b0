//! Processes below this one: who they are, and the end of them all.
//!
//! For the keeper and the guard, which are child subreapers: whatever is orphaned below them becomes their child.

use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions};

/// Pause between two rounds of killing, while the kernel hands over orphans.
const PAUSE: Duration = Duration::from_millis(1);

/// Children of process `of`, by the kernel's list of each of its threads.
fn children(of: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let Ok(threads) = std::fs::read_dir(format!("/proc/{}/task", of.as_raw_nonzero())) else {
        return found;
    };
    for thread in threads.flatten() {
        let list = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        found.extend(
            list.split_ascii_whitespace()
                .filter_map(|pid| Pid::from_raw(pid.parse().ok()?)),
        );
    }
    found
}

/// All processes below `root`, parents before children.
fn descendants(root: Pid) -> Vec<Pid> {
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
        std::thread::sleep(PAUSE);
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
