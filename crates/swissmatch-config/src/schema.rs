//! Every key of an event file: its path, its values, its meaning, and whether a resumed run may change it.
//!
//! The one list behind parsing, error messages, the effective configuration, the comparison on resume, the template of
//! `swissmatch init`, docs/keys.md and the JSON Schema. Defaults stand beside the fields of [`Setup`]. May not: know layers or files.

mod adjudication;
mod analysis;
mod arbiter;
mod bye;
mod eligibility;
mod endpoint;
mod engine;
mod event;
mod faults;
mod game;
mod ladder;
mod lichess;
mod mini_match;
mod model;
mod player;
mod playoff;
mod prizes;
mod rules;
mod run;
mod schedule;
mod sections;
mod spending;
mod sprt;
mod stages;
mod standings;
mod stop;
mod submissions;

use std::sync::LazyLock;

use super::kind::{Key, Need, entry, key};
pub(super) use rules::{CHANGING, may_change};
use swissmatch_tournament::setup::{EndpointKeys, PlayerKeys, RulesKeys, Setup};

/// Every key outside `[endpoint.NAME]` and `[[player]]`, in the order in which they are printed.
pub static KEYS: LazyLock<Vec<Key<Setup>>> = LazyLock::new(|| {
    let tables = [
        event::keys(),
        mini_match::keys(),
        game::keys(),
        bye::keys(),
        standings::keys(),
        schedule::keys(),
        playoff::keys(),
        prizes::keys(),
        adjudication::keys(),
        engine::keys(),
        faults::keys(),
        model::keys(),
        spending::keys(),
        sprt::keys(),
        stop::keys(),
        run::keys(),
        analysis::keys(),
        arbiter::keys(),
        lichess::keys(),
        eligibility::keys(),
        submissions::keys(),
        ladder::keys(),
    ];
    tables.into_iter().flatten().collect()
});

/// Every key of an `[endpoint.NAME]`, in the order in which they are printed; a path has no name: `endpoint.url`.
pub static ENDPOINT_KEYS: LazyLock<Vec<Key<EndpointKeys>>> = LazyLock::new(endpoint::keys);

/// The keys of a `[[rules]]` besides those that change; a path is `rules.from`.
pub static RULES_KEYS: LazyLock<Vec<Key<RulesKeys>>> = LazyLock::new(rules::keys);

/// Every key of a `[[player]]`, in the order in which they are printed.
pub static PLAYER_KEYS: LazyLock<Vec<Key<PlayerKeys>>> =
    LazyLock::new(|| player::keys().into_iter().chain(model::of_player()).collect());

/// The keys that a player has, each with its value in TOML, except those that follow from another key.
pub(super) fn given(player: &PlayerKeys) -> impl Iterator<Item = (&'static Key<PlayerKeys>, String)> {
    let nobody = PlayerKeys::default();
    PLAYER_KEYS.iter().filter_map(move |key| {
        if player.is_asked() && ["player.command", "player.args"].contains(&key.path) {
            return None;
        }
        let value = key.write(player)?;
        let is_set = key.need != Need::None || key.write(&nobody).as_ref() != Some(&value);
        is_set.then_some((key, value))
    })
}
