//! Limits, priorities and cores, of others and its own.
#![expect(clippy::disallowed_methods, reason = "it reads and writes /proc")]

use std::fs;

use rustix::process::{Resource, Rlimit, getpriority_process, prlimit, setpriority_process};
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
        let one = first(&before);
        sched_setaffinity(Some(other), &one)?;
        match sched_getaffinity(Some(other))? == one {
            true => Ok("pinned to one core".to_owned()),
            false => Err(Failed::refused("its cores are the same as before")),
        }
    })
}

/// Takes every core of the machine, or where it has them all the first one alone: whether its own cores are its own to choose.
/// A filter may answer that it has them when it has not.
pub(super) fn choose_cores(_: &Means, _: &str) -> Tried {
    let before = sched_getaffinity(None)?;
    let mut all = CpuSet::new();
    (0..CpuSet::MAX_CPU).for_each(|core| all.set(core));
    for wished in [all, first(&before)] {
        sched_setaffinity(None, &wished)?;
        let now = sched_getaffinity(None)?;
        if now != before {
            return Ok(format!("has {} cores, had {}", now.count(), before.count()));
        }
    }
    Err(Failed::refused("the cores are the same as before"))
}

pub(super) fn spare_itself(_: &Means, _: &str) -> Tried {
    let path = "/proc/self/oom_score_adj";
    fs::write(path, "0")?;
    match fs::read_to_string(path)?.trim() {
        "0" => Ok("killed no sooner than others where memory is short".to_owned()),
        still => Err(Failed::Refused(format!("still {still}"))),
    }
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
