//! The models that a service offers, for a new event file.
//!
//! May not: write one.

use swiss_system::text::escaped;

use super::services;
use swissmatch_broker::endpoint::Endpoint;
use swissmatch_broker::offer::{self, ModelListError};
use swissmatch_tournament::setup::is_variable;

/// Most models that enter without being named.
const MOST: usize = 8;
/// Most of them that a message names.
const SHOWN: usize = 20;

/// Why no model can enter.
#[derive(Debug, thiserror::Error)]
#[error("{what}\n  help: {help}")]
pub struct OfferError {
    /// What is wrong.
    pub what: String,
    /// What helps.
    pub help: String,
}

/// Models of a service, by its names for them.
#[derive(Debug)]
pub struct OfferedModels {
    /// Those that enter.
    pub models: Vec<String>,
    /// That others do not, in a sentence; `None`: all enter, or those that were named.
    pub left_out: Option<String>,
}

/// The models at `url` that are `wanted`; without a name the first ones. The key of the service is in the variable `key_env`.
///
/// # Errors
/// When the service does not say which models it has, or has another choice than that.
pub fn models(url: &str, key_env: Option<&str>, wanted: &[String]) -> Result<OfferedModels, OfferError> {
    let refused = |what: String, help: &str| OfferError {
        what,
        help: help.to_owned(),
    };
    let endpoint = Endpoint::new("models", url);
    let mut endpoint = endpoint.map_err(|error| {
        let help = "it is the address to which a call's own path is added, such as /chat/completions";
        refused(error.to_string(), help)
    })?;
    if let Some(variable) = key_env {
        if !is_variable(variable) {
            let what = "--key-env: that is no name of a variable".to_owned();
            return Err(refused(what, "name the variable that has the key, not the key itself"));
        }
        let key = services::key_in(variable);
        endpoint.key = Some(key.map_err(|what| refused(what, "export the key of the service there"))?);
    }
    let mut all = offer::models(&endpoint).map_err(|why| OfferError {
        what: format!("{}: {why}", escaped(url)),
        help: help(&why, key_env).to_owned(),
    })?;
    if let Some(name) = wanted.iter().find(|name| !all.contains(name)) {
        let what = format!(
            "{}: it has no model {}; it has {}",
            escaped(url),
            escaped(name),
            shown(&all)
        );
        return Err(refused(what, "name it as the service does"));
    }
    if !wanted.is_empty() {
        return Ok(OfferedModels {
            models: wanted.to_vec(),
            left_out: None,
        });
    }
    let count = all.len();
    let others = all.split_off(count.min(MOST));
    let left_out = (!others.is_empty()).then(|| {
        format!(
            "The service has {count} models, of which the first {MOST} are entered. Left out: {}. With --model NAME those are entered \
             that you name.",
            shown(&others)
        )
    });
    Ok(OfferedModels { models: all, left_out })
}

/// Some names, and that there are more.
fn shown(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(SHOWN).map(escaped).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.join(", ") + &more
}

fn help(why: &ModelListError, key_env: Option<&str>) -> &'static str {
    match (why, key_env) {
        (ModelListError::Away(_), _) => "does the service run, and is this its address? It ends in /v1 for most",
        (ModelListError::Locked(_), None) => "name the variable that has its key: --key-env NAME",
        (ModelListError::Locked(_), Some(_)) => "is the key that the variable has the right one?",
        (ModelListError::Refused(_) | ModelListError::NoList(_), _) => {
            "is this the address to which /chat/completions is added? It ends in /v1 for most"
        }
        (ModelListError::Nothing, _) => "have the service load a model, such as by `ollama pull NAME`",
        (ModelListError::Machine(_), _) => "this machine has no room for a connection",
    }
}
