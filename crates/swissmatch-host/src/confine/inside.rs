//! A process that is shut in like an agent and tries what is closed: what a machine gives is what held, not what its version says.
//! Versions and settings lie: a container may forbid what its kernel has.
//!
//! May not: be asked by an agent, or do anything else.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::net::{AddressFamily, SocketType};
use rustix::process::Pid;
use rustix::thread::CpuSet;
use serde::{Deserialize, Serialize};

use crate::threads;
use swissmatch_game::isolation::Protection;

/// First argument by which the program knows that it is this process; the second one is a [`Tries`].
pub(crate) const ARGUMENT: &str = "__inside";

/// How long a thread lives that is started to be one too many.
const MOMENT: Duration = Duration::from_millis(200);

/// What is to be tried.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Tries {
    /// A file that is not for it.
    pub(super) file: String,
    /// A process that is not its own, and the namespace of process ids that it is in.
    pub(super) process: i32,
    pub(super) namespace: String,
    /// The device of the outside `/dev/shm`, where there is one.
    pub(super) shared: Option<u64>,
    /// How many threads are more than it may have.
    pub(super) threads: usize,
}

/// Tries, and prints what held as JSON.
pub(crate) fn run(tries: &str) -> u8 {
    let Ok(tries) = serde_json::from_str::<Tries>(tries) else {
        return 4;
    };
    let each = [
        (Protection::Files, files(&tries.file)),
        (Protection::Network, network()),
        (Protection::Processes, processes(tries.process, &tries.namespace)),
        (Protection::Pids, threads(tries.threads)),
        (
            Protection::Cpu,
            rustix::thread::sched_setaffinity(None, &CpuSet::new()).is_ok(),
        ),
        (Protection::Ipc, ipc(tries.shared)),
    ];
    let held: Vec<Protection> = each
        .into_iter()
        .filter_map(|(protection, held)| held.then_some(protection))
        .collect();
    match serde_json::to_string(&held) {
        Ok(held) => {
            print!("{held}");
            0
        }
        Err(_) => 5,
    }
}

fn files(path: &str) -> bool {
    File::open(path).is_err() && make(&Path::new(path).with_extension("new")).is_err()
}

fn make(path: &Path) -> io::Result<File> {
    let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?.into())
}

fn network() -> bool {
    let families = [
        AddressFamily::INET,
        AddressFamily::INET6,
        AddressFamily::NETLINK,
        AddressFamily::UNIX,
    ];
    let kinds = [SocketType::STREAM, SocketType::DGRAM, SocketType::RAW];
    families.into_iter().all(|family| {
        kinds
            .into_iter()
            .all(|kind| rustix::net::socket(family, kind, None).is_err())
    })
}

/// The namespace of process ids that this process is in, as the kernel names it.
pub(super) fn namespace() -> String {
    let link = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    link.display().to_string()
}

fn processes(other: i32, namespace_of_other: &str) -> bool {
    // In a namespace of its own the number is another process's, if it is one's at all.
    let own = std::fs::read_link("/proc/self")
        .ok()
        .and_then(|link| link.to_str()?.parse().ok());
    if namespace() != namespace_of_other && own == Some(std::process::id()) {
        return true;
    }
    let Some(pid) = Pid::from_raw(other) else {
        return false;
    };
    let opened = ["fd", "environ", "task"].map(|what| std::fs::read_dir(format!("/proc/{other}/{what}")).is_ok());
    rustix::process::test_kill_process(pid).is_err()
        && opened == [false; 3]
        && File::open(format!("/proc/{other}/environ")).is_err()
}

/// Whether no more than so many threads are to be had.
fn threads(count: usize) -> bool {
    let one = || threads::start("one more", || std::thread::sleep(MOMENT)).ok();
    let started = (0..count).map_while(|_| one());
    started.count() < count
}

/// Whether what processes share by name is closed or its own.
fn ipc(outside: Option<u64>) -> bool {
    let sockets = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None).is_err();
    let path = format!("/dev/shm/swissmatch-{}", std::process::id());
    let made = make(Path::new(&path))
        .and_then(|file| file.metadata())
        .map(|data| data.dev());
    let _ = std::fs::remove_file(&path);
    sockets && made.ok().is_none_or(|device| Some(device) != outside)
}
