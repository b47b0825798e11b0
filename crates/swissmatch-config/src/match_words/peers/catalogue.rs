//! cutechess' `engines.json`: engines by name.
//!
//! May not: read the file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

/// An engine of the file, without fields that do not affect its play.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ConfiguredEngine {
    pub(super) name: String,
    pub(super) command: String,
    pub(super) working_directory: String,
    pub(super) stderr_file: String,
    pub(super) protocol: String,
    pub(super) init_strings: Vec<String>,
    pub(super) whitepov: bool,
    pub(super) ponder: bool,
    pub(super) restart: String,
    pub(super) validate_claims: Option<bool>,
    pub(super) debug: bool,
    pub(super) timeout_scale_factor: Option<serde_json::Number>,
    options: Vec<Configurable>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
struct Configurable {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    value: Json,
    default: Json,
}

impl ConfiguredEngine {
    /// Options whose values differ from their defaults, by name.
    pub(super) fn options(&self) -> BTreeMap<&str, String> {
        let set = self
            .options
            .iter()
            .filter(|option| option.kind != "button" && option.value != option.default);
        let texts = set.filter_map(|option| {
            let text = match &option.value {
                Json::String(text) => text.clone(),
                Json::Bool(switch) => switch.to_string(),
                Json::Number(number) => number.to_string(),
                _ => return None,
            };
            Some((option.name.as_str(), text))
        });
        texts.collect()
    }

    /// Whether its time limits are scaled.
    pub(super) fn is_scaled(&self) -> bool {
        let scale = self.timeout_scale_factor.as_ref().map(ToString::to_string);
        scale.is_some_and(|scale| !matches!(scale.as_str(), "1" | "1.0"))
    }
}

/// The names in the file, in order.
///
/// # Errors
/// Why it is no such file.
pub(super) fn names(text: &str) -> Result<Vec<String>, String> {
    Ok(read(text)?.into_iter().map(|engine| engine.name).collect())
}

/// The engine with this name.
///
/// # Errors
/// Why there is none.
pub(super) fn find(text: Option<&str>, name: &str) -> Result<ConfiguredEngine, String> {
    let text = text.ok_or_else(|| "there is no engines.json".to_owned())?;
    let found = read(text)?.into_iter().find(|engine| engine.name == name);
    found.ok_or_else(|| "engines.json has no engine of this name".to_owned())
}

fn read(text: &str) -> Result<Vec<ConfiguredEngine>, String> {
    serde_json::from_str(text).map_err(|error| format!("engines.json cannot be read: {error}"))
}
