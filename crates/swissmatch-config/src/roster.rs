//! A list of entrants, as people hand it in: CSV, JSON or TOML → players, with every problem of the file at its place.
//!
//! Nothing is repaired and nothing left out: a list with any problem gives no player. May not: read files, or know the meaning of a
//! player's key; `schema` reads the values.

mod csv;
mod event;
mod json;
#[cfg(test)]
mod tests;
mod toml;

use std::collections::BTreeMap;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use swiss_system::text::is_no_part_of_a_name;

use super::error::{ConfigError, InvalidValue, TextPlace};
use super::layer::{message, unknown_key_help};
use super::places::TextPlaces;
use super::schema::{PLAYER_KEYS, given};
use super::start::{self, MISSING};
use super::value::{Value, array, key, quoted, shown};
use swissmatch_tournament::names::{DIFFERENCE, TakenNames};
use swissmatch_tournament::setup::PlayerKeys;

pub use event::{Players, hands_in, with_players};

/// The format of a list of entrants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RosterFormat {
    /// Comma-separated values; the first row names the keys.
    Csv,
    /// An array of objects.
    Json,
    /// `[[player]]` tables.
    Toml,
}

impl RosterFormat {
    /// The format of a file by the ending of its name.
    pub fn from_file_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "toml" => Some(Self::Toml),
            _ => None,
        }
    }
}

/// One entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    pub player: PlayerKeys,
    /// Where it begins.
    head: TextPlace,
    /// Where its keys stand, by path such as `player.rating`.
    places: BTreeMap<&'static str, TextPlace>,
}

impl Entrant {
    /// The keys that it has, by name, each with its value in TOML.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, String)> {
        given(&self.player).map(|(key, value)| (key.name(), value))
    }

    /// The place of a key in the list, such as `rating`; if it is not given, the beginning of the entry.
    pub fn place(&self, key: &str) -> TextPlace {
        let path = format!("player.{key}");
        self.places.get(path.as_str()).copied().unwrap_or(self.head)
    }
}

/// Reads a list of entrants; `label` names it in messages. If they `may_hand_in` what plays, rows need not say so.
///
/// # Errors
/// All problems in the order of the text, at least one.
pub fn read_roster(
    label: &str,
    text: &str,
    format: RosterFormat,
    may_hand_in: bool,
) -> Result<Vec<Entrant>, Vec<ConfigError>> {
    // Spreadsheets and editors put it in front.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let places = TextPlaces::of(text);
    let source = RosterText {
        label,
        text,
        places: &places,
        may_hand_in,
    };
    let entrants = match format {
        RosterFormat::Csv => csv::read(source)?,
        RosterFormat::Json => json::read(source)?,
        RosterFormat::Toml => toml::read(source)?,
    };
    if entrants.is_empty() {
        let error = source.error(TextPlace { line: 1, column: 1 }, "", "it has no entrants".to_owned());
        return Err(vec![error]);
    }
    Ok(entrants)
}

/// Players as `[[player]]` tables, each after an empty line; the text can be read again.
pub fn player_tables(players: &[&PlayerKeys]) -> String {
    let table = |player: &&PlayerKeys| {
        let lines = given(player).map(|(key, value)| format!("{} = {value}\n", key.name()));
        format!("\n[[player]]\n{}", lines.collect::<String>())
    };
    players.iter().map(table).collect()
}

#[derive(Clone, Copy)]
struct RosterText<'a> {
    label: &'a str,
    text: &'a str,
    places: &'a TextPlaces<'a>,
    /// Whether entrants may hand in what plays.
    may_hand_in: bool,
}

impl RosterText<'_> {
    fn place(self, byte: usize) -> TextPlace {
        self.places.of_byte(byte)
    }

    fn error(self, place: TextPlace, key: &str, message: String) -> ConfigError {
        ConfigError {
            file: self.label.to_owned(),
            place: Some(place),
            key: key.to_owned(),
            message,
            help: None,
        }
    }
}

/// A value of an entry, as it was written.
enum WrittenValue<'a> {
    /// A text that would be a string, a number or a boolean in TOML; a list is separated by commas.
    Text(&'a str),
    /// A value in a TOML text, whose places count.
    Toml(&'a Spanned<DeValue<'a>>),
    /// Converted to TOML: `value = …`.
    Document(String),
    /// An invalid value.
    Wrong(InvalidValue),
}

struct Cell<'a> {
    /// As written, such as `rating`.
    key: String,
    place: TextPlace,
    written: WrittenValue<'a>,
}

/// Turns cells into players, and collects the problems.
struct Entries<'a> {
    source: RosterText<'a>,
    entrants: Vec<Entrant>,
    errors: Vec<ConfigError>,
    /// Entries so far, including wrong ones.
    count: usize,
    /// Names, with the numbers of the entries that have them.
    names: TakenNames<usize>,
}

impl<'a> Entries<'a> {
    fn new(source: RosterText<'a>) -> Self {
        Self {
            source,
            entrants: Vec::new(),
            errors: Vec::new(),
            count: 0,
            names: TakenNames::new(),
        }
    }

    /// Reports a problem with the next entry as a whole.
    fn refuse(&mut self, place: TextPlace, problem: String) {
        self.count += 1;
        let message = format!("entry {}: {problem}", self.count);
        self.errors.push(self.source.error(place, "", message));
    }

    fn add(&mut self, head: TextPlace, cells: &[Cell<'_>]) {
        self.count += 1;
        let mut player = PlayerKeys::default();
        let mut places = BTreeMap::new();
        let mut problems = Vec::new();
        for cell in cells {
            let path = format!("player.{}", key(&cell.key));
            let Some(known) = PLAYER_KEYS.iter().find(|known| known.path == path) else {
                let help = Some(unknown_key_help(&path, &PLAYER_KEYS));
                problems.push((cell.place, path, "unknown key".to_owned(), help));
                continue;
            };
            if places.insert(known.path, cell.place).is_some() {
                problems.push((cell.place, path, "given twice".to_owned(), None));
                continue;
            }
            if let Err((problem, place)) = self.read(cell, |value| known.read(&mut player, value)) {
                let help = problem.help;
                problems.push((place, path, message(&known.expected, problem.what), help));
            }
        }
        for required in PLAYER_KEYS.iter().filter(|key| key.is_required()) {
            if !places.contains_key(required.path) {
                problems.push((head, required.path.to_owned(), MISSING.to_owned(), None));
            }
        }
        if let Some(wrong) = start::wrong(&player, self.source.may_hand_in, |key| places.contains_key(key)) {
            let place = *places.get(wrong.key).unwrap_or(&head);
            let help = Some(wrong.help.to_owned());
            problems.push((place, wrong.key.to_owned(), wrong.message.to_owned(), help));
        }
        let player = player.with_what_is_started();
        if !player.name.is_empty()
            && let Err(other) = self.names.take(&player.name, self.count)
        {
            let message = format!("{} reads like the name of entry {other}", shown(&player.name));
            let help = Some(DIFFERENCE.to_owned());
            problems.push((places["player.name"], "player.name".to_owned(), message, help));
        }
        let who = match player.name.as_str() {
            "" => format!("entry {}", self.count),
            name => format!("entry {} ({})", self.count, shown(name)),
        };
        let is_right = problems.is_empty();
        self.errors
            .extend(problems.into_iter().map(|(place, path, message, help)| ConfigError {
                help,
                ..self.source.error(place, &path, format!("{who}: {message}"))
            }));
        if is_right {
            self.entrants.push(Entrant { player, head, places });
        }
    }

    /// Reads a cell, and reports where a problem is.
    fn read(
        &self,
        cell: &Cell<'_>,
        read: impl FnOnce(Value<'_>) -> Result<(), InvalidValue>,
    ) -> Result<(), (InvalidValue, TextPlace)> {
        match &cell.written {
            WrittenValue::Text(text) => match refuse_unprintable(text) {
                Ok(()) => read(Value::Flag(text)),
                Err(problem) => Err(problem),
            }
            .map_err(|problem| (problem, cell.place)),
            WrittenValue::Toml(value) => {
                let at = |problem: InvalidValue| {
                    let span = problem.span.clone().unwrap_or(value.span());
                    (problem, self.source.place(span.start))
                };
                refuse_unprintable_toml(value).map_err(at)?;
                read(Value::Toml(value)).map_err(at)
            }
            WrittenValue::Document(document) => match DeTable::parse(document) {
                Ok(table) => {
                    let value = table.get_ref().get("value").expect("it begins with it");
                    refuse_unprintable_toml(value).and_then(|()| read(Value::Toml(value)))
                }
                Err(error) => Err(InvalidValue::said(error.message().replace('\n', ", "))),
            }
            .map_err(|problem| (problem, cell.place)),
            WrittenValue::Wrong(problem) => Err((
                InvalidValue {
                    what: problem.what.clone(),
                    help: problem.help.clone(),
                    span: None,
                },
                cell.place,
            )),
        }
    }

    fn finish(mut self) -> Result<Vec<Entrant>, Vec<ConfigError>> {
        if self.errors.is_empty() {
            return Ok(self.entrants);
        }
        self.errors
            .sort_by_key(|error| error.place.map(|place| (place.line, place.column)));
        Err(self.errors)
    }
}

/// Refuses characters that a terminal or an editor could act on: they have no place in a list of names and programs.
fn refuse_unprintable(text: &str) -> Result<(), InvalidValue> {
    match text.chars().find(|&c| is_no_part_of_a_name(c)) {
        None => Ok(()),
        Some(c) => {
            let code = c.escape_unicode();
            let message = format!("the control character {code} in {}", shown(text));
            Err(InvalidValue::said(message).help("take it out".to_owned()))
        }
    }
}

/// Like [`refuse_unprintable`], but for every string in a value.
fn refuse_unprintable_toml(value: &Spanned<DeValue<'_>>) -> Result<(), InvalidValue> {
    match value.get_ref() {
        DeValue::String(text) => refuse_unprintable(text).map_err(|problem| problem.at(Some(value.span()))),
        DeValue::Array(values) => values.iter().try_for_each(refuse_unprintable_toml),
        DeValue::Table(table) => table.iter().try_for_each(|(name, value)| {
            let name = refuse_unprintable(name.get_ref()).map_err(|problem| problem.at(Some(name.span())));
            name.and_then(|()| refuse_unprintable_toml(value))
        }),
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => Ok(()),
    }
}

/// `value = […]` of strings.
fn document_of_list(strings: &[String]) -> WrittenValue<'static> {
    WrittenValue::Document(format!("value = {}", array(strings.iter().map(|text| quoted(text)))))
}
