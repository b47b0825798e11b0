//! Entrants as a JSON array of objects, whose members are the keys of players; a key with `null` is not given.
//!
//! May not: take a text for a number.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Cell, ConfigError, Entrant, Entries, InvalidValue, RosterText, TextPlace, WrittenValue};
use crate::value::{json_in_toml, shown};

pub(super) fn read(source: RosterText<'_>) -> Result<Vec<Entrant>, Vec<ConfigError>> {
    let values: Vec<&RawValue> = serde_json::from_str(source.text).map_err(|error| {
        let place = TextPlace {
            line: error.line().max(1),
            column: error.column().max(1),
        };
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let message = format!("not a JSON array of objects, one for each player: {message}");
        vec![source.error(place, "", message)]
    })?;
    let mut entries = Entries::new(source);
    for value in values {
        let head = place(source, value);
        match serde_json::from_str::<Members<'_>>(value.get()) {
            Err(_) => entries.refuse(head, format!("expected an object, found {}", shown(value.get()))),
            Ok(Members(members)) => {
                let given = members.into_iter().filter(|(_, value)| value.get() != "null");
                let cells: Vec<Cell<'_>> = given
                    .map(|(key, value)| Cell {
                        key,
                        place: place(source, value),
                        written: written(value),
                    })
                    .collect();
                entries.add(head, &cells);
            }
        }
    }
    entries.finish()
}

/// The members of an object in order, including repeated names.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// The place of a value, which is a piece of the text.
fn place(source: RosterText<'_>, value: &RawValue) -> TextPlace {
    let offset = value.get().as_ptr().addr().checked_sub(source.text.as_ptr().addr());
    source.place(offset.unwrap_or(0))
}

fn written(value: &RawValue) -> WrittenValue<'static> {
    let toml = serde_json::from_str(value.get())
        .ok()
        .and_then(|value| json_in_toml(&value));
    match toml {
        Some(toml) => WrittenValue::Document(format!("value = {toml}")),
        None => WrittenValue::Wrong(InvalidValue::found(shown(value.get()))),
    }
}
