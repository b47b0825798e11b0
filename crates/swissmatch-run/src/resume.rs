//! The entry that takes a run up again, refused where its results would no longer be those of one event.
//!
//! May not: change what is stored.

use std::path::Path;

use swiss_system::pairing::history::PairingNumber;

use swissmatch_config::{self as config, Class, KeyChange, LoadedEvent, Origin};
use swissmatch_host::store::LoggedEntry;
use swissmatch_tournament::log::{Act, Entry, RunResumed, TourEvent};
use swissmatch_tournament::setup::{Anchor, PresenceCheck};
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

use super::error::RunError;
use super::event_file::EventFile;
use super::materials::Materials;
use super::notice::Notice;
use super::stored::StoredLog;

/// Adds the late entries of a run that is to go on to the players of its event file.
pub(super) fn take_in_late_entries(loaded: &mut LoadedEvent, logged: &[LoggedEntry]) {
    for LoggedEntry { entry, .. } in logged {
        if let Entry::Acted(acted) = entry
            && let Act::Enter { player, .. } = &acted.act
        {
            loaded.setup.players.push((**player).clone());
        }
    }
}

/// A run goes on by the rules that it began with: where its event file does not give a key that came after it, its own value stays. Web
/// servers that it had as anchors are told nothing any more.
pub(super) fn keep_its_rules(loaded: &mut LoadedEvent, stored: &StoredLog) {
    let run = stored.state.setup();
    let had = |anchor: &Anchor| {
        stored.others.iter().any(|logged| match &logged.entry {
            Entry::Created(created) => created.setup.run.anchor.contains(anchor),
            Entry::Resumed(resumed) => resumed.setup.run.anchor.contains(anchor),
            _ => false,
        })
    };
    let anchors = &mut loaded.setup.run.anchor;
    anchors.retain(|anchor| !(matches!(anchor, Anchor::Web(_)) && had(anchor)));
    let is_given = |loaded: &LoadedEvent, key| matches!(loaded.origin(key), Some(Origin::File(_) | Origin::Flag(_)));
    if !is_given(loaded, "game.flag_fall") {
        loaded.setup.game.flag_fall = run.game.flag_fall;
    }
    // Before there was "auto" nobody was stopped unless the event said so.
    if !is_given(loaded, "game.freeze") {
        loaded.setup.game.freeze = run.game.freeze;
    }
    // Before there was the key sealed agents ran any program.
    if !is_given(loaded, "engine.exec") {
        loaded.setup.engine.exec.clone_from(&run.engine.exec);
    }
    if !is_given(loaded, "standings.black_wins") {
        loaded.setup.standings.black_wins = run.standings.black_wins;
    }
}

/// The entry that takes up the run in `dir`, which has come to `state`. There is none where the run is over and nothing has changed.
pub(super) fn resume(
    event: &EventFile,
    materials: &Materials,
    tour: Option<&Vec<TourEvent>>,
    state: &State,
    dir: &Path,
    tell: &mut dyn FnMut(Notice),
) -> Result<Option<RunResumed>, RunError> {
    let setup = &event.loaded.setup;
    let mut changes = config::difference(state.setup(), setup);
    changes.retain(|change| change.class != Class::Beginning);
    let mut refused: Vec<String> = changes
        .iter()
        .filter(|change| change.class == Class::Results)
        .map(describe)
        .collect();
    // With other players their files cannot be compared one by one, and need not be.
    if refused.is_empty() {
        refused.extend(changed_agents(event, materials, state, tell));
        let (old, new) = (&state.created().openings, &materials.suite);
        if old.sha256 != new.sha256 {
            refused.push(format!("the openings {} have changed", new.source));
        }
        if state.created().tour.as_ref() != tour {
            refused.push("the events of the tour have changed".to_owned());
        }
    }
    if !refused.is_empty() {
        return Err(RunError::Changed {
            dir: dir.to_path_buf(),
            differences: refused,
        });
    }
    for change in &changes {
        tell(Notice::KeyChanged(describe(change)));
    }
    if event_is_over(state) && changes.is_empty() {
        return Ok(None);
    }
    Ok(Some(RunResumed {
        software: env!("CARGO_PKG_VERSION").to_owned(),
        setup: setup.clone(),
        machine: None,
    }))
}

/// What of the agents is not as it was, but for those whose absence that makes.
fn changed_agents(
    event: &EventFile,
    materials: &Materials,
    state: &State,
    tell: &mut dyn FnMut(Notice),
) -> Vec<String> {
    let setup = &event.loaded.setup;
    let created = state.created();
    let mut refused = Vec::new();
    let of_each = setup.players.iter().zip(&created.agents).zip(&materials.found);
    for (entry, ((player, agent), found)) in of_each.enumerate() {
        let lines = found.changes(&agent.files).into_iter();
        let lines = lines.map(|line| format!("{}: {line}", player.name));
        let number = created.order.iter().position(|&of| of == entry);
        let number = number.map(PairingNumber::from_index);
        let is_gone = number.is_some_and(|number| state.orders().gone.contains_key(&number));
        if setup.presence.check == PresenceCheck::BeforeEachRound || is_gone {
            // "A registered agent with unchanged hash": it is absent from the next pairing on.
            lines.for_each(|line| tell(Notice::AgentChanged(line)));
        } else {
            refused.extend(lines);
        }
    }
    refused
}

fn describe(change: &KeyChange) -> String {
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
    format!("{}: was {}, is {}", change.key, value(&change.old), value(&change.new))
}
