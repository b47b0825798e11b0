//! Who else takes part in the run: found by the chain of this process's
//! ancestors, or told by a file.
//!
//! A keeper is above each agent, the player above the keepers, and a guard may
//! be above the player. What is below another keeper belongs to another agent.
#![expect(clippy::disallowed_methods, reason = "it reads /proc and waits for a file")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process;
use std::thread;
use std::time::Duration;

use super::outcome::{Failed, Tried};

/// How long a file that names the others is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(20);

/// What a process of the run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Of another agent, at this board or another one.
    Other,
    /// The keeper of this agent.
    Keeper,
    /// The process that plays the event.
    Player,
    /// The process around it.
    Guard,
}

impl Role {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Other, "other"),
        (Self::Keeper, "keeper"),
        (Self::Player, "player"),
        (Self::Guard, "guard"),
    ];

    fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(role, _)| *role == self);
        named.map_or("nobody", |(_, name)| name)
    }
}

/// The processes of that role, by `told` where there is such a file. A line of
/// it is a role and a process id.
///
/// # Errors
/// Where there are none to be seen.
pub(super) fn of(role: Role, told: Option<&Path>) -> Result<Vec<u32>, Failed> {
    let found = match told {
        Some(path) => read(path)?,
        None => look()?,
    };
    let pids: Vec<u32> = found
        .iter()
        .filter(|found| found.0 == role)
        .map(|found| found.1)
        .collect();
    match pids.is_empty() {
        true => Err(Failed::Refused(format!("sees no {}", role.name()))),
        false => Ok(pids),
    }
}

/// Does something to each process of that role: done where one of them suffers
/// it, which `harm` says in a word or two.
///
/// # Errors
/// The first refusal where all are refused.
pub(super) fn each(role: Role, told: Option<&Path>, mut harm: impl FnMut(u32) -> Tried) -> Tried {
    let pids = of(role, told)?;
    let tried: Vec<Tried> = pids.iter().map(|pid| harm(*pid)).collect();
    let done = tried.iter().filter(|tried| tried.is_ok()).count();
    let first = tried.into_iter().reduce(|first, next| first.or(next));
    let first = first.unwrap_or_else(|| Err(Failed::refused("sees nobody")))?;
    Ok(format!("{done} of {} as {}, {first}", pids.len(), role.name()))
}

/// What a file says, once it is there.
fn read(path: &Path) -> Result<Vec<(Role, u32)>, Failed> {
    let mut waited = Duration::ZERO;
    while !path.exists() && waited < PATIENCE {
        thread::sleep(PAUSE);
        waited += PAUSE;
    }
    let text = fs::read_to_string(path).map_err(|error| Failed::Untried(format!("{}: {error}", path.display())))?;
    let line = |line: &str| {
        let (name, pid) = line.split_once(' ')?;
        let (role, _) = Role::ALL.iter().find(|(_, known)| *known == name)?;
        Some((*role, pid.parse().ok()?))
    };
    Ok(text.lines().filter_map(line).collect())
}

struct Process {
    parent: u32,
    /// The first word of its command line.
    name: String,
}

/// What /proc shows.
fn look() -> Result<Vec<(Role, u32)>, Failed> {
    let all = processes()?;
    let above = |pid: u32| {
        let parents = std::iter::successors(Some(pid), |pid| all.get(pid).map(|process| process.parent));
        // A chain has no circle, but it is read piece by piece.
        parents.take(all.len() + 1)
    };
    let is_named = |pid: u32, name: &str| all.get(&pid).is_some_and(|process| process.name == name);
    let keeper_of = |pid: u32| above(pid).find(|pid| is_named(*pid, "swissmatch-keeper"));
    let Some(keeper) = keeper_of(process::id()) else {
        return Ok(Vec::new());
    };
    let player = all.get(&keeper).map_or(0, |keeper| keeper.parent);
    let mut found = vec![(Role::Keeper, keeper), (Role::Player, player)];
    if is_named(player, "swissmatch-player") {
        found.extend(all.get(&player).map(|player| (Role::Guard, player.parent)));
    }
    let is_others = |pid: &u32| {
        let of = keeper_of(*pid);
        of.is_some_and(|of| of != keeper && of != *pid && all.get(&of).is_some_and(|of| of.parent == player))
    };
    found.extend(all.keys().filter(|pid| is_others(pid)).map(|pid| (Role::Other, *pid)));
    // Whoever has ended is nobody's parent, and 1 belongs to all.
    found.retain(|(_, pid)| *pid > 1);
    Ok(found)
}

/// Every process that is to be seen, by its id.
fn processes() -> Result<BTreeMap<u32, Process>, Failed> {
    let entries = fs::read_dir("/proc")?.flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    Ok(pids.filter_map(|pid| Some((pid, process(pid)?))).collect())
}

fn process(pid: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // What follows the name, which may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let name = line.split(|byte| *byte == 0).next().unwrap_or_default();
    Some(Process {
        parent: fields.split_whitespace().nth(1)?.parse().ok()?,
        name: String::from_utf8_lossy(name).into_owned(),
    })
}

/// Processes that this one sees and that are not of its own making: neither
/// itself and what is below it, nor the first one of a namespace.
///
/// # Errors
/// Where none are to be seen.
pub(super) fn seen() -> Tried {
    let all = processes()?;
    let own = |pid: u32| {
        let parents = std::iter::successors(Some(pid), |pid| all.get(pid).map(|process| process.parent));
        parents.take(all.len() + 1).any(|pid| pid == process::id())
    };
    match all.keys().filter(|pid| **pid > 1 && !own(**pid)).count() {
        0 => Err(Failed::refused("sees nobody")),
        foreign => Ok(format!("{foreign} processes")),
    }
}
