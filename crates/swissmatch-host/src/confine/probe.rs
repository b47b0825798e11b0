//! What this machine gives to shut agents in, found by trying it from within.
//!
//! May not: believe a version or a setting.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::sync::OnceLock;

use super::inside::Tries;
use super::user::OwnUser;
use super::{Confinement, bwrap, enter, files, inside};
use crate::files::copy_new;
use crate::group::{Groups, MEMORY, PROCESSES, groups};
use crate::launch::{self, Ends, Launch, ProcessLimits};
use crate::machine;
use crate::scratch::Scratches;
use swissmatch_game::isolation::Protection;
use swissmatch_game::resource::Allowance;

/// How many more processes and threads than it may have the kernel lets an agent have, so that its keeper sees them.
const SEEN: u64 = 64;
/// The same for the process that tries.
const PROCESSES_OF_A_TRY: u64 = 8;

/// The first version of Landlock whose rules keep a process from signalling others.
const SCOPES: i32 = 6;

/// What a machine gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IsolationMeans {
    /// bubblewrap, where it makes namespaces.
    pub bubblewrap: Option<PathBuf>,
    /// Why it makes none.
    pub why_no_namespaces: Option<String>,
    /// Whether agents can be given users of their own.
    pub users: bool,
    /// Why the superuser can give them none.
    pub why_no_users: Option<String>,
    /// What control groups of engines bound.
    pub groups: Vec<&'static str>,
    /// How many bytes of memory an agent may have: half of what the machine has.
    pub memory: Option<u64>,
    /// What agents are kept from.
    pub protections: Vec<Protection>,
}

/// What this machine gives; tried once.
pub(crate) fn means() -> &'static IsolationMeans {
    static MEANS: OnceLock<IsolationMeans> = OnceLock::new();
    MEANS.get_or_init(find)
}

impl IsolationMeans {
    /// How many processes and threads the kernel lets an agent have that may have `most`, with this user.
    pub(crate) fn processes(&self, user: Option<u32>, most: u64) -> Option<u64> {
        are_counted_alone(self.bubblewrap.is_some(), user).then_some(most.saturating_add(SEEN))
    }

    /// What an agent with this user is kept from.
    pub(crate) fn protections_of(&self, user: Option<u32>) -> Vec<Protection> {
        let is_bounded = are_counted_alone(self.bubblewrap.is_some(), user) || self.groups.contains(&PROCESSES);
        let held = self.protections.iter().copied();
        held.filter(|one| *one != Protection::Pids || is_bounded).collect()
    }

    /// What gives a protection that this machine gives, where its Landlock has this version.
    pub(crate) fn gives(&self, protection: Protection, landlock: Option<i32>) -> Vec<&'static str> {
        let in_namespaces = self.bubblewrap.is_some();
        let means: &[(bool, &'static str)] = match protection {
            Protection::Files => &[(landlock.is_some(), "Landlock"), (in_namespaces, "a mount namespace")],
            Protection::Network => &[
                (true, "a filter of system calls"),
                (in_namespaces, "a network namespace"),
            ],
            Protection::Processes => &[
                (landlock.is_some_and(|version| version >= SCOPES), "Landlock's scopes"),
                (in_namespaces, "a namespace of process ids"),
                (self.users, "a user of its own"),
            ],
            Protection::Memory => &[
                (true, "its keeper, which looks how much it has"),
                (
                    self.groups.contains(&MEMORY),
                    "a bound on the memory of its control group",
                ),
            ],
            Protection::Pids => &[
                (self.users, "a bound on the processes of its own user"),
                (
                    !self.users && are_counted_alone(in_namespaces, None),
                    "a bound on the processes of its user namespace",
                ),
                (
                    self.groups.contains(&PROCESSES),
                    "a bound on the processes of its control group",
                ),
            ],
            Protection::Cpu => &[(true, "a filter of system calls")],
            Protection::Kill => &[(true, "its keeper, which it cannot reach")],
            Protection::Ipc => &[(true, "a filter of system calls"), (in_namespaces, "an IPC namespace")],
        };
        means
            .iter()
            .filter(|(is_there, _)| *is_there)
            .map(|(_, what)| *what)
            .collect()
    }

    /// What agents are isolated by, and what they are not kept from, for the manifest of a run.
    pub(crate) fn describe(&self, missing: &[Protection]) -> serde_json::Value {
        let means = [("bubblewrap", self.bubblewrap.is_some()), ("own-users", self.users)];
        let means = means
            .into_iter()
            .filter_map(|(name, is_there)| is_there.then_some(name));
        serde_json::json!({
            "means": means.collect::<Vec<_>>(),
            "missing": missing,
            "most_memory": self.memory,
        })
    }
}

/// The version of the kernel's Landlock; `None`: it has none.
pub(crate) fn landlock() -> Option<i32> {
    files::version()
}

/// Whether the kernel counts the processes of an agent apart from those of others: by a user of its own, or by a user namespace of
/// its own, which bounds no superuser.
fn are_counted_alone(in_namespaces: bool, user: Option<u32>) -> bool {
    user.is_some() || (in_namespaces && !rustix::process::geteuid().is_root())
}

fn find() -> IsolationMeans {
    let mut means = IsolationMeans {
        memory: machine::memory().map(|bytes| bytes / 2),
        groups: groups().map(Groups::bounds).unwrap_or_default(),
        ..IsolationMeans::default()
    };
    let taken = match rustix::process::geteuid().is_root() {
        true => OwnUser::take(),
        false => Ok(None),
    };
    let taken = taken.unwrap_or_else(|error| {
        means.why_no_users = Some(error.to_string());
        None
    });
    let own_user = taken.as_ref().map(OwnUser::number);
    let installed = bwrap::find();
    if installed.is_none() {
        means.why_no_namespaces = Some("bubblewrap is not installed".to_owned());
    }
    for bubblewrap in [installed, None] {
        for user in [own_user, None] {
            match held(bubblewrap.as_ref(), user) {
                Ok(held) if !held.is_empty() => {
                    means.bubblewrap = bubblewrap;
                    means.users = user.is_some();
                    means.protections = held;
                    // Its keeper looks how much it has.
                    means.protections.extend(means.memory.map(|_| Protection::Memory));
                    let counts = means.groups.contains(&PROCESSES);
                    means.protections.extend(counts.then_some(Protection::Pids));
                    means.protections.sort_unstable();
                    means.protections.dedup();
                    return means;
                }
                Ok(_) => {}
                Err(why) if bubblewrap.is_some() => means.why_no_namespaces = Some(why),
                Err(_) => {}
            }
        }
    }
    means
}

/// What a process that is shut in so is kept from.
///
/// # Errors
/// Why there is no such process.
fn held(bubblewrap: Option<&PathBuf>, user: Option<u32>) -> Result<Vec<Protection>, String> {
    let (output, held) = try_within(bubblewrap, user).map_err(|error| error.to_string())??;
    let mut held: Vec<Protection> =
        serde_json::from_str(&held).map_err(|_| format!("what is shut in says nothing; {output}"))?;
    // An agent that cannot reach its keeper cannot outlive it.
    if held.contains(&Protection::Processes) {
        held.push(Protection::Kill);
    }
    held.sort_unstable();
    Ok(held)
}

/// What a process that is shut in so says on its standard error and output.
fn try_within(bubblewrap: Option<&PathBuf>, user: Option<u32>) -> io::Result<Result<(String, String), String>> {
    let own = std::env::current_exe()?;
    // For everybody, so that it is the isolation that closes it; and where it is swept up if this process ends meanwhile.
    let forbidden = Scratches::new()?;
    let file = forbidden.closed("forbidden")?.join("for-nobody");
    copy_new(&mut "closed".as_bytes(), &file)?;
    let tries = Tries {
        file: file.display().to_string(),
        process: rustix::process::getpid().as_raw_nonzero().get(),
        namespace: inside::namespace(),
        shared: std::fs::metadata("/dev/shm").ok().map(|place| place.dev()),
        threads: 2 * PROCESSES_OF_A_TRY as usize,
    };
    let confinement = Confinement {
        directories: Vec::new(),
        hidden: Vec::new(),
        links: Vec::new(),
        reads: vec![own.clone().into_os_string()],
        copies: Vec::new(),
        writes: Vec::new(),
        devices: Vec::new(),
        programs: None,
        bubblewrap: bubblewrap.map(|path| path.clone().into_os_string()),
        user,
        processes: are_counted_alone(bubblewrap.is_some(), user).then_some(PROCESSES_OF_A_TRY),
        is_sealed: false,
    };
    let launch = Launch {
        program: own,
        args: vec![inside::ARGUMENT.to_owned(), serde_json::to_string(&tries)?],
        directory: "/".into(),
        environment: BTreeMap::new(),
        limits: ProcessLimits::default(),
        allowance: Allowance::UNLIMITED,
        connect: Vec::new(),
        confinement: Some(confinement.clone()),
        adapter: None,
    };
    let (of_process, [input, output, errors]) = launch::pipes()?;
    drop(input);
    let ends = Ends {
        pipes: of_process,
        socket: None,
    };
    let process = match enter::start(&launch, &confinement, ends, None) {
        Ok(entered) => entered.process,
        Err(why) => {
            let complaint = io::read_to_string(File::from(errors))?;
            let why = why.strip_prefix("host ").unwrap_or(&why);
            return Ok(Err(match complaint.trim() {
                "" => why.to_owned(),
                said => format!("{why}; it says \"{said}\""),
            }));
        }
    };
    let said = [errors, output].map(|pipe| io::read_to_string(File::from(pipe)));
    process.wait()?;
    let [errors, output] = said;
    Ok(Ok((errors?, output?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_group_bounds_processes_and_memory() {
        let with = |groups| IsolationMeans {
            groups,
            protections: vec![Protection::Memory, Protection::Pids],
            ..IsolationMeans::default()
        };
        let (without, with) = (with(Vec::new()), with(vec![MEMORY, PROCESSES]));
        assert_eq!(without.protections_of(None), [Protection::Memory]);
        assert_eq!(with.protections_of(None), [Protection::Memory, Protection::Pids]);
        assert_eq!(without.gives(Protection::Pids, None), Vec::<&str>::new());
        assert_eq!(
            with.gives(Protection::Pids, None),
            ["a bound on the processes of its control group"]
        );
        assert_eq!(
            with.gives(Protection::Memory, None).last(),
            Some(&"a bound on the memory of its control group")
        );
    }
}
