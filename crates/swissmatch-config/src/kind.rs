//! What values a key takes: in words, as JSON Schema, how they are read, and how they are written in TOML.
//!
//! A kind is made of others: `or("none", whole("a number of plies", 1..=1000))`. May not: know which keys there are, layers or files.

mod chess;
mod declare;
mod key;
mod list;
mod program;
mod service;
mod table;

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::error::InvalidValue;
use super::value::{LONGEST_PLAYER, Value, quoted, shown};
use swiss_system::word::Word;
use swissmatch_game::time_control::{MOST_DEPTH, MOST_NODES, write_duration};

pub(super) use chess::{
    MOST_ROUNDS, chance_of_error, criteria, elo_difference, money, points, points_table, rounds, time_control,
};
pub(super) use declare::{entry, key};
pub(super) use key::Need;
pub use key::{Class, Key};
pub(super) use list::{choices, list, listed, rising};
pub(super) use program::{address, arguments, environment, exec, move_command, uci_options, variable};
pub(super) use service::{micros, model, move_address, service_address, tag, text, thousandths, verbatim};
pub(super) use table::{Tone, one_of_tables, schema as table_schema, table, tagged};

type ReadValue<V> = Box<dyn Fn(Value<'_>) -> Result<V, InvalidValue> + Send + Sync>;
type WriteValue<V> = Box<dyn Fn(&V) -> Option<String> + Send + Sync>;

/// The values of type `V` that a key takes.
pub(super) struct ValueKind<V> {
    /// The rest of a sentence that begins with "expected".
    pub(super) expected: String,
    /// A JSON Schema of it, as exact as one can be.
    pub(super) schema: Json,
    read: ReadValue<V>,
    write: WriteValue<V>,
}

impl<V: 'static> ValueKind<V> {
    pub(super) fn new(
        expected: impl Into<String>,
        schema: Json,
        read: impl Fn(Value<'_>) -> Result<V, InvalidValue> + Send + Sync + 'static,
        write: impl Fn(&V) -> String + Send + Sync + 'static,
    ) -> Self {
        Self {
            expected: expected.into(),
            schema,
            read: Box::new(read),
            write: Box::new(move |value| Some(write(value))),
        }
    }

    pub(super) fn read(&self, value: Value<'_>) -> Result<V, InvalidValue> {
        (self.read)(value)
    }

    /// In TOML; `None` for a value that is left out.
    pub(super) fn write(&self, value: &V) -> Option<String> {
        (self.write)(value)
    }

    /// The same kind, described in other words.
    pub(super) fn called(self, expected: impl Into<String>) -> Self {
        Self {
            expected: expected.into(),
            ..self
        }
    }

    /// The same kind, written in another way.
    pub(super) fn written(self, write: fn(&V) -> String) -> Self {
        Self {
            write: Box::new(move |value| Some(write(value))),
            ..self
        }
    }

    /// The same kind, without the values for which `wrong` gives an objection.
    pub(super) fn unless(self, wrong: impl Fn(&V) -> Option<String> + Send + Sync + 'static) -> Self {
        let read = self.read;
        Self {
            read: Box::new(move |written| {
                let value = read(written)?;
                wrong(&value).map_or(Ok(value), |message| Err(InvalidValue::said(message)))
            }),
            ..self
        }
    }

    /// The same kind as another type. `from` converts back, and gives `None` for values that are not of this kind.
    pub(super) fn map<W: 'static>(self, to: fn(V) -> W, from: fn(&W) -> Option<V>) -> ValueKind<W> {
        let Self { read, write, .. } = self;
        ValueKind {
            expected: self.expected,
            schema: self.schema,
            read: Box::new(move |value| read(value).map(to)),
            write: Box::new(move |value| write(&from(value)?)),
        }
    }
}

/// A value that may be left out.
pub(super) fn optional<V: Clone + 'static>(kind: ValueKind<V>) -> ValueKind<Option<V>> {
    kind.map(Some, Option::clone)
}

/// A value with a default for when it is not given.
pub(super) fn usually<V: Clone + PartialEq + Send + Sync + 'static>(
    usual: V,
    kind: ValueKind<V>,
) -> ValueKind<Option<V>> {
    let ValueKind {
        expected,
        schema,
        read,
        write,
    } = kind;
    let to_read = usual.clone();
    ValueKind {
        expected,
        schema,
        read: Box::new(move |value| read(value).map(|value| (value != to_read).then_some(value))),
        write: Box::new(move |value| write(value.as_ref().unwrap_or(&usual))),
    }
}

/// A word for none, or a value.
pub(super) fn or<V: 'static>(word: &'static str, kind: ValueKind<V>) -> ValueKind<Option<V>> {
    let ValueKind { read, write, .. } = kind;
    ValueKind {
        expected: format!("{} or {}", quoted(word), kind.expected),
        schema: json!({ "anyOf": [{ "const": word }, kind.schema] }),
        read: Box::new(move |value| value.word_or(word, &read)),
        write: Box::new(move |value| value.as_ref().map_or_else(|| Some(quoted(word)), &write)),
    }
}

/// A whole number in the range.
pub(super) fn whole<N>(what: &str, range: RangeInclusive<N>) -> ValueKind<N>
where
    N: Copy + Display + Into<i128> + TryFrom<i128> + serde::Serialize + Send + Sync + 'static,
{
    let (least, most) = (*range.start(), *range.end());
    let schema = json!({ "type": "integer", "minimum": least, "maximum": most });
    let read = move |value: Value<'_>| value.whole(least.into()..=most.into());
    ValueKind::new(format!("{what} from {least} to {most}"), schema, read, N::to_string)
}

/// `true` or `false`.
pub(super) fn switch() -> ValueKind<bool> {
    ValueKind::new(
        "true or false",
        json!({ "type": "boolean" }),
        |value| value.switch(),
        bool::to_string,
    )
}

/// One of the words of `T`.
pub(super) fn choice<T: Word>() -> ValueKind<T> {
    ValueKind::new(
        listing::<T>("or"),
        one_of::<T>(),
        |value| value.choice(),
        |value: &T| quoted(value.word()),
    )
}

/// A schema of the words of `T`.
fn one_of<T: Word>() -> Json {
    let words: Vec<&str> = T::ALL.iter().map(|value| value.word()).collect();
    json!({ "enum": words })
}

/// The words of `T`, as `"a", "b" or "c"`.
fn listing<T: Word>(last: &str) -> String {
    in_words(T::ALL.iter().map(|value| quoted(value.word())).collect(), last)
}

/// `a, b and c`
fn in_words(mut words: Vec<String>, last: &str) -> String {
    match words.pop() {
        Some(word) if !words.is_empty() => format!("{} {last} {word}", words.join(", ")),
        word => word.unwrap_or_default(),
    }
}

/// A text with so many characters, none of them a control character.
pub(super) fn line(expected: &str, length: RangeInclusive<usize>) -> ValueKind<String> {
    let schema = json!({ "type": "string", "minLength": length.start(), "maxLength": length.end() });
    ValueKind::new(
        expected,
        schema,
        move |value| value.line(length.clone()),
        |text| quoted(text),
    )
}

/// A path or a command.
pub(super) fn path(expected: &str) -> ValueKind<String> {
    line(expected, 1..=4096)
}

/// A name by which people call something, such as an event or a team.
pub(super) fn name() -> ValueKind<String> {
    name_of(100)
}

pub(super) fn player_name() -> ValueKind<String> {
    name_of(LONGEST_PLAYER)
}

fn name_of(most: usize) -> ValueKind<String> {
    let expected = format!("a name of 1 to {most} characters without control characters or blanks at its ends");
    let schema = json!({ "type": "string", "minLength": 1, "maxLength": most });
    ValueKind::new(expected, schema, move |value| value.name(most), |name| quoted(name))
}

/// A duration, zero included.
pub(super) fn duration(such_as: &str) -> ValueKind<Duration> {
    a_duration(format!("a duration such as {}", quoted(such_as)), Duration::ZERO)
}

/// A duration above zero.
pub(super) fn time(such_as: &str) -> ValueKind<Duration> {
    let expected = format!("a duration above zero, such as {}", quoted(such_as));
    a_duration(expected, Duration::from_nanos(1))
}

/// A duration of a second or more.
pub(super) fn seconds(such_as: &str) -> ValueKind<Duration> {
    let expected = format!("a duration of at least 1s, such as {}", quoted(such_as));
    a_duration(expected, Duration::from_secs(1))
}

fn a_duration(expected: String, least: Duration) -> ValueKind<Duration> {
    let schema = json!({ "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,6})?([mM][sS]|[sS]|[mM])$" });
    let read = move |value: Value<'_>| value.duration(least);
    ValueKind::new(expected, schema, read, |time| quoted(&write_duration(*time)))
}

/// A date and time with its offset from UTC.
pub(super) fn moment(such_as: &str) -> ValueKind<jiff::Timestamp> {
    let expected = format!("a date and time with its offset from UTC, such as {such_as}");
    // Editors take a date and time of TOML for a string.
    let schema = json!({ "type": "string" });
    ValueKind::new(
        expected,
        schema,
        |value| value.timestamp(),
        |moment| quoted(&moment.to_string()),
    )
}

/// A text that `T` reads and writes. The error of `T` follows the text in messages.
pub(super) fn parsed<T: FromStr<Err: Display> + Display + 'static>(expected: &str) -> ValueKind<T> {
    let read = |value: Value<'_>| {
        let text = value.string()?;
        let said = |error: T::Err| InvalidValue::said(format!("{}: {error}", shown(text)));
        text.parse().map_err(said)
    };
    let schema = json!({ "type": "string", "minLength": 1 });
    ValueKind::new(expected, schema, read, |value: &T| quoted(&value.to_string()))
}

/// Nodes a move or a position.
pub(super) fn nodes() -> ValueKind<u64> {
    whole("a number of nodes", 1..=MOST_NODES)
}

/// A depth of search.
pub(super) fn depth() -> ValueKind<u32> {
    whole("a depth in plies", 1..=MOST_DEPTH)
}
