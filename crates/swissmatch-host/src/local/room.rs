//! Whether this machine has room for the games at once; checked before anything is made or moved.
//!
//! May not: start a game.

use swiss_system::text::escaped;
use swiss_system::word::Word as _;

use crate::gpus::Gpu;
use crate::host::{AgentSpec, HostError};
use crate::topology::Topology;
use crate::{begun, machine};
use swissmatch_tournament::setup::HostKeys;

use super::cores::{self, Needs, Seating, SeatingError};

/// Descriptors of a slot: the broker's ends of the streams of two agents, one more while one is replaced, and two
/// connections to web services. Connections to endpoints have their own bound.
const STREAMS_A_SLOT: usize = 3 + 2;

/// Where the games of these agents are played if each has one thread, with `beside` games beside them that need no core
/// and `files` files open meanwhile: no event with them takes less.
///
/// # Errors
/// The program did not begin as it has to, or the machine has no room; the error names the key that asks for too much.
pub(super) fn at_least(
    run: &HostKeys,
    agents: &[AgentSpec],
    beside: usize,
    files: usize,
) -> Result<Seating, HostError> {
    begun::require_begun().map_err(|error| HostError::Machine(error.to_string()))?;
    let needs_cores = agents.iter().any(|agent| !agent.player.is_elsewhere());
    let seating = plan(run, usize::from(needs_cores), "")?.with(beside);
    let has_elsewhere = agents.iter().any(|agent| agent.player.is_elsewhere());
    let streams = if has_elsewhere {
        STREAMS_A_SLOT * seating.all()
    } else {
        0
    };
    machine::raise_descriptor_limit(seating.all(), files + streams)
        .and_then(|()| machine::raise_process_limit(seating.all(), has_elsewhere))
        .map_err(HostError::Machine)?;
    Ok(seating)
}

/// Where the games of these agents are played, given the threads that each thinks with: any two of them may meet.
///
/// # Errors
/// The machine has no room for the most demanding pair.
pub(super) fn seat(run: &HostKeys, agents: &[AgentSpec], threads: &[usize]) -> Result<Seating, HostError> {
    let needs = |(agent, threads): (&AgentSpec, &usize)| Needs {
        // A player that is asked elsewhere waits nearly all the time.
        threads: if agent.player.is_elsewhere() { 0 } else { *threads },
        ponders: agent.ponder,
    };
    let of_each: Vec<Needs> = agents.iter().zip(threads).map(needs).collect();
    let (threads, pair) = match cores::most_demanding(&of_each) {
        None => return plan(run, 1, ""),
        Some((threads @ 0..=1, _)) => return plan(run, threads, ""),
        Some(most) => most,
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
/// One of them is not there.
pub(super) fn gpus(named: &[u32], there: &[Gpu]) -> Result<Vec<Gpu>, HostError> {
    let found = |number: &u32| there.iter().find(|gpu| gpu.number == *number).cloned().ok_or(*number);
    let gpus: Result<Vec<Gpu>, u32> = named.iter().map(found).collect();
    gpus.map_err(|number| {
        let node = |gpu: &Gpu| format!("{} ({}, {})", gpu.number, gpu.maker.word(), gpu.nodes[0]);
        let there: Vec<String> = there.iter().map(node).collect();
        HostError::Key {
            key: "run.gpus".to_owned(),
            message: format!("GPU {number} has no device node on this machine"),
            help: match there.is_empty() {
                true => "no GPU is found here: see whether its driver is loaded, and its nodes are in /dev".to_owned(),
                false => format!("the GPUs here are {}", there.join(", ")),
            },
        }
    })
}

fn plan(run: &HostKeys, threads: usize, whose: &str) -> Result<Seating, HostError> {
    let topology = Topology::of_this_machine().map_err(|error| HostError::Machine(error.to_string()))?;
    Seating::plan(run, &topology, threads).map_err(|why| HostError::Key {
        key: match why {
            SeatingError::Threads { .. } => "run.concurrency",
            SeatingError::Pins { .. } => "run.pin",
        }
        .to_owned(),
        message: format!("{why}{whose}"),
        help: why.remedy(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_tournament::setup::{PlayerKeys, Setup};

    /// Threads of a game in an event whose first player is an engine that ponders.
    fn threads(others: &[PlayerKeys]) -> usize {
        let engine = PlayerKeys {
            ponder: Some(true),
            ..PlayerKeys::default()
        };
        let setup = Setup::default();
        let players = [&[engine][..], others].concat();
        let agents: Vec<AgentSpec> = players
            .iter()
            .map(|player| AgentSpec::of_player(player, &setup))
            .collect();
        let run = HostKeys {
            oversubscribe: true,
            ..HostKeys::default()
        };
        seat(&run, &agents, &vec![4; agents.len()]).expect("room").threads
    }

    #[test]
    fn against_one_who_is_asked_over_the_network_an_engine_has_its_own_cores_alone() {
        let model = PlayerKeys {
            model: Some("local:m".to_owned()),
            ..PlayerKeys::default()
        };
        let web = PlayerKeys {
            move_url: Some("http://localhost/move".to_owned()),
            ..PlayerKeys::default()
        };
        let script = PlayerKeys {
            move_command: vec!["./move.sh".to_owned()],
            ..PlayerKeys::default()
        };
        assert_eq!(threads(&[model.clone(), web.clone()]), 4);
        assert_eq!(threads(&[model, web, script]), 8);
    }
}
