//! Limits, priorities and cores, of others and its own.
#![expect(clippy::disallowed_methods, reason = "it reads and writes /proc")]

use std::fs;

use rustix::process::{Pid, Resource, Rlimit, getpriority_process, prlimit, setpriority_process};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::means::Means;
use super::others::{self, Role};
use super::outcome::{Failed, Tried, program, succeeds};
use super::signals::pid;

/// Bounds both the limit that counts and the highest that may be set.
fn limit(role: Role, means: &Means, resource: Resource, most: u64) -> Tried {
    others::each(role, means.others.as_deref(), |number| {
        let most = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        prlimit(Some(pid(number)?), resource, most)?;
        Ok(format!("{resource:?} limited"))
    })
}

/// So that the player's next file grows no more.
pub(super) fn limit_player(means: &Means, _: &str) -> Tried {
    limit(Role::Player, means, Resource::Fsize, 4_096)
}

pub(super) fn limit_guard(means: &Means, _: &str) -> Tried {
    limit(Role::Guard, means, Resource::Fsize, 4_096)
}

pub(super) fn limit_other(means: &Means, _: &str) -> Tried {
    limit(Role::Other, means, Resource::Cpu, 1)
}

pub(super) fn renice_other(means: &Means, _: &str) -> Tried {
    others::each(Role::Other, means.others.as_deref(), |number| {
        let other = pid(number)?;
        setpriority_process(Some(other), 19)?;
        match getpriority_process(Some(other))? {
            19 => Ok("niceness 19".to_owned()),
            still => Err(Failed::Refused(format!("niceness is still {still}"))),
        }
    })
}

/// Puts a process on the cores given, and looks whether it is there: a filter may answer that it is when it is not.
fn pin(process: Option<Pid>, cores: &CpuSet) -> Result<(), Failed> {
    sched_setaffinity(process, cores)?;
    match sched_getaffinity(process)? == *cores {
        true => Ok(()),
        false => Err(Failed::refused("the cores are the same as before")),
    }
}

/// The first core of these, alone.
fn first(cores: &CpuSet) -> CpuSet {
    let mut one = CpuSet::new();
    if let Some(core) = (0..CpuSet::MAX_CPU).find(|core| cores.is_set(*core)) {
        one.set(core);
    }
    one
}

pub(super) fn pin_other(means: &Means, _: &str) -> Tried {
    others::each(Role::Other, means.others.as_deref(), |number| {
        let other = pid(number)?;
        let before = sched_getaffinity(Some(other))?;
        if before.count() < 2 {
            return Err(Failed::untried("it has one core"));
        }
        pin(Some(other), &first(&before)).map(|()| "pinned to one core".to_owned())
    })
}

/// Takes every core of the machine, or where it has them all another set: whether its own cores are its own to choose.
pub(super) fn choose_cores(_: &Means, _: &str) -> Tried {
    let before = sched_getaffinity(None)?;
    let online = fs::read_to_string("/sys/devices/system/cpu/online")?;
    let mut wished = CpuSet::new();
    for range in online.trim().split(',') {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let (from, to): (usize, usize) = (from.parse().unwrap_or(0), to.parse().unwrap_or(0));
        (from..=to).for_each(|core| wished.set(core));
    }
    if wished == before {
        wished = first(&before);
    }
    if wished == before {
        return Err(Failed::untried("the machine has one core"));
    }
    pin(None, &wished).map(|()| format!("has {} cores, had {}", wished.count(), before.count()))
}

pub(super) fn doom_other(means: &Means, _: &str) -> Tried {
    others::each(Role::Other, means.others.as_deref(), |pid| {
        let path = format!("/proc/{pid}/oom_score_adj");
        fs::write(&path, "1000")?;
        match fs::read_to_string(&path)?.trim() {
            "1000" => Ok("first to be killed where memory is short".to_owned()),
            still => Err(Failed::Refused(format!("still {still}"))),
        }
    })
}

pub(super) fn idle_other(means: &Means, _: &str) -> Tried {
    others::each(Role::Other, means.others.as_deref(), |pid| {
        succeeds("ionice", &["-c3", "-p", &pid.to_string()])?;
        let now = program("ionice", &["-p", &pid.to_string()])?;
        match String::from_utf8_lossy(&now.stdout).trim() {
            "idle" => Ok("its reads and writes wait for all others".to_owned()),
            still => Err(Failed::Refused(format!("still {still}"))),
        }
    })
}
