//! Rules that change in mid-season: the `[[rules]]` tables of a text, each laid over the event as it was before, and the event by any
//! version of its rules.
//!
//! May not: know what has been played.

use toml::de::DeValue;

use super::error::{ConfigError, TextPlace};
use super::kind::Key;
use super::layer::{Layer, RULES, apply_flag};
use super::schema::{CHANGING, KEYS, RULES_KEYS, may_change};
use super::value::Value;
use super::{LoadedEvent, Origin};
use jiff::Timestamp;
use swissmatch_tournament::setup::{RuleChange, RulesKeys, Setup};

/// The places of the parts of a `[[rules]]`.
#[derive(Clone, Debug)]
pub(super) struct RulesPlaces {
    pub(super) from: TextPlace,
    pub(super) keys: Vec<(&'static str, Origin)>,
}

impl Layer<'_> {
    /// Lays the `[[rules]]` of the text over `setup`, one after the other, and gives their places.
    pub(super) fn rules(&self, setup: &mut Setup) -> Result<Vec<RulesPlaces>, ConfigError> {
        let tables = self.list_of_tables(RULES, "[[rules]] tables, one for each change")?;
        let mut all = Vec::new();
        for (keys, span) in tables {
            let mut rules = RulesKeys::default();
            let (mut from, mut given, mut places) = (None, Vec::new(), Vec::new());
            for entry in Self::entries_of(RULES, keys) {
                let name = entry.path.strip_prefix("rules.").unwrap_or_default().to_owned();
                if !CHANGING.contains(&name.as_str()) {
                    let Some(key) = RULES_KEYS.iter().find(|key| key.path == entry.path) else {
                        let help = format!("the keys of rules are from, why, {}", CHANGING.join(", "));
                        return Err(self.refused(&entry, "unknown key", Some(help)));
                    };
                    self.read(&entry, key, &mut rules)?;
                    given.push(key.path);
                    from = from.or((key.path == "rules.from").then(|| self.place(&entry)));
                    continue;
                }
                let DeValue::Table(keys) = entry.value.get_ref() else {
                    let found = Value::Toml(entry.value).unexpected();
                    return Err(self.problem(&entry, "a table of keys that change", found));
                };
                for entry in Self::entries_of(&name, keys) {
                    let key = self.find(&entry, &KEYS)?;
                    if !may_change(key.path) {
                        let help = "leave it out: only keys of game and adjudication, submissions.max_unpacked, submissions.per_day and \
                                    engine.start_limit change in mid-season";
                        return Err(self.refused(&entry, "this stays as it is", Some(help.to_owned())));
                    }
                    let old = key.write(setup).unwrap_or_default();
                    self.read(&entry, key, setup)?;
                    let new = key.write(setup).unwrap_or_default();
                    if old == new {
                        let message = format!("it is {new} already");
                        return Err(self.refused(&entry, &message, Some("leave it out".to_owned())));
                    }
                    places.push((key.path, Origin::File(self.place(&entry))));
                    rules.changes.push(RuleChange {
                        key: key.path.to_owned(),
                        old,
                        new,
                    });
                }
            }
            if let Some(key) = RULES_KEYS.iter().find(|key| !given.contains(&key.path)) {
                let help = key.example.map(|such_as| format!("write {} = {such_as}", key.name()));
                return Err(self.missing(key.path, span, help));
            }
            if rules.changes.is_empty() {
                let help = "write what changes below it, such as [rules.game] with max_plies = 600".to_owned();
                return Err(self.missing(RULES, span, Some(help)));
            }
            let Some(from) = from else { continue };
            all.push(RulesPlaces { from, keys: places });
            setup.rules.push(rules);
        }
        Ok(all)
    }
}

impl LoadedEvent {
    /// The event by a version of its rules, from 1.
    pub(super) fn by_version(&self, version: usize) -> Self {
        let mut other = self.clone();
        take_to(&mut other.setup, version).expect("they were read from the file");
        other.version = version;
        other
    }

    /// The event by the rules that are in force at that time.
    #[must_use]
    pub fn in_force(&self, at: Timestamp) -> Self {
        self.by_version(self.setup.version_at(at))
    }

    /// An error at a `[[rules]]`, by its place in `setup.rules`.
    pub fn error_at_rules(&self, rules: usize, message: String, help: &str) -> ConfigError {
        ConfigError {
            file: self.file.clone(),
            place: self.rules.get(rules).map(|places| places.from),
            key: "rules.from".to_owned(),
            message,
            help: Some(help.to_owned()),
        }
    }
}

/// Sets the keys of a setup to a version of its rules, from 1.
///
/// # Errors
/// When a change names no key.
pub fn take_to(setup: &mut Setup, version: usize) -> Result<(), ConfigError> {
    let rules = std::mem::take(&mut setup.rules);
    let all = rules.iter().flat_map(|rules| &rules.changes).rev();
    let back = all.map(|change| (&change.key, &change.old));
    let kept = rules
        .iter()
        .take(version.saturating_sub(1))
        .flat_map(|rules| &rules.changes);
    let mut taken = Ok(());
    for (key, value) in back.chain(kept.map(|change| (&change.key, &change.new))) {
        taken = taken.and_then(|()| apply_flag("[[rules]]", key, value, setup).map(|_| ()));
    }
    setup.rules = rules;
    taken
}

/// The keys that may change in mid-season, each with its value in this setup, in TOML.
pub fn that_may_change(setup: &Setup) -> impl Iterator<Item = (&'static str, String)> {
    let keys = KEYS.iter().filter(|key| may_change(key.path));
    keys.filter_map(move |key: &Key<Setup>| Some((key.path, key.write(setup)?)))
}
