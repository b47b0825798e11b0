//! A single value: as written in TOML or after a flag → a Rust value, and back to TOML.
//!
//! May not: know keys, pass a decimal through a float.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Map, Value as Json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{InvalidValue, nearest};
use swiss_system::text::{is_harmless, is_no_part_of_a_name, shortened};
use swiss_system::word::Word;
use swissmatch_game::time_control::{TimeControl, TimeTextError, parse_duration};
use swissmatch_tournament::money::Cents;
use swissmatch_tournament::names::{is_seen, told_from};
use swissmatch_tournament::setup::is_variable;

/// Most characters of a player's name.
pub(super) const LONGEST_PLAYER: usize = 200;
/// Longest text that a message repeats.
const SHOWN: usize = 40;

/// A value as someone wrote it.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    /// In a TOML text.
    Toml(&'a Spanned<DeValue<'a>>),
    /// After a flag: a text that would be a string, a number or a boolean in TOML; a list is separated by commas.
    Flag(&'a str),
}

impl<'a> Value<'a> {
    /// Any string.
    pub(super) fn string(self) -> Result<&'a str, InvalidValue> {
        match self {
            Self::Toml(value) => value.get_ref().as_str().ok_or_else(|| self.unexpected()),
            Self::Flag(text) => Ok(text),
        }
    }

    /// A string of this length without control characters.
    pub(super) fn line(self, length: RangeInclusive<usize>) -> Result<String, InvalidValue> {
        let text = self.string()?;
        if length.contains(&text.chars().count()) && !text.contains(is_no_part_of_a_name) {
            Ok(text.to_owned())
        } else {
            Err(self.unexpected())
        }
    }

    /// The name of an event or a player: at most `most` characters, not blank at its ends, with something visible.
    pub(super) fn name(self, most: usize) -> Result<String, InvalidValue> {
        let name = self.line(1..=most)?;
        if name.trim() == name && is_seen(&name) {
            Ok(name)
        } else {
            Err(self.unexpected())
        }
    }

    /// A whole number in the range.
    pub(super) fn whole<N: TryFrom<i128>>(self, range: RangeInclusive<i128>) -> Result<N, InvalidValue> {
        let number = match self {
            Self::Toml(value) => value
                .get_ref()
                .as_integer()
                .and_then(|integer| i128::from_str_radix(integer.as_str(), integer.radix()).ok()),
            Self::Flag(text) => text.parse().ok(),
        };
        number
            .filter(|number| range.contains(number))
            .and_then(|number| N::try_from(number).ok())
            .ok_or_else(|| self.unexpected())
    }

    /// `true` or `false`.
    pub(super) fn switch(self) -> Result<bool, InvalidValue> {
        let switch = match self {
            Self::Toml(value) => value.get_ref().as_bool(),
            Self::Flag(text) => text.parse().ok(),
        };
        switch.ok_or_else(|| self.unexpected())
    }

    /// `None` for the given word, otherwise the result of `read`.
    pub(super) fn word_or<T>(
        self,
        word: &str,
        read: impl FnOnce(Self) -> Result<T, InvalidValue>,
    ) -> Result<Option<T>, InvalidValue> {
        if self.string().is_ok_and(|text| text == word) {
            Ok(None)
        } else {
            read(self).map(Some)
        }
    }

    /// One of the words of `T`.
    pub(super) fn choice<T: Word>(self) -> Result<T, InvalidValue> {
        let text = self.string()?;
        let chosen = T::of_word(text);
        chosen.ok_or_else(|| {
            let words: Vec<&str> = T::ALL.iter().map(|value| value.word()).collect();
            self.no_word(text, &words)
        })
    }

    fn no_word(self, text: &str, words: &[&str]) -> InvalidValue {
        let problem = self.unexpected();
        match nearest(text, words) {
            Some(name) => problem.help(format!("did you mean {}?", quoted(name))),
            None => problem,
        }
    }

    /// A list of words of `T`: not empty, none twice.
    pub(super) fn choices<T: Word>(self) -> Result<Vec<T>, InvalidValue> {
        let chosen = self.any_choices()?;
        if chosen.is_empty() {
            return Err(InvalidValue::found("an empty list".to_owned()));
        }
        Ok(chosen)
    }

    /// A list of at least one text that `T` reads, without repeats except where `may_be_repeated`.
    pub(super) fn parsed_each<T>(self, may_be_repeated: impl Fn(&T) -> bool) -> Result<Vec<T>, InvalidValue>
    where
        T: FromStr<Err: Display> + PartialEq + Display,
    {
        let mut read = Vec::new();
        for value in self.list()? {
            let one: T = value
                .string()?
                .parse()
                .map_err(|error: T::Err| InvalidValue::said(error.to_string()).at(value.span()))?;
            if read.contains(&one) && !may_be_repeated(&one) {
                return Err(
                    InvalidValue::said(format!("{} is given twice", quoted(&one.to_string()))).at(value.span()),
                );
            }
            read.push(one);
        }
        if read.is_empty() {
            return Err(InvalidValue::found("an empty list".to_owned()));
        }
        Ok(read)
    }

    /// A list of words of `T`, none twice.
    pub(super) fn any_choices<T: Word>(self) -> Result<Vec<T>, InvalidValue> {
        let mut chosen = Vec::new();
        for value in self.list()? {
            let choice: T = value.choice()?;
            if chosen.contains(&choice) {
                return Err(InvalidValue::said(format!("{} is given twice", quoted(choice.word()))).at(value.span()));
            }
            chosen.push(choice);
        }
        Ok(chosen)
    }

    /// A list of groups of at least two names; on the command line `A,B;C,D,E`.
    pub(super) fn groups_of_names(self) -> Result<Vec<Vec<String>>, InvalidValue> {
        let groups = match self {
            Self::Toml(_) => self.list()?,
            Self::Flag("") => Vec::new(),
            Self::Flag(text) => text.split(';').map(Self::Flag).collect(),
        };
        let names = |group: Self| {
            let names: Vec<String> = group
                .list()?
                .into_iter()
                .map(|name| name.name(LONGEST_PLAYER))
                .collect::<Result<_, _>>()?;
            if names.len() < 2 {
                Err(group.unexpected())
            } else {
                Ok(names)
            }
        };
        groups.into_iter().map(names).collect()
    }

    pub(super) fn list(self) -> Result<Vec<Self>, InvalidValue> {
        match self {
            Self::Toml(value) => {
                let elements = value.get_ref().as_array().ok_or_else(|| self.unexpected())?;
                Ok(elements.iter().map(Self::Toml).collect())
            }
            Self::Flag("") => Ok(Vec::new()),
            Self::Flag(text) => Ok(text.split(',').map(|part| Self::Flag(part.trim())).collect()),
        }
    }

    /// A duration with its unit.
    pub(super) fn duration(self, at_least: Duration) -> Result<Duration, InvalidValue> {
        let text = self
            .string()
            .map_err(|problem| problem.help("write it as a string with a unit, such as \"10s\"".to_owned()))?;
        match parse_duration(text) {
            Ok(duration) if duration >= at_least => Ok(duration),
            Ok(_) => Err(self.unexpected()),
            Err(error) => Err(InvalidValue::said(error.to_string())),
        }
    }

    pub(super) fn time_control(self) -> Result<TimeControl, InvalidValue> {
        self.string()?.parse().map_err(|error: TimeTextError| {
            let usual = "usual forms are \"10+0.1\" and \"100ms/move\" (docs/time-controls.md)";
            InvalidValue::said(error.to_string()).help(usual.to_owned())
        })
    }

    /// An exact number between the bounds: an integer, a decimal, or either as a string.
    pub(super) fn exact<N: FromStr + PartialOrd>(self, range: RangeInclusive<N>) -> Result<N, InvalidValue> {
        let number = self.decimal().and_then(|text| text.parse().ok());
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| self.unexpected())
    }

    /// An amount of money: an integer, a decimal, or either as a string.
    pub(super) fn money(self) -> Result<Cents, InvalidValue> {
        let money = self.decimal().and_then(|text| text.parse().ok());
        money.ok_or_else(|| self.unexpected())
    }

    /// A number as it was written.
    fn decimal(self) -> Option<&'a str> {
        match self {
            Self::Flag(text) => Some(text),
            Self::Toml(value) => match value.get_ref() {
                DeValue::String(text) => Some(text.as_ref()),
                DeValue::Float(float) => Some(float.as_str()),
                DeValue::Integer(integer) if integer.radix() == 10 => Some(integer.as_str()),
                _ => None,
            },
        }
    }

    /// A moment with its offset from UTC.
    pub(super) fn timestamp(self) -> Result<jiff::Timestamp, InvalidValue> {
        let text = match self {
            Self::Toml(value) => match value.get_ref() {
                DeValue::Datetime(moment) => moment.to_string(),
                _ => self.string()?.to_owned(),
            },
            Self::Flag(text) => text.to_owned(),
        };
        text.parse().map_err(|_| self.unexpected())
    }

    /// Program arguments: strings that a process can be given.
    pub(super) fn arguments(self) -> Result<Vec<String>, InvalidValue> {
        let mut arguments = Vec::new();
        for value in self.list()? {
            let argument = value.string().map_err(|_| value.unexpected())?;
            if argument.contains('\0') {
                return Err(value.unexpected());
            }
            arguments.push(argument.to_owned());
        }
        Ok(arguments)
    }

    /// UCI options: names and values as they are sent, each on one line.
    pub(super) fn uci_options(self) -> Result<BTreeMap<String, String>, InvalidValue> {
        let mut options = BTreeMap::new();
        for (key, value) in self.table()? {
            let name = key.get_ref().as_ref();
            let problem = |message: &str| {
                Err(InvalidValue::said(format!("option {}: {message}", shown(name))).at(Some(key.span())))
            };
            if name.trim() != name || name.is_empty() || name.contains(char::is_control) {
                return problem("not a valid name of a UCI option");
            }
            if options.keys().any(|other: &String| other.eq_ignore_ascii_case(name)) {
                return problem("given twice; names of UCI options do not differ by case alone");
            }
            let text = match value.get_ref() {
                DeValue::String(text) => text.as_ref().to_owned(),
                DeValue::Boolean(switch) => switch.to_string(),
                DeValue::Integer(_) => Value::Toml(value)
                    .whole::<i64>(i64::MIN.into()..=i64::MAX.into())?
                    .to_string(),
                _ => return problem("expected a string, a whole number or a boolean"),
            };
            if text.contains(char::is_control) {
                return problem("expected a value without control characters");
            }
            options.insert(name.to_owned(), text);
        }
        Ok(options)
    }

    /// Environment variables: names that a shell could set, and values as written. A value that begins with `$` is the
    /// name of another variable, or begins with `$$`.
    pub(super) fn environment(self) -> Result<BTreeMap<String, String>, InvalidValue> {
        let mut variables = BTreeMap::new();
        for (key, value) in self.table()? {
            let name = key.get_ref().as_ref();
            let said =
                |message: &str, span| InvalidValue::said(format!("variable {}: {message}", shown(name))).at(Some(span));
            if !is_variable(name) {
                let message = "expected a name of letters, digits and _ that does not begin with a digit";
                return Err(said(message, key.span()));
            }
            let text = value.get_ref().as_str().filter(|text| !text.contains('\0'));
            let text = text.ok_or_else(|| said("expected a string without NUL characters", value.span()))?;
            if let Some(of_runner) = text.strip_prefix('$')
                && !of_runner.starts_with('$')
                && !is_variable(of_runner)
            {
                let message = "expected the name of a variable after the $; write $$ for a value that begins with $";
                return Err(said(message, value.span()));
            }
            variables.insert(name.to_owned(), text.to_owned());
        }
        Ok(variables)
    }

    /// A table whose entries have names of the author's choice.
    pub(super) fn by_name<V>(
        self,
        read: impl Fn(Value<'a>) -> Result<V, InvalidValue>,
    ) -> Result<BTreeMap<String, V>, InvalidValue> {
        let mut entries = BTreeMap::new();
        for (key, value) in self.table()? {
            let entry = read(Value::Toml(value)).map_err(|problem| problem.at(Some(value.span())))?;
            entries.insert(key.get_ref().as_ref().to_owned(), entry);
        }
        Ok(entries)
    }

    /// "Found this", for messages that start with what the key expects.
    pub(super) fn unexpected(self) -> InvalidValue {
        let found = match self {
            Self::Flag(text) => shown(text),
            Self::Toml(value) => match value.get_ref() {
                DeValue::String(text) => shown(text),
                DeValue::Integer(number) => number.to_string(),
                DeValue::Float(number) => number.to_string(),
                DeValue::Boolean(switch) => switch.to_string(),
                DeValue::Datetime(moment) => moment.to_string(),
                DeValue::Array(_) => "a list".to_owned(),
                DeValue::Table(_) => "a table".to_owned(),
            },
        };
        InvalidValue::found(found).at(self.span())
    }

    /// The bytes of the value in its text.
    pub(super) fn span(self) -> Option<Range<usize>> {
        match self {
            Self::Toml(value) => Some(value.span()),
            Self::Flag(_) => None,
        }
    }

    pub(super) fn table(self) -> Result<&'a DeTable<'a>, InvalidValue> {
        match self {
            Self::Toml(value) => value.get_ref().as_table().ok_or_else(|| self.unexpected()),
            Self::Flag(_) => Err(self.unexpected()),
        }
    }
}

/// A text in quotes, shortened if it is long.
pub(super) fn shown(text: &str) -> String {
    quoted(&shortened(text, SHOWN))
}

/// A name beside one that reads like it: characters that a reader cannot tell apart are given as code points.
pub(super) fn shown_beside(name: &str, other: &str) -> String {
    let shown = shown(name);
    match shown.contains("\\u") {
        true => shown,
        false => shown + &told_from(name, other),
    }
}

/// A TOML string on one line.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if !is_harmless(c) => {
                // Writing to a string does not fail.
                let _ = match u32::from(c) {
                    code @ ..=0xffff => write!(quoted, "\\u{code:04X}"),
                    code => write!(quoted, "\\U{code:08X}"),
                };
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A TOML key, without quotes if possible.
pub(super) fn key(text: &str) -> String {
    let is_bare = !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if is_bare { text.to_owned() } else { quoted(text) }
}

/// A TOML inline table of strings.
pub(super) fn write_table(table: &BTreeMap<String, String>) -> String {
    let entries = table
        .iter()
        .map(|(name, value)| format!("{} = {}", key(name), quoted(value)));
    inline_table(entries.collect())
}

/// A TOML inline table of these entries.
pub(super) fn inline_table(entries: Vec<String>) -> String {
    match entries.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{ {} }}", entries.join(", ")),
    }
}

/// JSON in TOML, which has no `null`.
pub(super) fn json_in_toml(value: &Json) -> Option<String> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(switch) => switch.to_string(),
        Json::Number(number) => number.to_string(),
        Json::String(text) => quoted(text),
        Json::Array(values) => array(values.iter().map(json_in_toml).collect::<Option<Vec<_>>>()?),
        Json::Object(members) => json_table(members)?,
    })
}

/// Like [`json_in_toml`], but for an object.
pub(super) fn json_table(members: &Map<String, Json>) -> Option<String> {
    let member = |(name, value): (&String, &Json)| Some(format!("{} = {}", key(name), json_in_toml(value)?));
    members.iter().map(member).collect::<Option<Vec<_>>>().map(inline_table)
}

/// A TOML array of these TOML values.
pub(super) fn array(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(", "))
}

/// A TOML array of words.
pub(super) fn words<T: Word>(values: &[T]) -> String {
    array(values.iter().map(|value| word(*value)))
}

/// A word as a TOML string.
pub(super) fn word<T: Word>(value: T) -> String {
    quoted(value.word())
}
