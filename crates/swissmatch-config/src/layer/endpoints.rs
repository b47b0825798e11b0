//! The tables `[endpoint.NAME]` of a text, and flags for keys of an endpoint: `endpoint.NAME.KEY`.
//!
//! May not: compare endpoints, or look who plays at them; that is `checks`.

use toml::de::DeValue;

use super::{ConfigError, Layer, TextPlace};
use crate::error::nearest;
use crate::kind::Key;
use crate::schema::ENDPOINT_KEYS;
use crate::value::{Value, shown};
use swissmatch_tournament::setup::{EndpointKeys, Setup, is_endpoint_name};

/// The table of all endpoints.
pub(crate) const TABLE: &str = "endpoint";

/// Endpoints, and the places of their keys by path.
type FoundEndpoints = (Vec<EndpointKeys>, Vec<(String, TextPlace)>);
/// A key of an endpoint.
type NamedKey<'a> = (&'static Key<EndpointKeys>, &'a mut EndpointKeys);

/// The beginning of the paths of endpoints' keys.
const BEGINNING: &str = "endpoint.";

/// The path of an endpoint's key, such as `endpoint.local.url`.
pub(crate) fn path(endpoint: &EndpointKeys, key: &Key<EndpointKeys>) -> String {
    format!("{BEGINNING}{}.{}", endpoint.name, key.name())
}

impl Layer<'_> {
    /// The endpoints of the text in the order of their names, and the places of their keys by path.
    pub(crate) fn endpoints(&self) -> Result<FoundEndpoints, ConfigError> {
        let (mut endpoints, mut places) = (Vec::new(), Vec::new());
        let Some(all) = self.entries().iter().find(|entry| entry.path == TABLE) else {
            return Ok((endpoints, places));
        };
        let DeValue::Table(tables) = all.value.get_ref() else {
            let found = Value::Toml(all.value).unexpected();
            return Err(self.problem(all, "tables [endpoint.NAME], one for each service", found));
        };
        for entry in Layer::entries_of(TABLE, tables) {
            let name = entry.path.strip_prefix(BEGINNING).unwrap_or_default();
            if !is_endpoint_name(name) {
                let message = "the name of an endpoint has up to 100 letters, digits, - and _";
                return Err(self.refused(&entry, message, Some("write one such as [endpoint.local]".to_owned())));
            }
            let DeValue::Table(keys) = entry.value.get_ref() else {
                let found = Value::Toml(entry.value).unexpected();
                return Err(self.problem(
                    &entry,
                    "a table with the endpoint's name, as in [endpoint.local]",
                    found,
                ));
            };
            let mut endpoint = EndpointKeys {
                name: name.to_owned(),
                ..EndpointKeys::default()
            };
            let mut given = Vec::new();
            for entry in Layer::entries_of(&entry.path, keys) {
                let key =
                    key_of(&entry.path, &endpoint).map_err(|help| self.refused(&entry, "unknown key", Some(help)))?;
                self.read(&entry, key, &mut endpoint)?;
                given.push((entry.path.clone(), self.place(&entry)));
            }
            if endpoint.url.is_empty() {
                let help = "write its address, such as url = \"http://127.0.0.1:8000/v1\"".to_owned();
                return Err(ConfigError {
                    key: format!("{}.url", entry.path),
                    ..self.refused(&entry, "missing", Some(help))
                });
            }
            endpoints.push(endpoint);
            places.extend(given);
        }
        endpoints.sort_by(|one, other| one.name.cmp(&other.name));
        Ok((endpoints, places))
    }
}

/// The key of an endpoint that a path names; the error is a remedy.
fn key_of(path: &str, endpoint: &EndpointKeys) -> Result<&'static Key<EndpointKeys>, String> {
    let beginning = format!("{BEGINNING}{}.", endpoint.name);
    let name = path.strip_prefix(&beginning).unwrap_or(path);
    if let Some(key) = ENDPOINT_KEYS.iter().find(|key| key.name() == name) {
        return Ok(key);
    }
    let names: Vec<&str> = ENDPOINT_KEYS.iter().map(Key::name).collect();
    Err(match nearest(name, &names) {
        Some(near) => format!("did you mean {beginning}{near}?"),
        None => format!("the keys of an endpoint are {}", names.join(", ")),
    })
}

/// The endpoint and its key that the path of a flag names; `None` if it is a path of another table.
///
/// # Errors
/// The problem with the path, and the remedy.
pub(super) fn named<'a>(path: &str, setup: &'a mut Setup) -> Option<Result<NamedKey<'a>, (String, String)>> {
    let (name, _) = path.strip_prefix(BEGINNING)?.split_once('.')?;
    let names: Vec<String> = setup.endpoints.iter().map(|endpoint| endpoint.name.clone()).collect();
    let Some(endpoint) = setup.endpoints.iter_mut().find(|endpoint| endpoint.name == name) else {
        let message = format!("no endpoint is named {}", shown(name));
        return Some(Err((message, which(name, &names))));
    };
    let key = key_of(path, endpoint).map_err(|help| ("unknown key".to_owned(), help));
    Some(key.map(|key| (key, endpoint)))
}

/// The help for an unknown name of an endpoint: which of these may be meant.
pub(crate) fn which(name: &str, names: &[String]) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match nearest(name, &names) {
        Some(near) => format!("did you mean {near}?"),
        None if names.is_empty() => format!("write [endpoint.{name}] with its url"),
        None => format!(
            "the endpoints are {}; write [endpoint.{name}] for another",
            names.join(", ")
        ),
    }
}
