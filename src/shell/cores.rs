//! Which core a game stays on.
//!
//! Between the moves of a game three processes wake each other in turn; on one core that takes a third of the time that it
//! takes across cores, and games do not disturb each other.

use std::io;

use rustix::thread::CpuSet;

use crate::tournament::setup::{Pinning, Setup};

/// Cores that this process may use.
///
/// # Errors
/// When the kernel does not say.
fn allowed() -> io::Result<Vec<usize>> {
    let set = rustix::thread::sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect())
}

/// The core of each slot, or none at all: `run.pin`.
///
/// # Errors
/// When the kernel does not say which cores there are.
pub fn of_slots(setup: &Setup, slots: usize) -> io::Result<Vec<Option<usize>>> {
    let allowed = allowed()?;
    let one_thread = |(name, value): (&String, &String)| !name.eq_ignore_ascii_case("threads") || value == "1";
    let single = setup.players.iter().all(|player| player.options.iter().all(one_thread));
    match setup.run.pin {
        Pinning::Auto if single && slots == allowed.len() => Ok(allowed.into_iter().map(Some).collect()),
        Pinning::Auto | Pinning::None => Ok(vec![None; slots]),
    }
}

/// Keeps this thread, and every process that it starts from now on, on `core`.
///
/// # Errors
/// When the kernel refuses.
pub fn stay_on(core: usize) -> io::Result<()> {
    let mut set = CpuSet::new();
    set.set(core);
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}
