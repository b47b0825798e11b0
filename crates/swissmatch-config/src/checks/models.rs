//! Checks of models, their endpoints, the owners of these, access to their keys, and spending there.
//!
//! May not: look for a key or a template; call anything.

use super::isolation::is_by_flag;
use crate::error::nearest;
use crate::layer::endpoints::which;
use crate::value::{quoted, shown};
use crate::{ConfigError, LoadedEvent};
use swissmatch_game::isolation::Isolation;
use swissmatch_tournament::setup::{EVENT, EndpointKeys, MoveSource, PlayerKeys};

/// Refuses models that cannot be asked, owners that do not play, and players who could read a key.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    loaded
        .setup
        .endpoints
        .iter()
        .try_for_each(|endpoint| service(loaded, endpoint))?;
    for (index, player) in loaded.setup.players.iter().enumerate() {
        if let Some(MoveSource::Model(endpoint, _)) = player.asks() {
            model(loaded, index, endpoint)?;
        }
    }
    let with_key = loaded.setup.endpoints.iter().filter(|endpoint| endpoint.has_key());
    with_key.into_iter().try_for_each(|endpoint| keys(loaded, endpoint))
}

/// Refuses a service that cannot be used by itself.
fn service(loaded: &LoadedEvent, endpoint: &EndpointKeys) -> Result<(), ConfigError> {
    let refused = |key: &str, message: String, help: String| {
        Err(ConfigError {
            help: Some(help),
            ..loaded.error_at(&format!("endpoint.{}.{key}", endpoint.name), message)
        })
    };
    if endpoint.key_env.is_some() && endpoint.key_file.is_some() {
        let message = "the key is in a variable or in a file, not in both".to_owned();
        return refused("key_file", message, "leave out key_env or key_file".to_owned());
    }
    let players = &loaded.setup.players;
    if endpoint.owner != EVENT && players.iter().all(|player| player.name != endpoint.owner) {
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        let help = match nearest(&endpoint.owner, &names) {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None => "write \"event\", or the name of the player whose service it is".to_owned(),
        };
        return refused("owner", format!("no player is named {}", shown(&endpoint.owner)), help);
    }
    Ok(())
}

/// Refuses a model that has no endpoint, or no prompt.
fn model(loaded: &LoadedEvent, index: usize, endpoint: &str) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    if setup.endpoint(endpoint).is_none() {
        let names: Vec<String> = setup.endpoints.iter().map(|endpoint| endpoint.name.clone()).collect();
        let message = format!("no endpoint is named {}", shown(endpoint));
        return Err(ConfigError {
            help: Some(which(endpoint, &names)),
            ..loaded.error_at_player(index, "player.model", message)
        });
    }
    if setup.model(&setup.players[index]).prompt.is_none() {
        let message = "missing; a language model needs the template of a prompt".to_owned();
        let help = "write prompt = \"prompts/NAME.jinja\" for this player, or under [model] for all";
        return Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at_player(index, "player.prompt", message)
        });
    }
    Ok(())
}

/// Refuses agents that have the key of an endpoint, or could read it.
fn keys(loaded: &LoadedEvent, endpoint: &EndpointKeys) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let name = &endpoint.name;
    let has_it = |player: &PlayerKeys| {
        let key = endpoint.key_env.as_deref()?;
        let mut variables = player.env.iter();
        variables
            .any(|(variable, value)| variable == key || value.strip_prefix('$') == Some(key))
            .then_some(key)
    };
    let found = setup.players.iter().enumerate();
    let found = found
        .filter_map(|(index, player)| Some((index, has_it(player)?)))
        .next();
    if let Some((index, key)) = found {
        let message = format!("{key} holds the key of endpoint.{name}, which no agent may have");
        return Err(ConfigError {
            help: Some("take it out of env".to_owned()),
            ..loaded.error_at_player(index, "player.env", message)
        });
    }
    let is_free = |player: &PlayerKeys| setup.isolation(player) == Isolation::Off;
    let free = setup.players.iter().position(is_free).filter(|_| !endpoint.trust_off);
    let Some(index) = free else { return Ok(()) };
    let player = &setup.players[index];
    let message = format!(
        "{} is not isolated, and so could read the key of endpoint.{name}",
        shown(&player.name)
    );
    let help = match is_by_flag(loaded) {
        true => "give --isolation guarded",
        false => "write isolation = \"guarded\" for it",
    };
    Err(ConfigError {
        help: Some(format!(
            "{help}, or trust_off = true under [endpoint.{name}] if you trust its author"
        )),
        ..loaded.error_at_player(index, "player.isolation", message)
    })
}

/// Warns of endpoints at which nobody plays, and of spending without a limit.
pub(super) fn warnings(loaded: &LoadedEvent) -> Vec<String> {
    let setup = &loaded.setup;
    let is_used = |endpoint: &&EndpointKeys| {
        let mut asked = setup.players.iter().filter_map(PlayerKeys::asks);
        let of_submissions = setup
            .submissions
            .model
            .as_deref()
            .and_then(|model| model.split_once(':'));
        of_submissions.is_some_and(|(name, _)| name == endpoint.name)
            || asked.any(|asks| matches!(asks, MoveSource::Model(name, _) if name == endpoint.name))
    };
    let (used, idle): (Vec<_>, Vec<_>) = setup.endpoints.iter().partition(is_used);
    let idle = idle
        .into_iter()
        .map(|endpoint| format!("endpoint.{}: no player's model runs at it", endpoint.name));
    let spending = &setup.spending;
    let bounds = [
        spending.event.map(|_| "spending.event"),
        spending.player.map(|_| "spending.player"),
    ];
    let bounds: Vec<&str> = bounds.into_iter().flatten().collect();
    let unknown = used
        .into_iter()
        .filter(|endpoint| endpoint.price.is_none() && !bounds.is_empty());
    let unknown = unknown.map(|endpoint| {
        format!(
            "endpoint.{}: it has no price, so what calls cost there is unknown and {} cannot bound it; only spending.tokens and \
             spending.requests can",
            endpoint.name,
            bounds.join(" and ")
        )
    });
    idle.chain(unknown).collect()
}
