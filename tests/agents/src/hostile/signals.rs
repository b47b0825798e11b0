//! Signals to processes that are not this agent's own.

use std::path::Path;

use rustix::process::{Pid, Signal};

use super::means::Means;
use super::others::{self, Role};
use super::outcome::{Failed, Tried};
use super::run_files;

pub(super) fn pid(number: u32) -> Result<Pid, Failed> {
    let number = i32::try_from(number).ok().and_then(Pid::from_raw);
    number.ok_or(Failed::untried("no process id"))
}

fn send(role: Role, means: &Means, signal: Signal) -> Tried {
    others::each(role, means.others.as_deref(), |number| {
        rustix::process::kill_process(pid(number)?, signal)?;
        Ok(format!("signal {}", signal.as_raw()))
    })
}

pub(super) fn stop_other(means: &Means, _: &str) -> Tried {
    send(Role::Other, means, Signal::STOP)
}

pub(super) fn kill_other(means: &Means, _: &str) -> Tried {
    send(Role::Other, means, Signal::KILL)
}

pub(super) fn end_other(means: &Means, _: &str) -> Tried {
    send(Role::Other, means, Signal::TERM)
}

pub(super) fn kill_keeper(means: &Means, _: &str) -> Tried {
    send(Role::Keeper, means, Signal::KILL)
}

pub(super) fn stop_keeper(means: &Means, _: &str) -> Tried {
    send(Role::Keeper, means, Signal::STOP)
}

pub(super) fn stop_player(means: &Means, _: &str) -> Tried {
    send(Role::Player, means, Signal::STOP)
}

pub(super) fn kill_player(means: &Means, _: &str) -> Tried {
    send(Role::Player, means, Signal::KILL)
}

pub(super) fn stop_guard(means: &Means, _: &str) -> Tried {
    send(Role::Guard, means, Signal::STOP)
}

pub(super) fn kill_guard(means: &Means, _: &str) -> Tried {
    send(Role::Guard, means, Signal::KILL)
}

pub(super) fn interrupt_guard(means: &Means, _: &str) -> Tried {
    send(Role::Guard, means, Signal::INT)
}

/// To every process that it may signal; only where it is in another process
/// namespace than whoever gave this value.
pub(super) fn kill_all(_: &Means, outside: &str) -> Tried {
    let here = std::fs::read_link("/proc/self/ns/pid")?;
    if !outside.starts_with("pid:[") || here == Path::new(outside) {
        return Err(Failed::untried("this would reach the whole machine"));
    }
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(-1), nix::sys::signal::Signal::SIGKILL)?;
    Ok("everybody".to_owned())
}

/// Guard and player stopped, the own keeper and the guard killed, and then the
/// log changed by whoever lives on. What is left of the agent ends.
pub(super) fn forge(means: &Means, _: &str) -> Tried {
    // Found before those are gone who lead to it.
    let guards = others::of(Role::Guard, means.others.as_deref())?;
    let means = &Means {
        run: Some(run_files::dir(means)?),
        ..means.clone()
    };
    stop_guard(means, "")?;
    stop_player(means, "")?;
    kill_keeper(means, "")?;
    for guard in guards {
        rustix::process::kill_process(pid(guard)?, Signal::KILL)?;
    }
    run_files::write_log(means, "")
}
