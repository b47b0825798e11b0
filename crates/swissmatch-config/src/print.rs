//! A setup as text: the effective configuration with origins, flat keys and values, and the differences of two setups.
//!
//! May not: know the meaning of a key; `schema` writes the values.

use std::collections::BTreeMap;

use super::kind::Class;
use super::layer::endpoints::path;
use super::schema::{ENDPOINT_KEYS, KEYS, RULES_KEYS, given};
use super::value::{array, quoted};
use super::{LoadedEvent, Origin};
use swiss_system::text::escaped;
use swissmatch_tournament::setup::Setup;

/// Longer lines do not move the comments of their table to the right.
const ALIGNED: usize = 60;

/// The effective configuration as an event file that loads to the same setup, each line with its origin as a comment.
pub fn effective(loaded: &LoadedEvent) -> String {
    let comment = |origin: Option<&Origin>| match origin {
        Some(Origin::File(place)) => format!("{}:{}", loaded.file, place.line),
        Some(Origin::Preset(name)) => format!("preset {name}"),
        Some(Origin::Flag(flag)) => flag.clone(),
        Some(Origin::Default) | None => "default".to_owned(),
    };
    // The tables `[[rules]]` bring the rest.
    let loaded = &loaded.by_version(1);
    let setup = &loaded.setup;
    let mut text = lines(&[(
        format!("preset = {}", quoted(&setup.preset)),
        comment(loaded.origin("preset")),
    )]);
    for table in super::layer::tables() {
        let entries = KEYS.iter().filter_map(|key| {
            let (of, name) = key.table_and_name();
            let value = key.write(setup).filter(|_| of == table)?;
            Some((format!("{name} = {value}"), comment(loaded.origin(key.path))))
        });
        text += &format!("\n[{table}]\n{}", lines(&entries.collect::<Vec<_>>()));
    }
    for endpoint in &setup.endpoints {
        let entries = ENDPOINT_KEYS.iter().filter_map(|key| {
            let origin = loaded.origin(&path(endpoint, key));
            Some((format!("{} = {}", key.name(), key.write(endpoint)?), comment(origin)))
        });
        text += &format!(
            "\n[endpoint.{}]\n{}",
            endpoint.name,
            lines(&entries.collect::<Vec<_>>())
        );
    }
    for (rules, places) in setup.rules.iter().zip(&loaded.rules) {
        let head = comment(Some(&Origin::File(places.from)));
        let own = RULES_KEYS.iter();
        let own = own.filter_map(|key| Some((format!("{} = {}", key.name(), key.write(rules)?), head.clone())));
        let changes = rules.changes.iter().zip(&places.keys);
        let changes =
            changes.map(|(change, (_, origin))| (format!("{} = {}", change.key, change.new), comment(Some(origin))));
        text += &format!("\n[[rules]]\n{}", lines(&own.chain(changes).collect::<Vec<_>>()));
    }
    for (player, places) in setup.players.iter().zip(&loaded.players) {
        let entries = given(player).map(|(key, value)| {
            let place = *places.keys.get(key.path).unwrap_or(&places.head);
            (format!("{} = {value}", key.name()), comment(Some(&Origin::File(place))))
        });
        text += &format!("\n[[player]]\n{}", lines(&entries.collect::<Vec<_>>()));
    }
    text
}

/// Every key of a setup with its meaning, table by table. The event has a name as an example.
pub(super) fn explained(mut setup: Setup) -> String {
    "My event".clone_into(&mut setup.event.name);
    let of_table = |table: &str| {
        let keys = KEYS.iter().filter(|key| key.table_and_name().0 == table);
        let lines = keys.filter_map(|key| {
            let value = key.write(&setup)?;
            Some(format!("# {}\n{} = {value}\n", key.doc, key.name()))
        });
        format!("\n[{table}]\n{}", lines.collect::<String>())
    };
    super::layer::tables().map(of_table).collect()
}

/// Lines with their comments, aligned if the lines are not too long.
fn lines(entries: &[(String, String)]) -> String {
    let length = |line: &String| line.chars().count();
    let width = entries
        .iter()
        .map(|(line, _)| length(line))
        .filter(|length| *length <= ALIGNED)
        .max()
        .unwrap_or(0);
    entries
        .iter()
        .map(|(line, comment)| format!("{line:width$}  # {}\n", escaped(comment)))
        .collect()
}

/// Every key with its value in TOML, in a stable order: `preset`, the tables, the endpoints' keys as `endpoint.NAME.key`, each further
/// version of the rules as `rules.NUMBER` (in words), `player` (the names in order), then each player's keys as `player.NAME.key`. Keys
/// that are not set, and private ones, have no entry.
pub fn key_values(setup: &Setup) -> Vec<(String, String)> {
    classified(setup)
        .into_iter()
        .map(|(key, value, _)| (key, value))
        .collect()
}

/// A key whose value differs between two setups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyChange {
    /// As [`key_values`] names it.
    pub key: String,
    /// In TOML, if it was set.
    pub old: Option<String>,
    /// In TOML, if it is set.
    pub new: Option<String>,
    /// Whether a run that has begun may go on with the new value.
    pub class: Class,
}

/// The differences in the order of the new setup; keys that it lacks come last.
pub fn difference(old: &Setup, new: &Setup) -> Vec<KeyChange> {
    let mut before: BTreeMap<String, (String, Class)> = classified(old)
        .into_iter()
        .map(|(key, value, class)| (key, (value, class)))
        .collect();
    let mut changes = Vec::new();
    for (key, value, class) in classified(new) {
        let old = before.remove(&key).map(|(value, _)| value);
        if old.as_ref() != Some(&value) {
            changes.push(KeyChange {
                key,
                old,
                new: Some(value),
                class,
            });
        }
    }
    changes.extend(before.into_iter().map(|(key, (value, class))| KeyChange {
        key,
        old: Some(value),
        new: None,
        class,
    }));
    changes
}

fn classified(setup: &Setup) -> Vec<(String, String, Class)> {
    // The preset's name changes nothing by itself: its effects show at the keys.
    let mut all = vec![("preset".to_owned(), quoted(&setup.preset), Class::Output)];
    all.extend(
        KEYS.iter()
            .filter_map(|key| Some((key.path.to_owned(), key.write(setup)?, key.class))),
    );
    for endpoint in &setup.endpoints {
        let keys = ENDPOINT_KEYS.iter();
        all.extend(keys.filter_map(|key| Some((path(endpoint, key), key.write(endpoint)?, key.class))));
    }
    for (rules, number) in setup.rules.iter().zip(2..) {
        let changes = rules.changes.iter();
        let changes = changes.map(|change| format!("{}: {} → {}", change.key, change.old, change.new));
        let text = format!(
            "{} {} ({})",
            rules.from,
            changes.collect::<Vec<_>>().join(", "),
            rules.why
        );
        all.push((format!("rules.{number}"), text, Class::Results));
    }
    let names = array(setup.players.iter().map(|player| quoted(&player.name)));
    all.push(("player".to_owned(), names, Class::Results));
    for player in &setup.players {
        let kept = given(player).filter(|(key, _)| key.class != Class::Private);
        all.extend(kept.map(|(key, value)| (format!("player.{}.{}", player.name, key.name()), value, key.class)));
    }
    all
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use insta::assert_snapshot;

    use super::*;
    use crate::{Flag, load};

    const EVENT: &str = include_str!("../../../tests/data/config/event.toml");

    fn loaded(text: &str) -> LoadedEvent {
        let flags = [Flag::new("--concurrency", "run.concurrency", "4")];
        load(Path::new("event.toml"), text, &flags).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn effective_loads_to_the_same_setup() {
        for preset in ["global-chess-challenge", "none"] {
            let first = loaded(&EVENT.replace("global-chess-challenge", preset));
            let again = load(Path::new("other.toml"), &effective(&first), &[]);
            assert_eq!(again.map(|loaded| loaded.setup), Ok(first.setup));
        }
    }

    #[test]
    fn differences_name_key_and_class() {
        let old = loaded(EVENT).setup;
        assert_eq!(difference(&old, &old), []);
        let changed = EVENT
            .replace("\"1m/move\"", "\"1m/move\"\nattempts = 2")
            .replace("./beta", "./gamma")
            .replace("rating = 1800\n", "")
            + "[run]\nevidence = \"all\"\n[[player]]\nname = \"C\"\ncommand = \"c\"\n";
        let changes: Vec<_> = difference(&old, &loaded(&changed).setup)
            .into_iter()
            .map(|change| {
                let side = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
                format!(
                    "{:?} {}: {} → {}",
                    change.class,
                    change.key,
                    side(change.old),
                    side(change.new)
                )
            })
            .collect();
        assert_snapshot!(changes.join("\n"), @r#"
        Results game.attempts: 3 → 2
        Output run.evidence: "faults" → "all"
        Results player: ["Alpha 3", "Beta"] → ["Alpha 3", "Beta", "C"]
        Results player.Beta.command: "./beta" → "./gamma"
        Results player.C.name: - → "C"
        Results player.C.command: - → "c"
        Results player.Alpha 3.rating: 1800 → -
        "#);
    }

    #[test]
    fn keys_and_values_are_flat_and_each_once() {
        let pairs = key_values(&loaded(EVENT).setup);
        let mut keys: Vec<_> = pairs.iter().map(|(key, _)| key).collect();
        assert!(keys.contains(&&"player.Alpha 3.options".to_owned()));
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), pairs.len());
    }
}
