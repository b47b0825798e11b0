//! The JSON Schema of an event file, by which editors complete and check it: what [`KEYS`] say, as far as a schema can.
//!
//! May not: know keys. What it lets pass may still be refused: combinations, and texts that are read further.

use serde_json::{Map, Value as Json, json};

use super::PRESETS;
use super::kind::Key;
use super::kind::table_schema;
use super::layer::tables;
use super::schema::{KEYS, PLAYER_KEYS};
use swissmatch_tournament::setup::Setup;

/// The JSON Schema (2020-12) of an event file.
pub fn json_schema() -> Json {
    let preset = json!({
        "description": "The rule set that the event begins with; every other key goes over it.",
        "enum": PRESETS.map(|(name, _)| name),
        "default": PRESETS[0].0,
    });
    let players = json!({
        "description": "The players, in the order of the file.",
        "type": "array",
        "items": table_schema(None, &PLAYER_KEYS),
    });
    let mut properties = Map::from_iter([("preset".to_owned(), preset), ("player".to_owned(), players)]);
    properties.extend(tables().map(|name| (name.to_owned(), of_table(name))));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An event file of swissmatch",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

fn of_table(name: &str) -> Json {
    let keys = KEYS.iter().filter(|key| key.table_and_name().0 == name);
    let properties: Map<String, Json> = keys.map(|key| (key.name().to_owned(), with_default(key))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// What a key says, with its default in `none`.
fn with_default(key: &Key<Setup>) -> Json {
    let mut schema = key.schema();
    if let Some(default) = key.default_value() {
        let document: toml::Table = toml::from_str(&format!("value = {default}")).expect("what is written is TOML");
        schema["default"] = json!(document["value"]);
    }
    schema
}
