//! Event files: TOML as written → [`Setup`] as meant.
//!
//! There are three layers, each over the one before: a preset, the event file, flags of the command line. Every effective value knows which
//! of them it came from. Nothing is repaired: an unknown key, a wrong value or a combination that cannot be played is an error with its
//! place and its remedy.
//!
//! May not: touch files or the clock. The caller hands in the text and asks for the place of a key
//! ([`LoadedEvent::error_at`]) where a file that the key names turns out not to exist.

mod checks;
mod entry;
mod error;
mod init;
mod json_schema;
mod kind;
mod later;
mod layer;
pub mod league;
pub mod match_words;
mod places;
mod preset;
mod print;
mod roster;
mod rules;
mod schema;
mod start;
#[cfg(test)]
mod tests;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub use checks::analysis::{AnalysisKeysError, problem as analysis_problem};
pub use entry::load_entry;
pub use error::{ConfigError, TextPlace, nearest};
pub use init::{INIT_PROMPT, InitModels, InitPlayer, NewEvent, NewFile};
pub use json_schema::json_schema;
pub use kind::{Class, Key};
pub use preset::{PRESETS, preset_text};
pub use print::{KeyChange, difference, effective, key_values};
pub use roster::{Entrant, Players, RosterFormat, hands_in, player_tables, read_roster, with_players};
pub use rules::{take_to, that_may_change};
pub use schema::{ENDPOINT_KEYS, KEYS, PLAYER_KEYS, RULES_KEYS};

use layer::{Layer, PlayerPlaces, SourceText, apply_flag, both_given};
use match_words::Dialect;
use places::TextPlaces;
use rules::RulesPlaces;
use swiss_system::count;
use swissmatch_tournament::setup::{MoveSource, PlayerKeys, Setup};

const ISOLATION: &str = "--isolation";

/// The source of an effective value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody gave it: it is from the default preset, or the event's name from the name of its file.
    Default,
    Preset(String),
    File(TextPlace),
    /// A flag of the command line, such as `--concurrency`.
    Flag(String),
}

/// A key's value from the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The flag as typed, such as `--concurrency`; messages name it.
    pub flag: String,
    /// Such as `run.concurrency`.
    pub key: String,
    /// The text, which is read as the key's type (lists by commas).
    pub value: String,
}

impl Flag {
    pub fn set(key: &str, value: &str) -> Self {
        Self::new("--set", key, value)
    }

    /// The value of `--isolation`, which also overrides those of players unless theirs are stricter.
    pub fn isolation(word: &str) -> Self {
        Self::new(ISOLATION, "engine.isolation", word)
    }

    /// A value from a flag of its own.
    pub fn new(flag: &str, key: &str, value: &str) -> Self {
        let [flag, key, value] = [flag, key, value].map(str::to_owned);
        Self { flag, key, value }
    }
}

/// An event file, parsed and checked.
#[derive(Clone, Debug)]
pub struct LoadedEvent {
    /// Every key with its final value; if rules change, that of the last version.
    pub setup: Setup,
    /// Settings that are allowed but probably not meant, one sentence each.
    pub warnings: Vec<String>,
    /// The event file, as the user named it.
    file: String,
    /// Origin of every key of `KEYS` except shorthands, of `preset`, and of the given keys of endpoints.
    origins: BTreeMap<String, Origin>,
    /// Places of the players' keys, in the order of `setup.players`.
    players: Vec<PlayerPlaces>,
    /// Places of the `[[rules]]`, in the order of `setup.rules`.
    rules: Vec<RulesPlaces>,
    /// The version of the rules that the setup has, from 1.
    version: usize,
    /// The command-line dialect that the event was written from, if nobody wrote the file: errors name its words instead of places.
    dialect: Option<Dialect>,
}

/// Reads an event file: `path` names it in messages, `text` is its content, `flags` come from the command line.
///
/// # Errors
/// The first problem, in the order preset, file, players, flags, combinations.
pub fn load(path: &Path, text: &str, flags: &[Flag]) -> Result<LoadedEvent, ConfigError> {
    let mut loaded = understood(path, text, flags)?;
    // Rules that hold for a while must be playable, too.
    for version in 1..=loaded.setup.rules.len() {
        loaded.warnings.extend(checks::check(&loaded.by_version(version))?);
    }
    loaded.warnings.extend(checks::check(&loaded)?);
    let mut told = BTreeSet::new();
    loaded.warnings.retain(|warning| told.insert(warning.clone()));
    Ok(loaded)
}

/// Like [`load`], but if only agents are looked at: for a single player, nothing about rounds is checked.
///
/// # Errors
/// Like [`load`].
pub fn load_agents(path: &Path, text: &str, flags: &[Flag]) -> Result<LoadedEvent, ConfigError> {
    let mut loaded = understood(path, text, flags)?;
    match loaded.setup.players.len() {
        1 => checks::check_alone(&loaded)?,
        _ => loaded.warnings = checks::check(&loaded)?,
    }
    Ok(loaded)
}

fn understood(path: &Path, text: &str, flags: &[Flag]) -> Result<LoadedEvent, ConfigError> {
    let file = path.display().to_string();
    let places = TextPlaces::of(text);
    let source = SourceText {
        label: &file,
        text,
        places: &places,
    };
    let root = source.parse()?;
    let layer = Layer::new(source, root.get_ref())?;

    let given = layer.preset()?;
    let (default_preset, _) = PRESETS[0];
    let wanted = given.map_or(default_preset, |(name, _)| name);
    let Some(mut setup) = preset::setup(wanted) else {
        return Err(layer.unknown_preset(wanted, &PRESETS.map(|(name, _)| name)));
    };
    let of_preset = |key: &Key<Setup>| (key.path.to_owned(), Origin::Preset(setup.preset.clone()));
    let keys = KEYS.iter().filter(|key| key.stands_for.is_empty());
    let mut origins: BTreeMap<_, _> = keys.map(of_preset).collect();
    origins.insert(
        "preset".to_owned(),
        given.map_or(Origin::Default, |(_, place)| Origin::File(place)),
    );
    origins.insert("event.name".to_owned(), Origin::Default);
    setup.event.name = path
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());

    let set = layer.apply(&mut setup)?;
    let (endpoints, of_endpoints) = layer.endpoints()?;
    setup.endpoints = endpoints;
    let set = set.into_iter().map(|(key, place)| (key.to_owned(), place));
    origins.extend(set.chain(of_endpoints).map(|(key, place)| (key, Origin::File(place))));
    let (keys, players) = layer.players(setup.submissions.contract.is_some())?.into_iter().unzip();
    setup.players = keys;

    for Flag { flag, key: path, value } in flags {
        let Some(key) = apply_flag(flag, path, value, &mut setup)? else {
            origins.insert(path.clone(), Origin::Flag(flag.clone()));
            continue;
        };
        if let Some(other) = flags.iter().find(|other| key.stands_for.contains(&other.key.as_str())) {
            return Err(both_given(flag, None, key, &other.key));
        }
        let set = if key.stands_for.is_empty() {
            std::slice::from_ref(&key.path)
        } else {
            key.stands_for
        };
        origins.extend(set.iter().map(|key| ((*key).to_owned(), Origin::Flag(flag.clone()))));
        if flag == ISOLATION {
            setup.isolate(setup.engine.isolation);
        }
    }

    let rules = layer.rules(&mut setup)?;
    let mut loaded = LoadedEvent {
        setup,
        warnings: Vec::new(),
        file,
        origins,
        players,
        rules,
        version: 1,
        dialect: None,
    };
    loaded.settle_games()?;
    let changes = loaded.setup.rules.iter().flat_map(|rules| &rules.changes);
    let mut flags = flags.iter();
    if let Some(flag) = flags.find(|flag| changes.clone().any(|change| change.key == flag.key)) {
        return Err(ConfigError {
            help: Some("change it in the event file".to_owned()),
            ..loaded.error_at(&flag.key, "a [[rules]] changes it")
        });
    }
    Ok(loaded.by_version(loaded.setup.version()))
}

/// Sets one key of a setup to a value written as in a flag (lists by commas); messages name it by `flag`.
///
/// # Errors
/// When there is no such key, or it does not take the value.
pub fn set(flag: &str, path: &str, text: &str, setup: &mut Setup) -> Result<(), ConfigError> {
    apply_flag(flag, path, text, setup).map(|_| ())
}

impl LoadedEvent {
    /// A format that gives the number of games in a mini-match overrides the preset; another number beside it is refused.
    fn settle_games(&mut self) -> Result<(), ConfigError> {
        let (key, rounds) = ("mini_match.games", self.setup.swiss.rounds);
        let of_format = rounds.games().filter(|_| self.setup.event.stages.is_empty());
        let Some(games) = of_format else { return Ok(()) };
        let is_given = matches!(self.origin(key), Some(Origin::File(_) | Origin::Flag(_)));
        if !is_given {
            self.setup.mini_match.games = games;
            let origin = self.origin("swiss.rounds").cloned().unwrap_or(Origin::Default);
            self.origins.insert(key.to_owned(), origin);
        } else if self.setup.mini_match.games != games {
            let given = self.setup.mini_match.games;
            let message = format!(
                "{} with swiss.rounds = \"{rounds}\", which has {} a round",
                count::of(given, "game", "games"),
                count::of(games, "game", "games")
            );
            let help = "leave games out, or write swiss.rounds without \"double-\"".to_owned();
            return Err(ConfigError {
                help: Some(help),
                ..self.error_at(key, message)
            });
        }
        Ok(())
    }

    /// As the user named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The source of the value of a key such as `game.attempts` or `preset`; `None` if there is no such key.
    pub fn origin(&self, key: &str) -> Option<&Origin> {
        let rules = self.rules.iter().take(self.version - 1).rev();
        let mut changed = rules.flat_map(|rules| &rules.keys);
        let changed = changed.find(|(path, _)| *path == key).map(|(_, origin)| origin);
        changed.or_else(|| self.origins.get(key))
    }

    /// The same event, written from words of a command line, which errors name instead.
    #[must_use]
    pub fn by_words(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Whether the author of the event can set a key: in the dialect of another program, whether a word for it exists.
    pub fn can_set(&self, key: &str) -> bool {
        let of_another = self.dialect.filter(|dialect| *dialect != Dialect::Own);
        of_another.is_none_or(|dialect| dialect.word_of(key).is_some())
    }

    /// An error at the place where the value of a key such as `mini_match.openings` was given.
    pub fn error_at(&self, key: &str, message: impl Into<String>) -> ConfigError {
        let message = message.into();
        if let Some(dialect) = self.dialect {
            return ConfigError::of_words(dialect.word_of(key).unwrap_or_else(|| key.to_owned()), message);
        }
        let (file, place) = match self.origin(key) {
            Some(Origin::File(place)) => (self.file.clone(), Some(*place)),
            Some(Origin::Preset(name)) => (format!("preset {name}"), None),
            Some(Origin::Flag(flag)) => (flag.clone(), None),
            Some(Origin::Default) | None => (self.file.clone(), None),
        };
        ConfigError {
            file,
            place,
            key: key.to_owned(),
            message,
            help: None,
        }
    }

    /// Keeps these players alone, by their places in the file, in this order.
    ///
    /// # Panics
    /// When there is no player at one of the places.
    pub fn choose(&mut self, places: &[usize]) {
        let players = &self.setup.players;
        self.setup.players = places.iter().map(|place| players[*place].clone()).collect();
        // Without a file there are no places in it.
        if !self.players.is_empty() {
            self.players = places.iter().map(|place| self.players[*place].clone()).collect();
        }
    }

    /// The same event, whose players came from `label` instead of the text; errors name `label`.
    #[must_use]
    pub fn given_by(mut self, label: &str) -> Self {
        label.clone_into(&mut self.file);
        self.players.clear();
        self
    }

    /// An error at a key of a player (its index in `setup.players`, a key such as `player.command`), or at its `[[player]]` if the player
    /// has no such key.
    pub fn error_at_player(&self, player: usize, key: &str, message: impl Into<String>) -> ConfigError {
        if self.dialect.is_some() {
            let name = &self.setup.players[player].name;
            let message = message.into();
            return match message.starts_with(name) {
                true => ConfigError::of_words(String::new(), message),
                false => ConfigError::of_words(format!("agent {name}"), message),
            };
        }
        // Another key of the player says who plays.
        let asks = self.setup.players.get(player).and_then(PlayerKeys::asks);
        let key = match (key, asks) {
            ("player.command" | "player.args", Some(MoveSource::Command(_))) => "player.move_command",
            ("player.command", Some(MoveSource::Model(..))) => "player.model",
            ("player.command", Some(MoveSource::Url(_))) => "player.move_url",
            (key, _) => key,
        };
        let place = self
            .players
            .get(player)
            .map(|places| *places.keys.get(key).unwrap_or(&places.head));
        ConfigError {
            file: self.file.clone(),
            place,
            key: key.to_owned(),
            message: message.into(),
            help: None,
        }
    }
}
