//! The first entry of a new run: what it is made of. Every agent is started once, so that its options can be checked.
//!
//! May not: make anything, or move it.

use crate::game::handshake::StartFailure;
use crate::shell::agents;
use crate::shell::engine::EngineCommand;
use crate::tournament::event::{Agent, Created, FileHash, Format, LOG_VERSION};
use crate::tournament::roster;
use crate::tournament::setup::PlayerKeys;
use crate::tournament::tour::TourEvent;

use super::error::RunError;
use super::event_file::EventFile;
use super::materials::Materials;
use super::notice::Notice;
use super::room::{self, Room};
use super::roster_lock;

pub(super) fn create(
    event: &EventFile,
    materials: &Materials,
    tour: Option<Vec<TourEvent>>,
    room: &Room,
    tell: &mut dyn FnMut(Notice),
) -> Result<Created, RunError> {
    let setup = &event.loaded.setup;
    if let Some(honoured) = roster_lock::honour(event, materials)? {
        tell(honoured);
    }
    let plan = setup.plan();
    // "The list of tie-breaks and variations are printed and locked before round 1": they decide results, so they stay.
    if tour.is_none() {
        let order = setup.standings.order.iter().map(ToString::to_string);
        tell(Notice::RankedBy(order.collect()));
    }
    let agents = introduce(event, materials, room, tell)?;
    for doubt in room::options_left_out(setup, &agents) {
        tell(Notice::Doubt(doubt));
    }
    if plan.format == Format::AllPlayAll {
        tell(Notice::AllPlayAll {
            players: setup.players.len(),
            rounds: plan.rounds,
        });
    }
    Ok(Created {
        log_version: LOG_VERSION,
        software: env!("CARGO_PKG_VERSION").to_owned(),
        setup: setup.clone(),
        rounds: plan.rounds,
        format: plan.format,
        order: roster::starting_order(&setup.players, setup.swiss.seeding, setup.event.rng_seed),
        agents,
        openings: materials.suite.clone(),
        tour,
    })
}

/// Starts every agent once: what it is made of, and what it says of itself.
fn introduce(
    event: &EventFile,
    materials: &Materials,
    room: &Room,
    tell: &mut dyn FnMut(Notice),
) -> Result<Vec<Agent>, RunError> {
    let loaded = &event.loaded;
    let players = &loaded.setup.players;
    tell(Notice::Introducing(players.len()));
    let introductions = agents::introduce(&materials.commands, room.at_once()).map_err(RunError::machine)?;
    let mut agents = Vec::new();
    for (index, introduction) in introductions.into_iter().enumerate() {
        let (player, command) = (&players[index], &materials.commands[index]);
        let introduction = match introduction {
            Ok(introduction) => Some(introduction),
            Err(StartFailure::Option(refused)) => {
                return Err(room::option_refused(loaded, index, command, &refused).into());
            }
            Err(failure @ StartFailure::TooLong) => {
                return Err(loaded.error_at_player(index, "player.args", failure.to_string()).into());
            }
            Err(failure @ StartFailure::Host(_)) => {
                return Err(RunError::Machine(format!("{}: {failure}", player.name)));
            }
            Err(failure) => {
                tell(Notice::DoesNotStart {
                    player: player.name.clone(),
                    why: failure.to_string(),
                });
                None
            }
        };
        let agent = agents::agent(command, materials.files[index].clone(), introduction.as_ref());
        // One that starts by changing what it is made of could not be gone on with.
        if let Ok(now) = agents::hash_files(command, player) {
            for line in changed_files(player, &agent, &now, command) {
                tell(Notice::ChangesItself(line));
            }
        }
        agents.push(agent);
    }
    Ok(agents)
}

/// What of a player's agent is not as it was, one sentence each.
pub(super) fn changed_files(
    player: &PlayerKeys,
    agent: &Agent,
    now: &[FileHash],
    command: &EngineCommand,
) -> Vec<String> {
    let lines = agents::changed_files(&agent.files, now, command, player).into_iter();
    lines.map(|line| format!("{}: {line}", player.name)).collect()
}
