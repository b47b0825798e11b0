//! How a process that only shows what happens stands back behind games that are played on this machine.
//!
//! May not: touch another process.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use rustix::fs::{Mode, OFlags};
use rustix::thread::CpuSet;
use serde::Deserialize;

use super::topology::Topology;

/// What the manifest of a run says of where games are played.
#[derive(Deserialize)]
struct RunManifest {
    seating: Option<ManifestSeating>,
}

#[derive(Deserialize)]
struct ManifestSeating {
    cpus_of_each_game: Option<Vec<Vec<usize>>>,
}

/// Takes the lowest priority, is the first to be ended where the machine has no memory left, and keeps off the processors to which games
/// of these runs are pinned, where one is left. Threads that are started later do the same.
///
/// # Errors
/// When the machine does not allow it.
pub fn stand_back(runs: &[PathBuf]) -> io::Result<()> {
    rustix::process::setpriority_process(None, LOWEST)?;
    // Where there is no such file, or none for this process, it is one among others.
    let _ = goes_first();
    let taken: BTreeSet<usize> = runs.iter().flat_map(|run| pinned(run)).collect();
    let topology = Topology::of_this_machine()?;
    let is_free = |core: usize| {
        !topology
            .cpus
            .iter()
            .any(|cpu| cpu.core == core && taken.contains(&cpu.id))
    };
    let left: Vec<usize> = topology
        .cpus
        .iter()
        .filter(|cpu| is_free(cpu.core))
        .map(|cpu| cpu.id)
        .collect();
    if taken.is_empty() || left.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    left.into_iter().for_each(|cpu| set.set(cpu));
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}

/// The niceness of what is least urgent.
const LOWEST: i32 = 19;
/// What the kernel counts for a process that is to be ended before any other, when memory is short.
const FIRST_TO_GO: &[u8] = b"1000";

fn goes_first() -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    let file = rustix::fs::open("/proc/self/oom_score_adj", flags, Mode::empty())?;
    rustix::io::write(&file, FIRST_TO_GO)?;
    Ok(())
}

/// To which processors the games of a run are pinned, as its manifest says.
fn pinned(run: &std::path::Path) -> Vec<usize> {
    let text = std::fs::read(run.join("manifest.json")).unwrap_or_default();
    let manifest = serde_json::from_slice::<RunManifest>(&text).ok();
    let cpus = manifest.and_then(|manifest| manifest.seating?.cpus_of_each_game);
    cpus.unwrap_or_default().into_iter().flatten().collect()
}
