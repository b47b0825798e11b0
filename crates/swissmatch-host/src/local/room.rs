//! Whether this machine has room for the games at once, looked at before anything is made or moved.
//!
//! May not: start a game.

use swiss_system::text::escaped;
use swiss_system::word::Word as _;

use crate::gpus::Gpu;
use crate::host::{AgentSpec, Refused};
use crate::topology::Topology;
use crate::{begun, machine};
use swissmatch_tournament::setup::RunKeys;

use super::cores::{self, Needs, NoRoom, Seating};

/// Where games are played whose engines have one thread each, with so many `files` open meanwhile: no event takes less.
///
/// # Errors
/// When this program did not begin as it has to, or the machine has no room; the key that asks for too much is named.
pub(super) fn at_least(run: &RunKeys, files: usize) -> Result<Seating, Refused> {
    begun::require_begun().map_err(|error| Refused::Machine(error.to_string()))?;
    let seating = plan(run, 1, "")?;
    machine::raise_descriptor_limit(seating.games, files)
        .and_then(|()| machine::raise_process_limit(seating.games))
        .map_err(Refused::Machine)?;
    Ok(seating)
}

/// Where the games of these agents are played, with the threads on which each thinks: any two of them may meet.
///
/// # Errors
/// When the machine has no room for the most demanding pair.
pub(super) fn seat(run: &RunKeys, agents: &[AgentSpec], threads: &[usize]) -> Result<Seating, Refused> {
    let needs = |(agent, threads): (&AgentSpec, &usize)| Needs {
        threads: *threads,
        ponders: agent.ponder,
    };
    let of_each: Vec<Needs> = agents.iter().zip(threads).map(needs).collect();
    let Some((threads, pair)) = cores::most_demanding(&of_each).filter(|(threads, _)| *threads > 1) else {
        return plan(run, 1, "");
    };
    let named = pair.map(|at| {
        let name = escaped(&agents[at].player.name);
        let ponders = if of_each[at].ponders { ", ponders" } else { "" };
        format!("{name}: {}{ponders}", of_each[at].threads)
    });
    plan(run, threads, &format!(" (threads of {})", named.join("; ")))
}

/// The GPUs that agents are given, of those that the machine has.
///
/// # Errors
/// When one is not there.
pub(super) fn gpus(named: &[u32], there: &[Gpu]) -> Result<Vec<Gpu>, Refused> {
    let found = |number: &u32| there.iter().find(|gpu| gpu.number == *number).cloned().ok_or(*number);
    let gpus: Result<Vec<Gpu>, u32> = named.iter().map(found).collect();
    gpus.map_err(|number| {
        let node = |gpu: &Gpu| format!("{} ({}, {})", gpu.number, gpu.maker.word(), gpu.nodes[0]);
        let there: Vec<String> = there.iter().map(node).collect();
        Refused::Key {
            key: "run.gpus".to_owned(),
            message: format!("GPU {number} has no device node on this machine"),
            help: match there.is_empty() {
                true => "no GPU is found here: see whether its driver is loaded, and its nodes are in /dev".to_owned(),
                false => format!("the GPUs here are {}", there.join(", ")),
            },
        }
    })
}

fn plan(run: &RunKeys, threads: usize, whose: &str) -> Result<Seating, Refused> {
    let topology = Topology::of_this_machine().map_err(|error| Refused::Machine(error.to_string()))?;
    Seating::plan(run, &topology, threads).map_err(|why| Refused::Key {
        key: match why {
            NoRoom::Threads { .. } => "run.concurrency",
            NoRoom::Pins { .. } => "run.pin",
        }
        .to_owned(),
        message: format!("{why}{whose}"),
        help: why.remedy(),
    })
}
