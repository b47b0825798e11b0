//! The JSON Schema of an event file, by which editors complete and check it. It says what [`KEYS`] say, as far as a schema can.
//!
//! May not: know keys. A file that it accepts may still be refused for combinations, and for texts that are read further.

use serde_json::{Map, Value as Json, json};

use super::PRESETS;
use super::kind::Key;
use super::kind::table_schema;
use super::layer::tables;
use super::schema::{CHANGING, ENDPOINT_KEYS, KEYS, PLAYER_KEYS, RULES_KEYS, may_change};

/// The JSON Schema (2020-12) of an event file.
pub fn json_schema() -> Json {
    let preset = json!({
        "description": "The rule set that the event begins with; every other key goes over it.",
        "enum": PRESETS.map(|(name, _)| name),
        "default": PRESETS[0].0,
    });
    let mut player = table_schema(None, &PLAYER_KEYS);
    let who = ["command", "model", "move_command", "move_url"];
    player["oneOf"] = who.map(|key| json!({ "required": [key] })).into();
    let players = json!({
        "description": "The players, in the order of the file.",
        "type": "array",
        "items": player,
    });
    let endpoints = json!({
        "description": "Services at which models run, each by its name.",
        "type": "object",
        "patternProperties": { "^[A-Za-z0-9_-]{1,100}$": of_endpoint() },
        "additionalProperties": false,
    });
    let mut of_rules = table_schema(None, &RULES_KEYS);
    for table in CHANGING {
        let keys = KEYS
            .iter()
            .filter(|key| key.table_and_name().0 == table && may_change(key.path));
        let properties: Map<String, Json> = keys.map(|key| (key.name().to_owned(), key.schema())).collect();
        of_rules["properties"][table] =
            json!({ "type": "object", "properties": properties, "additionalProperties": false });
    }
    let rules = json!({
        "description": "Rules of a ladder that change in mid-season, in the order of their times.",
        "type": "array",
        "items": of_rules,
    });
    let of_players = [
        ("preset", preset),
        ("endpoint", endpoints),
        ("rules", rules),
        ("player", players),
    ];
    let mut properties: Map<String, Json> = of_players.map(|(name, of)| (name.to_owned(), of)).into_iter().collect();
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

fn of_endpoint() -> Json {
    let mut schema = table_schema(None, &ENDPOINT_KEYS);
    for key in ENDPOINT_KEYS.iter() {
        schema["properties"][key.name()] = with_default(key);
    }
    schema
}

/// The schema of a key, with its default.
fn with_default<T: Default>(key: &Key<T>) -> Json {
    let mut schema = key.schema();
    if let Some(default) = key.default_value() {
        let document: toml::Table = toml::from_str(&format!("value = {default}")).expect("what is written is TOML");
        schema["default"] = json!(document["value"]);
    }
    schema
}
