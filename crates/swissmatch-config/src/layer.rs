//! One TOML text as a layer: its keys are laid over a setup, and the place of each is known.
//!
//! May not: compare keys of different layers; that is `checks`.

pub(super) mod endpoints;

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, InvalidValue, TextPlace, What, nearest, synonym};
use super::kind::Key;
use super::later::is_later_key;
use super::places::TextPlaces;
use super::schema::{KEYS, PLAYER_KEYS};
use super::start::{self, MISSING};
use super::value::{Value, key, shown};
use swissmatch_tournament::setup::{PlayerKeys, Setup};

/// The list of the tables by which rules change in mid-season.
pub(super) const RULES: &str = "rules";
/// Tables that are read as a whole.
const WHOLE: [&str; 3] = [endpoints::TABLE, "player", RULES];

/// The places of a player's keys, by path such as `player.command`.
#[derive(Clone, Debug)]
pub(super) struct PlayerPlaces {
    /// Where its `[[player]]` begins.
    pub(super) head: TextPlace,
    pub(super) keys: BTreeMap<&'static str, TextPlace>,
}

/// A text with its name in messages.
#[derive(Clone, Copy)]
pub(super) struct SourceText<'a> {
    pub(super) label: &'a str,
    pub(super) text: &'a str,
    pub(super) places: &'a TextPlaces<'a>,
}

/// A key and its value as written.
pub(super) struct WrittenKey<'a> {
    pub(super) path: String,
    key_span: Range<usize>,
    pub(super) value: &'a Spanned<DeValue<'a>>,
}

/// A parsed text, with its entries in the order of the text.
pub(super) struct Layer<'a> {
    source: SourceText<'a>,
    entries: Vec<WrittenKey<'a>>,
}

impl<'a> SourceText<'a> {
    /// Parses the text as TOML.
    pub(super) fn parse(self) -> Result<Spanned<DeTable<'a>>, ConfigError> {
        DeTable::parse(self.text).map_err(|error| {
            // Some of the parser's messages have several lines. At the end of the text a place may be missing.
            let message = error.message().split('\n').collect::<Vec<_>>().join(", ");
            self.error(
                "",
                error.span().unwrap_or(self.text.len()..self.text.len()),
                format!("not valid TOML: {message}"),
            )
        })
    }

    pub(super) fn place(self, span: &Range<usize>) -> TextPlace {
        self.places.of_byte(span.start)
    }

    pub(super) fn error(self, key: &str, span: Range<usize>, message: String) -> ConfigError {
        ConfigError {
            file: self.label.to_owned(),
            place: Some(self.place(&span)),
            key: key.to_owned(),
            message,
            help: None,
        }
    }
}

impl<'a> Layer<'a> {
    /// Collects the entries of a parsed text.
    pub(super) fn new(source: SourceText<'a>, root: &'a DeTable<'a>) -> Result<Self, ConfigError> {
        let mut entries = Vec::new();
        for (name, value) in root {
            let table = name.get_ref().as_ref();
            let whole = || WrittenKey {
                path: key(table),
                key_span: name.span(),
                value,
            };
            let is_table = tables().any(|known| known == table);
            match value.get_ref() {
                _ if is_later_key(table) || WHOLE.contains(&table) => entries.push(whole()),
                DeValue::Table(keys) if is_table || !keys.is_empty() => {
                    entries.extend(keys.iter().map(|(name, value)| WrittenKey {
                        path: format!("{}.{}", key(table), key(name.get_ref())),
                        key_span: name.span(),
                        value,
                    }));
                }
                _ if is_table => {
                    let found = Value::Toml(value).unexpected();
                    return Err(problem_error(source, table, "a table", found, value.span()));
                }
                _ => entries.push(whole()),
            }
        }
        entries.sort_by_key(|entry| entry.key_span.start);
        Ok(Self { source, entries })
    }

    /// The value of `preset` and its place, if the text has one.
    pub(super) fn preset(&self) -> Result<Option<(&'a str, TextPlace)>, ConfigError> {
        let Some(entry) = self.entries.iter().find(|entry| entry.path == "preset") else {
            return Ok(None);
        };
        let name = Value::Toml(entry.value)
            .string()
            .map_err(|problem| self.problem(entry, "the name of a preset", problem))?;
        Ok(Some((name, self.source.place(&entry.key_span))))
    }

    /// The error for a preset that does not exist.
    pub(super) fn unknown_preset(&self, name: &str, presets: &[&str]) -> ConfigError {
        let span = self
            .entries
            .iter()
            .find(|entry| entry.path == "preset")
            .map_or(0..0, |entry| entry.value.span());
        let help = match nearest(name, presets) {
            Some(preset) => format!("did you mean {preset}?"),
            None => format!("the presets are {}", presets.join(", ")),
        };
        let error = self
            .source
            .error("preset", span, format!("no preset is named {}", shown(name)));
        ConfigError {
            help: Some(help),
            ..error
        }
    }

    /// Lays the keys of the text over `setup`, and gives the place of each key that it set.
    pub(super) fn apply(&self, setup: &mut Setup) -> Result<Vec<(&'static str, TextPlace)>, ConfigError> {
        let mut set = Vec::new();
        for entry in self
            .entries
            .iter()
            .filter(|entry| entry.path != "preset" && !WHOLE.contains(&entry.path.as_str()))
        {
            let key = self.find(entry, &KEYS)?;
            self.read(entry, key, setup)?;
            if let Some(other) = key
                .stands_for
                .iter()
                .find(|path| self.entries.iter().any(|e| e.path == **path))
            {
                let place = self.source.place(&entry.key_span);
                return Err(both_given(self.source.label, Some(place), key, other));
            }
            let place = self.source.place(&entry.key_span);
            let paths = if key.stands_for.is_empty() {
                std::slice::from_ref(&key.path)
            } else {
                key.stands_for
            };
            set.extend(paths.iter().map(|path| (*path, place)));
        }
        Ok(set)
    }

    /// In the order of the text.
    pub(super) fn entries(&self) -> &[WrittenKey<'a>] {
        &self.entries
    }

    /// The entries of a table within a list of tables, named as `NAME.KEY`, in the order of the text.
    pub(super) fn entries_of(name: &str, keys: &'a DeTable<'a>) -> Vec<WrittenKey<'a>> {
        let mut entries: Vec<_> = keys
            .iter()
            .map(|(own, value)| WrittenKey {
                path: format!("{name}.{}", key(own.get_ref())),
                key_span: own.span(),
                value,
            })
            .collect();
        entries.sort_by_key(|entry| entry.key_span.start);
        entries
    }

    /// The place of an entry.
    pub(super) fn place(&self, entry: &WrittenKey<'_>) -> TextPlace {
        self.source.place(&entry.key_span)
    }

    /// An error about an entry itself, not its value.
    pub(super) fn refused(&self, entry: &WrittenKey<'_>, message: &str, help: Option<String>) -> ConfigError {
        ConfigError {
            help,
            ..self
                .source
                .error(&entry.path, entry.key_span.clone(), message.to_owned())
        }
    }

    /// The tables of a list `[[NAME]]`, each with its place.
    pub(super) fn list_of_tables(
        &self,
        name: &str,
        expected: &str,
    ) -> Result<Vec<(&'a DeTable<'a>, Range<usize>)>, ConfigError> {
        let Some(entry) = self.entries.iter().find(|entry| entry.path == name) else {
            return Ok(Vec::new());
        };
        let values = Value::Toml(entry.value)
            .list()
            .map_err(|problem| self.problem(entry, expected, problem))?;
        let mut tables = Vec::new();
        for value in values {
            let Value::Toml(value) = value else { continue };
            match value.get_ref() {
                DeValue::Table(keys) => tables.push((keys, value.span())),
                _ => return Err(self.problem(entry, expected, Value::Toml(value).unexpected())),
            }
        }
        Ok(tables)
    }

    /// Refuses every key but those of players.
    pub(super) fn has_players_alone(&self) -> Result<(), ConfigError> {
        let Some(entry) = self.entries.iter().find(|entry| entry.path != "player") else {
            return Ok(());
        };
        let message = "the file of a late entry has only [[player]]".to_owned();
        Err(ConfigError {
            help: Some("leave it out: the other keys are those of the event".to_owned()),
            ..self.source.error(&entry.path, entry.key_span.clone(), message)
        })
    }

    /// The players of the text, in its order, with the places of their keys.
    pub(super) fn players(&self, may_hand_in: bool) -> Result<Vec<(PlayerKeys, PlayerPlaces)>, ConfigError> {
        let tables = self.list_of_tables("player", "[[player]] tables, one for each player")?;
        tables
            .into_iter()
            .map(|(keys, span)| self.player(keys, span, may_hand_in))
            .collect()
    }

    fn player(
        &self,
        keys: &'a DeTable<'a>,
        span: Range<usize>,
        may_hand_in: bool,
    ) -> Result<(PlayerKeys, PlayerPlaces), ConfigError> {
        let mut player = PlayerKeys::default();
        let mut places = PlayerPlaces {
            head: self.source.place(&span),
            keys: BTreeMap::new(),
        };
        let entries = Self::entries_of("player", keys);
        for entry in &entries {
            let key = self.find(entry, &PLAYER_KEYS)?;
            self.read(entry, key, &mut player)?;
            places.keys.insert(key.path, self.source.place(&entry.key_span));
        }
        let missing = |key: &&Key<PlayerKeys>| key.is_required() && !places.keys.contains_key(key.path);
        if let Some(key) = PLAYER_KEYS.iter().find(missing) {
            return Err(self.source.error(key.path, span, MISSING.to_owned()));
        }
        if let Some(wrong) = start::wrong(&player, may_hand_in, |key| places.keys.contains_key(key)) {
            return Err(ConfigError {
                help: Some(wrong.help.to_owned()),
                place: Some(*places.keys.get(wrong.key).unwrap_or(&places.head)),
                ..self.source.error(wrong.key, span, wrong.message.to_owned())
            });
        }
        Ok((player.with_what_is_started(), places))
    }

    /// The key that an entry names.
    pub(super) fn find<T>(
        &self,
        entry: &WrittenKey<'_>,
        keys: &'static [Key<T>],
    ) -> Result<&'static Key<T>, ConfigError> {
        let path = entry.path.as_str();
        if let Some(key) = keys.iter().find(|key| key.path == path) {
            return Ok(key);
        }
        let error = |message: &str| self.source.error(path, entry.key_span.clone(), message.to_owned());
        if is_later_key(path) {
            return Err(error("this is not supported by this version"));
        }
        Err(ConfigError {
            help: Some(unknown_key_help(path, keys)),
            ..error("unknown key")
        })
    }

    pub(super) fn read<T>(&self, entry: &WrittenKey<'_>, key: &Key<T>, target: &mut T) -> Result<(), ConfigError> {
        let value = Value::Toml(entry.value);
        key.read(target, value)
            .map_err(|problem| self.problem(entry, &key.expected, problem))
    }

    /// The error for a key that is missing from the table at `span`.
    pub(super) fn missing(&self, key: &str, span: Range<usize>, help: Option<String>) -> ConfigError {
        ConfigError {
            help,
            ..self.source.error(key, span, "missing".to_owned())
        }
    }

    pub(super) fn problem(&self, entry: &WrittenKey<'_>, expected: &str, problem: InvalidValue) -> ConfigError {
        problem_error(self.source, &entry.path, expected, problem, entry.value.span())
    }
}

/// Lays the value of a flag over `setup`, and gives the key that it set; `None` for a key of an endpoint, whose path is as written.
pub(super) fn apply_flag(
    flag: &str,
    path: &str,
    text: &str,
    setup: &mut Setup,
) -> Result<Option<&'static Key<Setup>>, ConfigError> {
    let error = |message, help| ConfigError {
        file: flag.to_owned(),
        place: None,
        key: path.to_owned(),
        message,
        help,
    };
    if let Some(named) = endpoints::named(path, setup) {
        let (key, endpoint) = named.map_err(|(message, help)| error(message, Some(help)))?;
        return read_flag(key, text, endpoint, error).map(|()| None);
    }
    let key = KEYS
        .iter()
        .find(|key| key.path == path)
        .ok_or_else(|| error("unknown key".to_owned(), Some(unknown_key_help(path, &KEYS))))?;
    read_flag(key, text, setup, error).map(|()| Some(key))
}

/// Reads the text of a flag as the value of `key`; `error` makes the error from a message and a remedy.
fn read_flag<T>(
    key: &Key<T>,
    text: &str,
    target: &mut T,
    error: impl Fn(String, Option<String>) -> ConfigError,
) -> Result<(), ConfigError> {
    let said = |problem: InvalidValue| error(message(&key.expected, problem.what), problem.help);
    if !text.starts_with(['[', '{', '"']) {
        return key.read(target, Value::Flag(text)).map_err(said);
    }
    // Written as in a file.
    let document = format!("value = {text}");
    let table = DeTable::parse(&document).map_err(|problem| {
        error(
            format!("not valid TOML: {}", problem.message().replace('\n', ", ")),
            None,
        )
    })?;
    let value = table.get_ref().get("value").expect("it begins with it");
    if table.get_ref().len() > 1 {
        return Err(error("expected one value, without further keys".to_owned(), None));
    }
    key.read(target, Value::Toml(value)).map_err(said)
}

/// The error for a shorthand given together with a key that it sets.
pub(super) fn both_given(file: &str, place: Option<TextPlace>, shorthand: &Key<Setup>, other: &str) -> ConfigError {
    ConfigError {
        file: file.to_owned(),
        place,
        key: shorthand.path.to_owned(),
        message: format!(
            "stands for {}, but {other} is given too",
            shorthand.stands_for.join(" and ")
        ),
        help: Some("give one or the other".to_owned()),
    }
}

/// The tables that an event file may have, except `[endpoint.NAME]`, `[[rules]]` and `[[player]]`.
pub(super) fn tables() -> impl Iterator<Item = &'static str> {
    let mut last = "";
    KEYS.iter()
        .map(|key| key.table_and_name().0)
        .filter(move |table| std::mem::replace(&mut last, table) != *table)
}

fn problem_error(
    source: SourceText<'_>,
    key: &str,
    expected: &str,
    problem: InvalidValue,
    span: Range<usize>,
) -> ConfigError {
    let span = problem.span.unwrap_or(span);
    ConfigError {
        help: problem.help,
        ..source.error(key, span, message(expected, problem.what))
    }
}

pub(super) fn message(expected: &str, what: What) -> String {
    match what {
        What::Found(found) => format!("expected {expected}, found {found}"),
        What::Said(message) => message,
    }
}

/// The help for a key that is not in `keys`: the nearest one, or all of them.
pub(super) fn unknown_key_help<T>(path: &str, keys: &'static [Key<T>]) -> String {
    let is_of_player = path.starts_with("player.");
    let others = ["preset"]
        .into_iter()
        .chain(WHOLE)
        .chain(tables())
        .filter(|_| !is_of_player);
    let known: Vec<&str> = keys.iter().map(|key| key.path).chain(others).collect();
    if let Some(near) = synonym(path, &known).or_else(|| nearest(path, &known)) {
        return format!("did you mean {near}?");
    }
    let table = path.split_once('.').map_or("", |(table, _)| table);
    let names: Vec<_> = keys
        .iter()
        .map(Key::table_and_name)
        .filter(|(t, _)| *t == table)
        .map(|(_, name)| name)
        .collect();
    if names.is_empty() {
        format!(
            "an event file has preset, [[player]], [endpoint.NAME], [[rules]] and the tables {}",
            tables().collect::<Vec<_>>().join(", ")
        )
    } else {
        format!("the keys of {table} are {}", names.join(", "))
    }
}
