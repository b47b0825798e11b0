//! Whether the machine has room for the games at once, looked at before anything is made or moved; and how agents take the
//! options of the event file.
//!
//! May not: start a game.

use std::collections::BTreeMap;

use crate::config::{ConfigError, Loaded};
use crate::game::transcript::escape;
use crate::game::uci::OptionRefused;
use crate::game::variant;
use crate::shell::agents;
use crate::shell::engine::EngineCommand;
use crate::shell::host::local::cores::{self, Needs, NoRoom, Seating};
use crate::shell::topology::Topology;
use crate::shell::{machine, roles};
use crate::tournament::event::Agent;
use crate::tournament::setup::{PlayerKeys, Setup};

use super::error::RunError;

/// What this machine has room for.
#[derive(Debug)]
pub struct Room {
    topology: Topology,
    /// Games at once if none had more than one thread.
    at_once: usize,
}

impl Room {
    /// Looks at the machine and at this program, and refuses what it has no room for even with one thread a game; so many `files` stay open.
    ///
    /// # Errors
    /// When it has no room; the key that asks for too much is named.
    pub fn of_this_machine(loaded: &Loaded, files: usize) -> Result<Self, RunError> {
        roles::require_begun().map_err(RunError::machine)?;
        let topology = Topology::of_this_machine().map_err(RunError::machine)?;
        let seating = Seating::plan(&loaded.setup.run, &topology, 1).map_err(|why| refuse(loaded, &why, ""))?;
        let at_once = seating.games;
        let raised =
            machine::raise_descriptor_limit(at_once, files).and_then(|()| machine::raise_process_limit(at_once));
        raised.map_err(RunError::Machine)?;
        Ok(Self { topology, at_once })
    }

    /// Agents that may be started at once before the event.
    #[must_use]
    pub const fn at_once(&self) -> usize {
        self.at_once
    }

    /// Where the games of these agents are played: any two of them may meet.
    ///
    /// # Errors
    /// When it has no room for the most demanding pair.
    pub fn seat(&self, loaded: &Loaded, agents: &[Agent], commands: &[EngineCommand]) -> Result<Seating, RunError> {
        let needs = |(agent, command): (&Agent, &EngineCommand)| Needs {
            threads: agents::threads(agent, command),
            ponders: command.ponder,
        };
        let of_each: Vec<Needs> = agents.iter().zip(commands).map(needs).collect();
        let (threads, whose) = match cores::most_demanding(&of_each) {
            Some((threads, pair)) if threads > 1 => {
                let named = pair.map(|at| {
                    let name = escape(loaded.setup.players[at].name.as_bytes());
                    let ponders = if of_each[at].ponders { ", ponders" } else { "" };
                    format!("{name}: {}{ponders}", of_each[at].threads)
                });
                (threads, format!(" (threads of {})", named.join("; ")))
            }
            _ => (1, String::new()),
        };
        Seating::plan(&loaded.setup.run, &self.topology, threads).map_err(|why| refuse(loaded, &why, &whose))
    }
}

/// Games that this machine plays at once where the event does not say, by the threads that it gives its agents.
///
/// # Errors
/// When the machine does not tell its processors.
pub fn games_at_once(setup: &Setup) -> Result<usize, RunError> {
    let needs = |player: &PlayerKeys| Needs {
        threads: setup.options(player).threads_asked_for() as usize,
        ponders: setup.ponders(player),
    };
    let of_each: Vec<Needs> = setup.players.iter().map(needs).collect();
    let threads = cores::most_demanding(&of_each).map_or(1, |(threads, _)| threads);
    let topology = Topology::of_this_machine().map_err(RunError::machine)?;
    Ok(topology.at_once(threads))
}

fn refuse(loaded: &Loaded, why: &NoRoom, whose: &str) -> RunError {
    let key = match why {
        NoRoom::Threads { .. } => "run.concurrency",
        NoRoom::Pins { .. } => "run.pin",
    };
    RunError::Event(ConfigError {
        help: Some(why.remedy()),
        ..loaded.error_at(key, format!("{why}{whose}"))
    })
}

/// An option of the event file does not fit the engine of a player.
#[must_use]
pub fn option_refused(loaded: &Loaded, player: usize, command: &EngineCommand, refused: &OptionRefused) -> ConfigError {
    let message = refused.to_string();
    match refused {
        OptionRefused::Unknown { name, .. } if name == variant::OPTION => loaded.error_at_player(
            player,
            "player.command",
            format!("it does not play Chess960 (game.variant): it has no option {name}"),
        ),
        OptionRefused::Value { name, .. } if !command.options.has_own(name) => {
            let name = escape(loaded.setup.players[player].name.as_bytes());
            let help = format!("give {name} a value of its own in player.options");
            ConfigError {
                help: Some(help),
                ..loaded.error_at("engine.options", format!("{name}: {message}"))
            }
        }
        _ => loaded.error_at_player(player, "player.options", message),
    }
}

/// Which engines do not have an option for all: they play without it.
pub fn options_left_out(setup: &Setup, agents: &[Agent]) -> Vec<String> {
    let mut without: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (player, agent) in setup.players.iter().zip(agents) {
        for option in agent.introduction.iter().flat_map(|said| &said.options_left_out) {
            without.entry(option).or_default().push(escape(player.name.as_bytes()));
        }
    }
    let sentence = |(option, players): (&str, Vec<String>)| {
        format!(
            "engine.options: these engines have no option {option}, and play without it: {}",
            players.join(", ")
        )
    };
    without.into_iter().map(sentence).collect()
}
