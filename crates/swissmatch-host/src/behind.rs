//! A process that only shows what happens steps back behind games that are played on this machine.
//!
//! May not: touch another process.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use rustix::fs::{Mode, OFlags};
use rustix::thread::CpuSet;
use serde::Deserialize;

use super::topology::Topology;

/// What the manifest of a run says about where its games are played.
#[derive(Deserialize)]
struct RunManifest {
    seating: Option<ManifestSeating>,
}

#[derive(Deserialize)]
struct ManifestSeating {
    cpus_of_each_game: Option<Vec<Vec<usize>>>,
}

/// Gives this process the lowest priority, makes it the first to be killed when memory runs out, and keeps it off
/// processors that games of these runs are pinned to, if others are left. The same holds for threads that it starts
/// later.
///
/// # Errors
/// The machine does not allow it.
pub fn stand_back(runs: &[PathBuf]) -> io::Result<()> {
    rustix::process::setpriority_process(None, LOWEST)?;
    // Without such a file, or permission to write it, this process is one among others.
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

/// The niceness of the least urgent processes.
const LOWEST: i32 = 19;
/// The kernel's score of a process that is to be killed first when memory is short.
const FIRST_TO_GO: &[u8] = b"1000";

fn goes_first() -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    let file = rustix::fs::open("/proc/self/oom_score_adj", flags, Mode::empty())?;
    rustix::io::write(&file, FIRST_TO_GO)?;
    Ok(())
}

/// The processors that the games of a run are pinned to, by its manifest.
fn pinned(run: &std::path::Path) -> Vec<usize> {
    let text = std::fs::read(run.join("manifest.json")).unwrap_or_default();
    let manifest = serde_json::from_slice::<RunManifest>(&text).ok();
    let cpus = manifest.and_then(|manifest| manifest.seating?.cpus_of_each_game);
    cpus.unwrap_or_default().into_iter().flatten().collect()
}
