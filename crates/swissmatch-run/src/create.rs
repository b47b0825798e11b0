//! The first entry of a new run: what it is made of. Every agent is started once, so that its options can be checked.
//!
//! May not: make anything, or move it.

use std::path::Path;

use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::text::escaped;

use swissmatch_config::LoadedEvent;
use swissmatch_game::handshake::{Cause, StartError};
use swissmatch_game::isolation::UnopenedFile;
use swissmatch_tournament::log::{Agent, AgentIntroduction, LOG_VERSION, RunCreated, TourEvent};
use swissmatch_tournament::roster;

use super::error::RunError;
use super::event_file::EventFile;
use super::hosted::HostConnection;
use super::introduction::{self, options_left_out, options_unread};
use super::ladder;
use super::locked;
use super::materials::Materials;
use super::notice::Notice;
use super::trial;

/// The first entry of the run of an event, which will be in `path`.
///
/// # Errors
/// When an agent does not start, or is not as it was locked.
pub(super) fn create(
    (event, path): (&EventFile, &Path),
    materials: &Materials,
    tour: Option<Vec<TourEvent>>,
    hosted: &mut HostConnection,
    tell: &mut dyn FnMut(Notice),
) -> Result<RunCreated, RunError> {
    let setup = &event.loaded.setup;
    if let Some(honoured) = locked::honour(event, materials)? {
        tell(honoured);
    }
    let plan = setup.plan();
    // "The list of tie-breaks and variations are printed and locked before round 1": they decide results, so they stay.
    if tour.is_none() && setup.ladder.round.is_none() {
        let order = setup.standings.order.iter().map(ToString::to_string);
        tell(Notice::RankedBy(order.collect()));
    }
    let known = ladder::introduced(event, materials, path)?;
    let agents = introduce(event, (materials, known), hosted, tell)?;
    for doubt in options_left_out(setup, &agents)
        .into_iter()
        .chain(options_unread(setup, &agents))
    {
        tell(Notice::Doubt(doubt));
    }
    if plan.format == TournamentFormat::AllPlayAll && setup.players.len() > 2 {
        tell(Notice::AllPlayAll {
            players: setup.players.len(),
            rounds: plan.rounds,
            cycles: setup.swiss.rounds.cycles(),
        });
    }
    Ok(RunCreated {
        log_version: LOG_VERSION,
        software: env!("CARGO_PKG_VERSION").to_owned(),
        setup: setup.clone(),
        rounds: plan.rounds,
        format: plan.format,
        order: roster::starting_order(&setup.players, setup.swiss.seeding, setup.event.rng_seed),
        agents,
        openings: materials.suite.clone(),
        tour,
        // As the host says when it opens its slots.
        machine: None,
    })
}

/// What the agent of the player at `index` said of a file that it could not open.
fn unopened_in_words(loaded: &LoadedEvent, index: usize, unopened: &UnopenedFile) -> String {
    let sentence = format!("{} {}", escaped(&loaded.setup.players[index].name), unopened.sentence());
    match &unopened.lack {
        Some(lack) => loaded.error_at_player(index, &lack.key, sentence).to_string(),
        None => sentence,
    }
}

/// Has every agent started once of which it is not known what it says of itself: what it is made of, and what it says.
fn introduce(
    event: &EventFile,
    (materials, known): (&Materials, Vec<Option<AgentIntroduction>>),
    hosted: &mut HostConnection,
    tell: &mut dyn FnMut(Notice),
) -> Result<Vec<Agent>, RunError> {
    let loaded = &event.loaded;
    let unknown = materials.agents.iter().zip(&known).filter(|(_, known)| known.is_none());
    let unknown: Vec<_> = unknown.map(|(agent, _)| agent.clone()).collect();
    let mut introduced = Vec::new();
    if !unknown.is_empty() {
        tell(Notice::Introducing(unknown.len()));
        introduced = hosted.introduce(unknown, loaded)?;
    }
    let mut introduced = introduced.into_iter();
    let (mut agents, mut dead) = (Vec::new(), Vec::new());
    for (index, known) in known.into_iter().enumerate() {
        let player = &loaded.setup.players[index];
        if known.is_some() {
            agents.push(materials.found[index].agent(&materials.agents[index], known));
            continue;
        }
        let introduced = introduced.next().expect("as many as were asked for");
        let said = match introduced.said {
            Ok(mut said) => {
                for unopened in &mut said.unopened {
                    trial::that_opens(event, hosted, index, unopened)?;
                }
                Some(said)
            }
            Err(failure @ (StartError::Option(_) | StartError::TooLong | StartError::Host(_))) => {
                let spec = &materials.agents[index];
                return Err(introduction::failed(
                    loaded,
                    index,
                    spec,
                    &failure,
                    (introduced.printed, introduced.lacks, introduced.cause),
                ));
            }
            Err(failure) if loaded.setup.engine.must_start => {
                let spec = &materials.agents[index];
                let lacks = trial::that_help(event, hosted, index, introduced.lacks)?;
                let last = (introduced.printed, lacks, introduced.cause);
                dead.push(introduction::not_started(loaded, index, spec, &failure, last));
                continue;
            }
            Err(failure) => {
                tell(Notice::DoesNotStart {
                    player: player.name.clone(),
                    why: Cause::in_words(introduced.cause.as_ref(), &failure),
                    printed: introduced.printed.last().cloned(),
                });
                None
            }
        };
        for unopened in said.iter().flat_map(|said| &said.unopened) {
            tell(Notice::Doubt(unopened_in_words(loaded, index, unopened)));
        }
        for line in introduced.changes {
            tell(Notice::ChangesItself(format!("{}: {line}", player.name)));
        }
        let found = materials.found[index].clone().without(&introduced.no_names);
        agents.push(found.agent(&materials.agents[index], said));
    }
    match dead.is_empty() {
        true => Ok(agents),
        false => Err(RunError::NotStarted(dead)),
    }
}
