//! What this machine offers to those who play on it: all that is worth knowing before an event.
//!
//! May not: change anything; trust a version where something can be tried.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit};
use serde::Serialize;
use swiss_system::word::Word as _;

use super::confine::{known, probe};
use super::files::about;
use super::gpus::{Listing, gpus_of};
use super::group::groups;
use super::machine;
use super::topology::Topology;
use swissmatch_game::isolation::Protection;

/// How many readings of the clock are taken to find its step.
const READINGS: u32 = 1000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facilities {
    pub kernel: Kernel,
    pub processor: Processor,
    /// The clock that games are timed by.
    pub clock: Clock,
    /// Bytes of memory; `None` if unknown.
    pub memory: Option<u64>,
    /// Descriptors of a process.
    pub open_files: Limit,
    /// Processes and threads of this user; the superuser is not bound by it.
    pub processes: Limit,
    /// Bytes that a file may have; `None` means any number.
    pub file_size: Option<u64>,
    /// The place of agents' scratch directories.
    pub scratch: Space,
    /// Memory that processes share by name; `None` if the machine has none.
    pub shared_memory: Option<Space>,
    /// Its GPUs, numbered as in `run.gpus`.
    pub gpus: Vec<GpuSeen>,
    /// The numeric ID of the user who runs this.
    pub user: u32,
    /// What isolation is built on.
    pub means: IsolationFacilities,
    /// The protections for agents, each with what provides it.
    pub protections: Vec<MachineProtection>,
    /// Engines and compilers that isolated agents can run if `engine.exec` is "any".
    pub within_reach: Vec<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kernel {
    pub system: String,
    pub release: String,
    /// The machine's architecture.
    pub architecture: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Processor {
    /// Hardware threads, by number.
    pub cpus: Vec<usize>,
    /// The number of their cores.
    pub cores: usize,
    /// How many hardware threads may run at the same time.
    pub at_once: usize,
    /// A core has several hardware threads.
    pub hyperthreads: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Clock {
    /// The kernel's clock source; `None` if it does not say.
    pub source: Option<String>,
    /// The smallest step seen, in nanoseconds.
    pub step_ns: u64,
}

/// A limit of a process; `None` means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limit {
    pub now: Option<u64>,
    /// How far it may be raised.
    pub most: Option<u64>,
}

/// Room for files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Space {
    pub path: PathBuf,
    /// Bytes that are free for this user.
    pub free: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GpuSeen {
    /// Its number in `run.gpus`.
    pub number: u32,
    pub maker: &'static str,
    pub node: String,
}

/// What isolation is built on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IsolationFacilities {
    /// The version of Landlock; `None` if there is none.
    pub landlock: Option<i32>,
    /// Filters of system calls work.
    pub seccomp: bool,
    /// bubblewrap, if it can make namespaces.
    pub bubblewrap: Option<PathBuf>,
    /// Why there are no namespaces.
    pub why_no_namespaces: Option<String>,
    /// Agents can be given users of their own.
    pub own_users: bool,
    /// Why the superuser cannot give them any.
    pub why_no_own_users: Option<String>,
    /// Control groups of engines.
    pub control_groups: ControlGroups,
}

/// What control groups of version 2 offer: one for each engine, to count, stop and end all of its processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ControlGroups {
    /// Where they are made; `None` if nowhere.
    pub engines: Option<PathBuf>,
    /// What each group bounds for all processes of its engine together.
    pub bounds: Vec<&'static str>,
    /// Why they cannot be made.
    pub why_none: Option<String>,
}

/// A protection, as this machine provides it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MachineProtection {
    pub protection: &'static str,
    /// What it keeps agents from.
    pub keeps_from: &'static str,
    /// What provides it; empty if nothing does.
    pub by: Vec<&'static str>,
    /// What would provide it; `None` if it is there.
    pub needs: Option<&'static str>,
}

impl Facilities {
    /// The facilities of this machine, for this user.
    ///
    /// # Errors
    /// The kernel does not say what this process may use, or there is no place for scratch directories.
    pub fn of_this_machine() -> io::Result<Self> {
        let topology = Topology::of_this_machine()?;
        let kernel = rustix::system::uname();
        let means = probe::means();
        let landlock = probe::landlock();
        let protections = Protection::ALL.iter().map(|one| {
            let is_held = means.protections.contains(one);
            MachineProtection {
                protection: one.word(),
                keeps_from: one.what(),
                by: if is_held {
                    means.gives(*one, landlock)
                } else {
                    Vec::new()
                },
                needs: (!is_held).then(|| one.remedy()),
            }
        });
        let shared = Path::new("/dev/shm");
        Ok(Self {
            kernel: Kernel {
                system: kernel.sysname().to_string_lossy().into_owned(),
                release: kernel.release().to_string_lossy().into_owned(),
                architecture: kernel.machine().to_string_lossy().into_owned(),
            },
            processor: Processor {
                cpus: topology.cpus.iter().map(|cpu| cpu.id).collect(),
                cores: topology.physical_cores(),
                at_once: topology.threads(),
                hyperthreads: topology.cpus.len() > topology.physical_cores(),
            },
            clock: Clock {
                source: text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
                step_ns: step().as_nanos().try_into().unwrap_or(u64::MAX),
            },
            memory: machine::memory(),
            open_files: limit(Resource::Nofile),
            processes: limit(Resource::Nproc),
            file_size: limit(Resource::Fsize).now,
            scratch: space(&std::env::temp_dir())?,
            shared_memory: shared.is_dir().then(|| space(shared)).transpose()?,
            gpus: gpus_of(&Listing::of_this_machine())
                .into_iter()
                .map(|gpu| GpuSeen {
                    number: gpu.number,
                    maker: gpu.maker.word(),
                    node: gpu.nodes.into_iter().next().unwrap_or_default(),
                })
                .collect(),
            user: rustix::process::geteuid().as_raw(),
            means: IsolationFacilities {
                landlock,
                seccomp: means.protections.contains(&Protection::Cpu),
                bubblewrap: means.bubblewrap.clone(),
                why_no_namespaces: means.why_no_namespaces.clone(),
                own_users: means.users,
                why_no_own_users: means.why_no_users.clone(),
                control_groups: control_groups(),
            },
            protections: protections.collect(),
            within_reach: known::engines_and_compilers(),
        })
    }

    /// What agents cannot be kept from here.
    pub fn missing(&self) -> Vec<&'static str> {
        let missing = self.protections.iter().filter(|one| one.needs.is_some());
        missing.map(|one| one.protection).collect()
    }
}

fn text(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// The smallest step of the clock that shows.
fn step() -> Duration {
    let one = |_| {
        let begin = Instant::now();
        std::iter::repeat_with(|| begin.elapsed()).find(|step| !step.is_zero())
    };
    (0..READINGS).filter_map(one).min().unwrap_or_default()
}

fn limit(of: Resource) -> Limit {
    let Rlimit { current, maximum } = rustix::process::getrlimit(of);
    Limit {
        now: current,
        most: maximum,
    }
}

fn space(path: &Path) -> io::Result<Space> {
    let found = rustix::fs::statvfs(path).map_err(|error| about(path, &error.into()))?;
    Ok(Space {
        path: path.to_path_buf(),
        free: found.f_bavail.saturating_mul(found.f_frsize),
    })
}

/// What control groups offer here.
fn control_groups() -> ControlGroups {
    match groups() {
        Ok(groups) => ControlGroups {
            engines: Some(groups.top().to_path_buf()),
            bounds: groups.bounds(),
            why_none: None,
        },
        Err(why) => ControlGroups {
            engines: None,
            bounds: Vec::new(),
            why_none: Some(why.to_owned()),
        },
    }
}
