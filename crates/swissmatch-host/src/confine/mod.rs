//! An isolated agent: what it may reach is settled by the player, and applied by a process between its keeper and itself.
//!
//! | file | what |
//! |---|---|
//! | `jail` | that process: it shuts itself in, and becomes the agent |
//! | `files`, `calls` | the kernel's rules on files and on system calls, Landlock and seccomp |
//! | `enter` | its start, in the keeper |
//! | `bwrap` | namespaces around it, by bubblewrap |
//! | `init` | the first process of these, where the agent has no control group |
//! | `system` | what every agent may read |
//! | `shared` | what is put in the place of devices and figures that all agents would share |
//! | `programs`, `known` | which programs an agent may run, and what of this machine is an engine or a compiler |
//! | `inside` | a process that tries from within what is closed |
//! | `isolator` | what an agent may reach, with `grants` (what it is given by name), `interpreter`, `prefix` (where one is installed), `shim` (which one pyenv would take) and `scratch`, its scratch directory |
//! | `probe` | what this machine gives, by what that found |
//! | `denied` | what an agent that does not start seems to lack |
//!
//! May not: be done by the keeper itself, which has to see the processes that it ends.

mod bwrap;
mod calls;
pub(crate) mod denied;
pub(super) mod enter;
mod files;
pub(super) mod grants;
pub(super) mod init;
pub(super) mod inside;
pub mod interpreter;
pub mod isolator;
pub(super) mod jail;
pub(crate) mod known;
mod prefix;
pub(crate) mod probe;
mod programs;
mod shared;
pub(super) mod shim;
mod system;
mod user;

use std::path::Path;

use crate::launch::Confinement;

impl Confinement {
    /// Processes that its namespaces need, beside its own.
    pub(super) fn helpers(&self) -> u64 {
        if self.bubblewrap.is_some() { bwrap::PROCESSES } else { 0 }
    }

    /// Lets so many engines of the agent run at once: the kernel counts what its own user has of all of them together.
    pub(super) fn run_at_once(&mut self, engines: usize) {
        let engines = u64::try_from(engines).unwrap_or(u64::MAX);
        if self.user.is_some() {
            self.processes = self.processes.map(|most| most.saturating_mul(engines));
        }
    }

    /// Where it has file systems of its own, in memory.
    pub(super) fn in_memory(&self) -> &'static [&'static str] {
        if self.bubblewrap.is_some() { system::OWN } else { &[] }
    }

    fn reads(&self) -> impl Iterator<Item = &Path> {
        self.reads.iter().map(Path::new)
    }

    fn directories(&self) -> impl Iterator<Item = &Path> {
        self.directories.iter().map(Path::new)
    }

    fn hidden(&self) -> impl Iterator<Item = &Path> {
        self.hidden.iter().map(Path::new)
    }

    /// Whether what is hidden is covered, too.
    fn covers(&self) -> bool {
        self.bubblewrap.is_some() && self.hidden.len() <= bwrap::MOST_COVERS
    }

    fn copies(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.copies
            .iter()
            .map(|(copy, over)| (Path::new(copy), Path::new(over)))
    }

    fn devices(&self) -> impl Iterator<Item = &Path> {
        let of_everybody = system::DEVICES.iter().map(Path::new);
        of_everybody.chain(self.devices.iter().map(Path::new))
    }

    fn writes(&self) -> impl Iterator<Item = &Path> {
        self.writes.iter().map(Path::new)
    }
}
