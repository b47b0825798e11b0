//! How many games this machine plays at once.
//!
//! May not: start one.

use swissmatch_host::local::cores::{self, Needs};
use swissmatch_host::topology::Topology;
use swissmatch_tournament::setup::{PlayerKeys, Setup};

use super::error::RunError;

/// Games that this machine plays at once on its cores where the event does not say, by the threads that it gives its agents. Who is asked
/// over the network has none.
///
/// # Errors
/// When the machine does not tell its processors.
pub fn games_on_cores(setup: &Setup) -> Result<usize, RunError> {
    let needs = |player: &PlayerKeys| Needs {
        threads: match player.is_elsewhere() {
            true => 0,
            false => setup.options(player).threads_asked_for() as usize,
        },
        ponders: setup.ponders(player),
    };
    let of_each: Vec<Needs> = setup.players.iter().map(needs).collect();
    let threads = cores::most_demanding(&of_each).map_or(1, |(threads, _)| threads);
    let topology = Topology::of_this_machine().map_err(RunError::machine)?;
    Ok(topology.at_once(threads))
}
