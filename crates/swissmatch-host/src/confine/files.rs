//! Which files an isolated agent may open, as rules of the kernel's Landlock; with them, that it signals and connects to nobody.
//!
//! May not: apply to the keeper or the player.

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd, Ruleset, RulesetAttr as _,
    RulesetCreated, RulesetCreatedAttr as _, Scope,
};

use super::{Confinement, system};
use crate::launch::Programs;
use crate::paths::resolved;
use crate::this_program::OWN;
use crate::threads;

/// The newest rules that are asked for; an older kernel applies those that it knows.
const RULES: ABI = ABI::V6;

/// Most files and directories of one that is given whole that are granted one by one; what is below others is granted with them.
const MOST_ONE_BY_ONE: usize = 2000;

/// Shuts this process in, and whatever it becomes, as far as the kernel has such rules. One that `adapts` starts this program again.
///
/// # Errors
/// When the machine refuses it.
pub(super) fn shut_in(confinement: &Confinement, adapts: bool) -> io::Result<()> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(RULES))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(RULES)))
        .and_then(|rules| rules.scope(Scope::from_all(RULES)))
        .and_then(Ruleset::create);
    let mut rules = ruleset.map_err(io::Error::other)?;
    let in_namespaces = confinement.bubblewrap.is_some();
    let of_proc: &[&str] = if in_namespaces {
        &["/proc"]
    } else {
        system::READ_OF_PROC
    };
    let bound = confinement.programs.as_ref();
    // Names can be listed.
    let of_system = if bound.is_some() {
        AccessFs::ReadDir.into()
    } else {
        reading()
    };
    for path in system::places() {
        rules = grant(rules, &path, of_system)?;
    }
    for path in bound.into_iter().flat_map(Programs::beside) {
        rules = grant(rules, path, reading())?;
    }
    for path in system::facts().chain(of_proc.iter().copied()) {
        rules = grant(rules, Path::new(path), reading())?;
    }
    for path in system::versions_in_etc() {
        rules = grant(rules, &path, reading())?;
    }
    for path in confinement.devices() {
        rules = grant(rules, path, AccessFs::from_file(RULES))?;
    }
    let writing = match bound {
        Some(_) => writing() & !AccessFs::Execute,
        None => writing(),
    };
    if in_namespaces {
        for path in system::OWN {
            rules = grant(rules, Path::new(path), writing)?;
        }
    }
    // What it can write it may not run, so that is granted by itself.
    let written = confinement.writes().filter(|_| bound.is_some());
    let hidden: BTreeSet<&Path> = confinement.hidden().chain(written).collect();
    let whole: Vec<&Path> = confinement.directories().collect();
    for path in confinement.reads() {
        rules = grant_without(rules, path, &whole, &hidden)?;
    }
    for path in bound.into_iter().flat_map(Programs::opened) {
        rules = grant(rules, path, reading())?;
    }
    for path in confinement.writes() {
        rules = grant(rules, path, writing)?;
    }
    if adapts {
        rules = grant(rules, Path::new(OWN), reading())?;
    }
    rules.restrict_self().map(drop).map_err(io::Error::other)
}

/// Which version of such rules the kernel has; `None`: none. A thread that ends with what it asks for asks.
pub(super) fn version() -> Option<i32> {
    let ask = || {
        let ruleset = Ruleset::default().handle_access(AccessFs::Execute).ok()?;
        match ruleset.create().ok()?.restrict_self().ok()?.landlock {
            LandlockStatus::Available {
                effective_abi,
                kernel_abi,
            } => Some(kernel_abi.unwrap_or(effective_abi as i32)),
            LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => None,
        }
    };
    std::thread::scope(|scope| threads::start_in(scope, ask).ok()?.join().ok()?)
}

fn reading() -> BitFlags<AccessFs> {
    AccessFs::from_read(RULES)
}

/// All but what reaches others: sockets and devices.
fn writing() -> BitFlags<AccessFs> {
    AccessFs::from_all(RULES) & !(AccessFs::MakeSock | AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev)
}

/// Lets it read a path with all below. Of directories that it is given whole, and of what holds something hidden, what is there now is
/// granted one by one: a cover goes where somebody puts another file in the place of what it is over. Names can be listed.
fn grant_without(
    mut rules: RulesetCreated,
    path: &Path,
    whole: &[&Path],
    hidden: &BTreeSet<&Path>,
) -> io::Result<RulesetCreated> {
    // Whatever name it is granted by.
    let path = &resolved(path);
    let is_given_whole = whole.iter().any(|whole| path.starts_with(whole));
    if !path.is_dir() || !(holds(path, hidden) || is_given_whole) {
        return grant(rules, path, reading());
    }
    rules = grant(rules, path, AccessFs::ReadDir.into())?;
    let one_by_one = if is_given_whole { MOST_ONE_BY_ONE } else { 0 };
    for path in all_but(path, hidden, one_by_one)? {
        rules = grant(rules, &path, reading())?;
    }
    Ok(rules)
}

/// What lies below a directory but for what is hidden, some files and directories of it one by one.
pub(super) fn all_but(top: &Path, hidden: &BTreeSet<&Path>, one_by_one: usize) -> io::Result<Vec<PathBuf>> {
    let mut left = one_by_one;
    let (mut found, mut directories) = (Vec::new(), VecDeque::from([top.to_path_buf()]));
    while let Some(directory) = directories.pop_front() {
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            // A link shows what it leads to only where that is granted itself.
            if kind.is_symlink() || hidden.contains(path.as_path()) {
                continue;
            }
            left = left.saturating_sub(1);
            match kind.is_dir() && (left > 0 || holds(&path, hidden)) {
                true => directories.push_back(path),
                false => found.push(path),
            }
        }
    }
    Ok(found)
}

/// Whether something of what is hidden lies below a path.
fn holds(path: &Path, hidden: &BTreeSet<&Path>) -> bool {
    let mut below = hidden.range::<Path, _>((Bound::Excluded(path), Bound::Unbounded));
    below.next().is_some_and(|next| next.starts_with(path))
}

/// Adds what may be done with a path; one that is not there is nobody's.
fn grant(rules: RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> io::Result<RulesetCreated> {
    let Ok(opened) = PathFd::new(path) else {
        return Ok(rules);
    };
    // Of a file it is only what may be done with files.
    rules
        .add_rule(PathBeneath::new(opened, access))
        .map_err(io::Error::other)
}
