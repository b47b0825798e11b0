//! The services of an event as its host is given them: with their keys, read before anything starts.
//!
//! May not: show a key, send anything.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use swissmatch_broker::endpoint::{Endpoint, ServiceKey};
use swissmatch_broker::ledger::SpendingLimits;
use swissmatch_config::ConfigError;
use swissmatch_host::services::Services;
use swissmatch_host::{files, machine};
use swissmatch_tournament::setup::{EVENT, EndpointKeys, MoveSource, Setup, Tokens};

use super::anchors::is_in_run;
use super::error::RunError;
use super::event_file::EventFile;

/// Most bytes of a file with a key.
const LONGEST: u64 = 64 << 10;
/// What a key is.
const ONE_LINE: &str = "a key is one line of letters, digits and signs, without a blank";

/// The services of an event.
///
/// # Errors
/// When one cannot be, or its key is not there; the key of the event file is named.
pub(super) fn of_event(event: &EventFile) -> Result<Arc<Services>, RunError> {
    made(event, &event.loaded.setup.endpoints)
}

/// Those that the players at these places of an event file ask, outside a run: no other key has to be there. What one of them fails is
/// asked again for `patience` at the longest.
///
/// # Errors
/// As there.
pub(super) fn of_players(event: &EventFile, players: &[usize], patience: Duration) -> Result<Arc<Services>, RunError> {
    let Setup {
        players: all,
        endpoints,
        ..
    } = &event.loaded.setup;
    let is_asked = |keys: &EndpointKeys| {
        let mut asked = players.iter().map(|place| all[*place].asks());
        asked.any(|asks| matches!(asks, Some(MoveSource::Model(endpoint, _)) if endpoint == keys.name))
    };
    let asked = endpoints.iter().filter(|keys| is_asked(keys));
    let hurried = |keys: &EndpointKeys| EndpointKeys {
        patience: keys.patience.min(patience),
        ..keys.clone()
    };
    let hurried: Vec<EndpointKeys> = asked.map(hurried).collect();
    made(event, &hurried)
}

fn made(event: &EventFile, endpoints: &[EndpointKeys]) -> Result<Arc<Services>, RunError> {
    let spending = &event.loaded.setup.spending;
    let made: Result<Vec<Endpoint>, RunError> = endpoints.iter().map(|keys| endpoint(event, keys)).collect();
    let limits = SpendingLimits {
        event: spending.event,
        player: spending.player,
        tokens: spending.tokens.map(Tokens),
        requests: spending.requests,
    };
    let has_ladder = event.loaded.setup.ladder.schedule.is_some();
    Ok(Arc::new(
        Services::new(made?, limits, spending.at_limit).of_ladder(has_ladder),
    ))
}

fn endpoint(event: &EventFile, keys: &EndpointKeys) -> Result<Endpoint, RunError> {
    let made = Endpoint::new(&keys.name, &keys.url);
    let made =
        made.map_err(|error| RunError::Event(event.loaded.error_at(&name_of(keys, "url"), error.to_string())))?;
    Ok(Endpoint {
        key: key(event, keys)?,
        dialect: keys.dialect,
        at_once: usize::try_from(keys.at_once).unwrap_or(usize::MAX),
        requests_a_minute: keys.requests_a_minute,
        tokens_a_minute: keys.tokens_a_minute.map(Tokens),
        patience: keys.patience,
        price: keys.price,
        extra: keys.extra.clone(),
        stream: keys.stream,
        owner_is_event: keys.owner == EVENT,
        ..made
    })
}

/// A key of an endpoint, as messages have it.
fn name_of(keys: &EndpointKeys, key: &str) -> String {
    format!("endpoint.{}.{key}", keys.name)
}

/// What opens an endpoint.
fn key(event: &EventFile, keys: &EndpointKeys) -> Result<Option<ServiceKey>, RunError> {
    let refused = |key: &str, message: String, help: &str| {
        RunError::Event(ConfigError {
            help: Some(help.to_owned()),
            ..event.loaded.error_at(&name_of(keys, key), message)
        })
    };
    if let Some(variable) = &keys.key_env {
        let help = "export the key of the service there, or name a file that has it (key_file)";
        return key_in(variable)
            .map(Some)
            .map_err(|message| refused("key_env", message, help));
    }
    let Some(path) = key_file(event, keys) else {
        return Ok(None);
    };
    let refused = |message| refused("key_file", message, "write the key of the service to it, in one line");
    let shown = path.display();
    let read = files::open_plain(&path).and_then(|file| files::read_at_most(file, LONGEST));
    let bytes = read.map_err(|error| refused(format!("{shown}: it cannot be read: {error}")))?;
    let text = str::from_utf8(&bytes).ok().map(str::trim);
    key_of(text, &format!("{shown}: what is there"))
        .map(Some)
        .map_err(refused)
}

/// The key in a variable of the environment.
///
/// # Errors
/// When there is none.
pub(super) fn key_in(variable: &str) -> Result<ServiceKey, String> {
    let value = std::env::var_os(variable);
    let value = value.ok_or_else(|| format!("the environment has no variable {variable}"))?;
    if value.is_empty() {
        return Err(format!("the variable {variable} is empty"));
    }
    key_of(value.to_str(), &format!("what {variable} has"))
}

/// The key that a text is, which messages call `what`. No core file is left of a process that has one.
fn key_of(text: Option<&str>, what: &str) -> Result<ServiceKey, String> {
    let bounded = machine::leave_no_cores();
    bounded.map_err(|error| format!("this machine does not bound core files, which would have the key: {error}"))?;
    text.and_then(ServiceKey::new)
        .ok_or_else(|| format!("{what} is no key: {ONE_LINE}"))
}

/// Where the key of an endpoint is, if it is in a file.
fn key_file(event: &EventFile, keys: &EndpointKeys) -> Option<PathBuf> {
    Some(event.directory.join(keys.key_file.as_ref()?))
}

/// Where the keys of all endpoints are that are in files.
pub(super) fn key_files(event: &EventFile) -> impl Iterator<Item = PathBuf> {
    let endpoints = event.loaded.setup.endpoints.iter();
    endpoints.filter_map(|keys| key_file(event, keys))
}

/// That no key lies in the directory of the run, which others are given.
///
/// # Errors
/// When one does; the key of the event file is named.
pub(super) fn require_outside(event: &EventFile, dir: &Path) -> Result<(), RunError> {
    for keys in &event.loaded.setup.endpoints {
        let inside = key_file(event, keys).filter(|path| is_in_run(path, dir));
        if let Some(path) = inside {
            let message = format!(
                "{}: it is in the directory of the run, {}, which others are given",
                path.display(),
                dir.display()
            );
            return Err(RunError::Event(ConfigError {
                help: Some("keep the key elsewhere".to_owned()),
                ..event.loaded.error_at(&name_of(keys, "key_file"), message)
            }));
        }
    }
    Ok(())
}

/// Files with keys that other users of this machine may read.
pub(super) fn doubts(event: &EventFile) -> Vec<String> {
    let is_open = |path: &PathBuf| {
        let there = path.metadata();
        there.is_ok_and(|there| there.permissions().mode() & 0o077 != 0)
    };
    let doubt = |path: PathBuf| {
        let shown = path.display();
        format!("{shown}, a key of a service, can be read by other users of this machine: chmod 600 {shown}")
    };
    key_files(event).filter(is_open).map(doubt).collect()
}
