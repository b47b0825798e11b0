//! The processor, as far as this process may use it: hardware threads, and the cores, packages and memory nodes that
//! they belong to.
//!
//! Read from Linux's sysfs (`Documentation/admin-guide/cputopology.rst` and
//! `Documentation/ABI/stable/sysfs-devices-node` of the kernel). Where it says nothing, all are taken to be alike:
//! every hardware thread is a core of its own, all in one package.
//!
//! May not: decide what runs where.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use rustix::thread::CpuSet;

/// The capacity of a processor's strongest cores, as Linux counts (`SCHED_CAPACITY_SCALE`).
const FULL_CAPACITY: u32 = 1024;
/// The capacity assumed for efficient cores of an x86 processor with two kinds: it only says that they are weaker.
const EFFICIENT_CAPACITY: u32 = 512;

/// A hardware thread, which Linux calls a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// Its number in Linux.
    pub id: usize,
    /// Its core, by the lowest number of the core's hardware threads.
    pub core: usize,
    /// Its package (socket).
    pub package: u32,
    /// The nearest memory node.
    pub node: u32,
    /// Its greatest capacity; the strongest have 1024.
    pub capacity: u32,
}

/// The hardware threads that this process may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// In the order of their numbers.
    pub cpus: Vec<Cpu>,
    /// How many of them it may use at the same time: fewer if a control group limits its time.
    pub quota: usize,
}

impl Topology {
    /// The topology of this machine for this process: within its affinity (which is within the cpuset of its control
    /// group), and the time that its control group gives it.
    ///
    /// # Errors
    /// The kernel does not say what this process may use.
    pub fn of_this_machine() -> io::Result<Self> {
        let set = rustix::thread::sched_getaffinity(None)?;
        let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect();
        let quota = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Ok(Self::read(Path::new("/sys"), &allowed, quota))
    }

    /// The topology of the CPUs `allowed`, by the sysfs at `sys`. CPUs that are offline are left out.
    pub fn read(sys: &Path, allowed: &[usize], quota: usize) -> Self {
        let list = |path: &str| read(sys, path).map(|text| parse_list(&text));
        let online = list("devices/system/cpu/online");
        let efficient = list("devices/cpu_atom/cpus").unwrap_or_default();
        let nodes = nodes(sys);
        let cpu = |&id: &usize| {
            let here = format!("devices/system/cpu/cpu{id}");
            let number = |name: &str| read(sys, &format!("{here}/{name}"))?.parse::<u32>().ok();
            let siblings = list(&format!("{here}/topology/core_cpus_list"))
                .or_else(|| list(&format!("{here}/topology/thread_siblings_list")));
            let of_kind = match efficient.contains(&id) {
                true => EFFICIENT_CAPACITY,
                false => FULL_CAPACITY,
            };
            Cpu {
                id,
                core: siblings.and_then(|core| core.first().copied()).unwrap_or(id),
                package: number("topology/physical_package_id").unwrap_or(0),
                node: nodes
                    .iter()
                    .find(|(_, cpus)| cpus.contains(&id))
                    .map_or(0, |(node, _)| *node),
                capacity: number("cpu_capacity").unwrap_or(of_kind),
            }
        };
        let is_online = |id: &&usize| online.as_ref().is_none_or(|online| online.contains(id));
        let cpus: Vec<Cpu> = allowed.iter().filter(is_online).map(cpu).collect();
        let quota = quota.clamp(1, cpus.len().max(1));
        Self { cpus, quota }
    }

    /// The number of hardware threads that may be used at the same time.
    pub fn threads(&self) -> usize {
        self.cpus.len().min(self.quota)
    }

    /// The number of cores that may be used at the same time.
    pub fn cores(&self) -> usize {
        self.physical_cores().min(self.quota)
    }

    /// How many games at once, with this many threads each, have a core for every thread; at least one.
    pub fn at_once(&self, threads: usize) -> usize {
        (self.cores() / threads.max(1)).max(1)
    }

    /// The number of cores with at least one hardware thread that may be used.
    pub(crate) fn physical_cores(&self) -> usize {
        self.count(|cpu| cpu.core)
    }

    /// A description for the manifest.
    pub fn describe(&self) -> serde_json::Value {
        serde_json::json!({
            "packages": self.count(|cpu| cpu.package),
            "nodes": self.count(|cpu| cpu.node),
            "cores": self.physical_cores(),
            "threads": self.cpus.len(),
            "threads_at_the_same_time": self.threads(),
        })
    }

    fn count<T: Ord>(&self, of: impl Fn(&Cpu) -> T) -> usize {
        self.cpus.iter().map(of).collect::<BTreeSet<T>>().len()
    }
}

fn read(sys: &Path, path: &str) -> Option<String> {
    std::fs::read_to_string(sys.join(path))
        .ok()
        .map(|text| text.trim().to_owned())
}

/// The memory nodes, and the CPUs near each.
fn nodes(sys: &Path) -> Vec<(u32, Vec<usize>)> {
    let online = read(sys, "devices/system/node/online").map(|text| parse_list(&text));
    let of_node = |node: usize| {
        let cpus = read(sys, &format!("devices/system/node/node{node}/cpulist"))?;
        Some((u32::try_from(node).ok()?, parse_list(&cpus)))
    };
    online.unwrap_or_default().into_iter().filter_map(of_node).collect()
}

/// A list as Linux writes it, such as `0-3,8,10-11`; unreadable parts are left out.
fn parse_list(text: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (last < CpuSet::MAX_CPU).then_some(first..=last)
    };
    text.split(',').filter_map(range).flatten().collect()
}
