//! How many games are played at once, and on which cores each of them stays.
//!
//! Between the moves of a game three processes wake each other in turn; on one core that takes a third of the time that
//! it takes across cores, and games do not disturb each other. A game gets as many hardware threads as its engines
//! think with at the same time: on cores of their own first, on second threads of cores only if nothing else is left. A
//! game is pinned (`run.pin`) only if the games at once take all cores: otherwise the kernel may know better places.
//!
//! May not: read what the processor is made of; `topology` does.

use std::io;

use rustix::thread::CpuSet;
use swiss_system::count;

use crate::host::SlotGroup;
use swissmatch_tournament::beside::Takes;
use swissmatch_tournament::setup::{HostKeys, Pinning};

use crate::host::AgentSpec;
use crate::topology::{Cpu, Topology};

/// Hardware threads by number.
pub(crate) type CpuList = Vec<usize>;

/// Where the games at once are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seating {
    pub games: usize,
    /// The most threads of a game that think at the same time.
    pub threads: usize,
    /// The hardware threads of each game; `None` if the kernel chooses.
    pub cpus: Option<Vec<CpuList>>,
    /// Games at once beside these, which need no core.
    pub beside: usize,
}

/// Why this many games cannot be played at once.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SeatingError {
    /// There are more threads than hardware threads.
    #[error(
        "{} threads at once ({} of {threads}) are more than the {} that swissmatch may use here",
        games.saturating_mul(*threads),
        count::of(*games, "game", "games"),
        count::of(*available, "hardware thread", "hardware threads")
    )]
    Threads {
        games: usize,
        /// Threads of each game.
        threads: usize,
        /// Hardware threads.
        available: usize,
    },
    /// Each game is to stay on cores of its own, and there are too few.
    #[error("run.pin = \"always\" needs a separate hardware thread for each of {needed}, but there are {available}")]
    Pins {
        /// Threads of all games at once.
        needed: usize,
        /// Hardware threads.
        available: usize,
    },
}

impl SeatingError {
    pub(crate) fn remedy(&self) -> String {
        let allow = "run.oversubscribe = true allows it, for agents that wait for something other than the processor";
        match self {
            Self::Threads { threads, available, .. } if threads <= available => {
                format!("lower run.concurrency to {} or less; or {allow}", available / threads)
            }
            Self::Threads { .. } => format!("lower the option Threads; or {allow}"),
            Self::Pins { .. } => "write run.pin = \"none\", or lower run.concurrency".to_owned(),
        }
    }
}

/// What an agent needs of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The number of threads that it thinks with.
    pub threads: usize,
    /// It thinks while its opponent does.
    pub ponders: bool,
}

/// The largest number of threads that think at the same time in a game, and the indices of the two agents of that game.
/// In a game one agent thinks at a time, or both if one ponders. Any two may meet; `None` if there are fewer than two.
pub fn most_demanding(agents: &[Needs]) -> Option<(usize, [usize; 2])> {
    let pairs = (0..agents.len()).flat_map(|one| (0..one).map(move |other| [other, one]));
    let of_game = |pair: [usize; 2]| {
        let [one, other] = pair.map(|at| agents[at]);
        match one.ponders || other.ponders {
            true => one.threads + other.threads,
            false => one.threads.max(other.threads),
        }
    };
    // Of equal ones the last would be taken.
    let games = pairs.map(|pair| (of_game(pair), pair)).rev();
    games.max_by_key(|(threads, _)| *threads)
}

impl Seating {
    /// Where games are played, each with at most `threads` threads that think at the same time. If no agent has any,
    /// there is room for late entries with one.
    ///
    /// # Errors
    /// The machine is too small for it, and `run.oversubscribe` does not allow that.
    pub(crate) fn plan(run: &HostKeys, topology: &Topology, threads: usize) -> Result<Self, SeatingError> {
        let games = match run.concurrency {
            Some(games) => games as usize,
            None => topology.at_once(threads),
        };
        let needs_cores = threads > 0;
        let threads = threads.max(1);
        let (needed, available) = (games.saturating_mul(threads), topology.threads());
        if needs_cores && needed > available && !run.oversubscribe {
            return Err(SeatingError::Threads {
                games,
                threads,
                available,
            });
        }
        // If a core is left over, or a control group limits the time, the kernel may know better places.
        let takes_all = needed.saturating_add(threads) > topology.physical_cores();
        let cpus = match run.pin {
            Pinning::None => None,
            Pinning::Auto if !takes_all || needed > available || available < topology.cpus.len() => None,
            Pinning::Auto | Pinning::Always => assign(&topology.cpus, games, threads),
        };
        if needs_cores && run.pin == Pinning::Always && cpus.is_none() {
            return Err(SeatingError::Pins {
                needed,
                available: topology.cpus.len(),
            });
        }
        Ok(Self {
            games,
            threads,
            cpus,
            beside: 0,
        })
    }

    /// Adds this many games beside them that need no core.
    #[must_use]
    pub(crate) fn with(self, beside: usize) -> Self {
        Self { beside, ..self }
    }

    /// The slots by what they take, for games with `gpus` GPUs in all.
    pub(crate) fn groups(&self, gpus: usize) -> Vec<SlotGroup> {
        let on_cores = |takes| SlotGroup {
            slots: self.games,
            takes,
            gpus,
            ..SlotGroup::default()
        };
        match self.beside {
            0 => vec![on_cores(Takes::All)],
            slots => vec![
                on_cores(Takes::OnCores),
                SlotGroup {
                    slots,
                    takes: Takes::Beside,
                    ..SlotGroup::default()
                },
            ],
        }
    }

    /// All games at once.
    pub(crate) const fn all(&self) -> usize {
        self.games.saturating_add(self.beside)
    }

    /// How many of them an agent can be in.
    pub(crate) fn games_of(&self, agent: &AgentSpec) -> usize {
        match agent.player.is_elsewhere() {
            true => self.all(),
            false => self.games,
        }
    }

    /// The hardware threads of each slot, if it has its own; slots beside the cores come last.
    pub(crate) fn slots(&self) -> Vec<Option<CpuList>> {
        (0..self.all())
            .map(|slot| self.cpus.as_ref().and_then(|cpus| cpus.get(slot).cloned()))
            .collect()
    }

    /// A description for the manifest.
    pub(crate) fn describe(&self) -> serde_json::Value {
        let mut described = serde_json::json!({
            "games_at_once": self.all(),
            "threads_of_a_game": self.threads,
            "cpus_of_each_game": self.cpus,
        });
        if self.beside > 0 {
            described["games_beside"] = self.beside.into();
        }
        described
    }
}

/// What the hardware threads of a game share.
type Kin = fn(&Cpu) -> (u32, u32, u32);

/// The strictest first: one kind of core near one memory; any kind there; one package; anywhere.
const KINSHIPS: [Kin; 4] = [
    |cpu| (cpu.package, cpu.node, cpu.capacity),
    |cpu| (cpu.package, cpu.node, 0),
    |cpu| (cpu.package, 0, 0),
    |_| (0, 0, 0),
];

/// Gives each of `games` games `threads` hardware threads of its own: first threads of cores as long as there are
/// enough for a game, wherever they are, then second ones as well; each time as close to each other as possible. `None`
/// if there are too few.
fn assign(cpus: &[Cpu], games: usize, threads: usize) -> Option<Vec<CpuList>> {
    let rank = |cpu: &Cpu| {
        cpus.iter()
            .filter(|other| other.core == cpu.core && other.id < cpu.id)
            .count()
    };
    let mut free: Vec<(usize, Cpu)> = cpus.iter().map(|cpu| (rank(cpu), *cpu)).collect();
    // Within a group: first threads before second ones, strong cores before weak ones.
    free.sort_by_key(|(rank, cpu)| (*rank, std::cmp::Reverse(cpu.capacity), cpu.package, cpu.node, cpu.id));
    let mut games_cpus = Vec::new();
    for _ in 0..games {
        let chosen = take(&free, threads)?;
        free.retain(|(_, cpu)| !chosen.contains(&cpu.id));
        games_cpus.push(chosen);
    }
    Some(games_cpus)
}

/// The best `wanted` of the free ones.
fn take(free: &[(usize, Cpu)], wanted: usize) -> Option<CpuList> {
    for ranks in [0, usize::MAX] {
        let usable: Vec<Cpu> = free
            .iter()
            .filter(|(rank, _)| *rank <= ranks)
            .map(|(_, cpu)| *cpu)
            .collect();
        for kin in KINSHIPS {
            let group = |first: Cpu| {
                usable
                    .iter()
                    .filter(move |cpu| kin(cpu) == kin(&first))
                    .map(|cpu| cpu.id)
            };
            if let Some(first) = usable.iter().find(|first| group(**first).count() >= wanted) {
                let mut chosen: CpuList = group(*first).take(wanted).collect();
                chosen.sort_unstable();
                return Some(chosen);
            }
        }
    }
    None
}

/// Keeps this thread, and every process that it starts from now on, on these hardware threads.
///
/// # Errors
/// The kernel refuses.
pub fn stay_on(cpus: &[usize]) -> io::Result<()> {
    let mut set = CpuSet::new();
    for cpu in cpus {
        set.set(*cpu);
    }
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}

#[cfg(test)]
mod tests;
