//! Every key of an event file: its path, what it takes, what it means, and whether a resumed run may change it.
//!
//! The one list behind parsing, error messages, the effective configuration, the comparison on resume, the template of
//! `swissmatch init`, docs/keys.md and the JSON Schema. Defaults stand beside the fields of [`Setup`]. May not: know layers or files.

mod adjudication;
mod analysis;
mod arbiter;
mod bye;
mod declare;
mod eligibility;
mod engine;
mod event;
mod faults;
mod game;
mod lichess;
mod mini_match;
mod player;
mod playoff;
mod prizes;
mod run;
mod schedule;
mod sections;
mod sprt;
mod stages;
mod standings;
mod stop;

use std::sync::LazyLock;

use serde_json::{Value as Json, json};

pub(super) use declare::{entry, key};

use super::error::Problem;
use super::kind::Kind;
use super::value::Value;
use swissmatch_tournament::setup::{PlayerKeys, Setup};

/// What changing a key does to a run that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It may change results or how they are shown to have come about: refused on resume.
    Results,
    /// It concerns output, or how the run is carried out: free to change.
    Output,
    /// It concerns whether the run begins, and nothing after that: one that goes on may have any value, and nothing changes by it.
    Beginning,
    /// It is the organizer's alone: free to change, in no log and nothing that is published.
    Private,
}

/// Whether a table may be without an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// It may.
    None,
    /// It may, and it is written all the same.
    Shown,
    /// It may not.
    Required,
    /// It may not, which is told in words of its own: a message, and the remedy.
    Saying(&'static str, &'static str),
}

type Read<T> = Box<dyn Fn(&mut T, Value<'_>) -> Result<(), Problem> + Send + Sync>;
type Write<T> = Box<dyn Fn(&T) -> Option<String> + Send + Sync>;

/// One key of `T`: a [`Setup`], one player of it, or an inline table.
pub struct Key<T: 'static> {
    /// `table.key`, as messages name it; of an entry of an inline table its name alone.
    pub path: &'static str,
    /// What it takes: the rest of a sentence that begins with "expected".
    pub expected: String,
    /// What it means, in one line.
    pub doc: &'static str,
    /// Whether a resumed run may change it.
    pub class: Class,
    /// The keys that it sets, where it is a shorthand for others; else empty.
    pub stands_for: &'static [&'static str],
    /// A value, for a key that has no default to show.
    pub example: Option<&'static str>,
    pub(super) need: Need,
    schema: Json,
    read: Read<T>,
    write: Write<T>,
}

impl<T> Key<T> {
    /// The table it stands in, and its name there.
    pub fn table_and_name(&self) -> (&'static str, &'static str) {
        self.path.split_once('.').unwrap_or(("", self.path))
    }

    /// Its name in its table.
    pub(super) fn name(&self) -> &'static str {
        self.table_and_name().1
    }

    /// Whether its table is refused without it.
    pub const fn is_required(&self) -> bool {
        matches!(self.need, Need::Required | Need::Saying(..))
    }

    /// Sets it to a value.
    pub(super) fn read(&self, of: &mut T, value: Value<'_>) -> Result<(), Problem> {
        (self.read)(of, value)
    }

    /// The value in TOML; `None` for what is not set and for shorthands.
    pub(super) fn write(&self, of: &T) -> Option<String> {
        (self.write)(of)
    }

    /// What a JSON Schema says of it.
    pub(super) fn schema(&self) -> Json {
        let mut schema = self.schema.clone();
        schema["description"] = json!(self.doc);
        schema
    }

    /// A key whose value `get` gives and `set` sets.
    pub(super) fn new<V: 'static>(
        path: &'static str,
        kind: Kind<V>,
        doc: &'static str,
        get: fn(&T) -> &V,
        set: fn(&mut T, V),
    ) -> Self {
        let (expected, schema) = (kind.expected.clone(), kind.schema.clone());
        let kind = std::sync::Arc::new(kind);
        let to_read = kind.clone();
        Self {
            path,
            expected,
            doc,
            class: Class::Results,
            stands_for: &[],
            example: None,
            need: Need::None,
            schema,
            read: Box::new(move |of, value| to_read.read(value).map(|value| set(of, value))),
            write: Box::new(move |of| kind.write(get(of))),
        }
    }

    /// A shorthand for other keys, which it sets.
    fn shorthand<V: 'static>(
        path: &'static str,
        kind: Kind<V>,
        doc: &'static str,
        stands_for: &'static [&'static str],
        set: fn(&mut T, V),
    ) -> Self {
        let (expected, schema) = (kind.expected.clone(), kind.schema.clone());
        Self {
            path,
            expected,
            doc,
            class: Class::Results,
            stands_for,
            example: None,
            need: Need::None,
            schema,
            read: Box::new(move |of, value| kind.read(value).map(|value| set(of, value))),
            write: Box::new(|_| None),
        }
    }

    fn output(self) -> Self {
        Self {
            class: Class::Output,
            ..self
        }
    }

    fn of_the_beginning(self) -> Self {
        Self {
            class: Class::Beginning,
            ..self
        }
    }

    fn private(self) -> Self {
        Self {
            class: Class::Private,
            ..self
        }
    }

    /// A value to show, as TOML.
    fn such_as(self, example: &'static str) -> Self {
        Self {
            example: Some(example),
            ..self
        }
    }

    /// Written also where it is as it would be without.
    fn shown(self) -> Self {
        Self {
            need: Need::Shown,
            ..self
        }
    }

    /// Its table may not be without it.
    pub(super) fn required(self) -> Self {
        Self {
            need: Need::Required,
            ..self
        }
    }

    /// The same in words of its own.
    fn required_saying(self, message: &'static str, help: &'static str) -> Self {
        Self {
            need: Need::Saying(message, help),
            ..self
        }
    }

    /// The same, without a value where it counts for nothing.
    fn written_if(self, counts: fn(&T) -> bool) -> Self {
        let write = self.write;
        Self {
            write: Box::new(move |of| write(of).filter(|_| counts(of))),
            ..self
        }
    }

    /// The same key of what has a `T`.
    fn within<U>(self, get: fn(&U) -> &T, get_mut: fn(&mut U) -> &mut T) -> Key<U> {
        let Self { read, write, .. } = self;
        Key {
            path: self.path,
            expected: self.expected,
            doc: self.doc,
            class: self.class,
            stands_for: self.stands_for,
            example: self.example,
            need: self.need,
            schema: self.schema,
            read: Box::new(move |of, value| read(get_mut(of), value)),
            write: Box::new(move |of| write(get(of))),
        }
    }
}

impl Key<Setup> {
    /// Its value in the preset `none`, in TOML; `None` for shorthands, and for what has none.
    pub fn default_value(&self) -> Option<String> {
        self.write(&Setup::default())
    }
}

/// Every key outside `[[player]]`, in the order in which they are printed.
pub static KEYS: LazyLock<Vec<Key<Setup>>> = LazyLock::new(|| {
    let tables = [
        event::keys(),
        mini_match::keys(),
        game::keys(),
        bye::keys(),
        standings::keys(),
        schedule::keys(),
        playoff::keys(),
        prizes::keys(),
        adjudication::keys(),
        engine::keys(),
        faults::keys(),
        sprt::keys(),
        stop::keys(),
        run::keys(),
        analysis::keys(),
        arbiter::keys(),
        lichess::keys(),
        eligibility::keys(),
    ];
    tables.into_iter().flatten().collect()
});

/// Every key of a `[[player]]`, in the order in which they are printed.
pub static PLAYER_KEYS: LazyLock<Vec<Key<PlayerKeys>>> = LazyLock::new(player::keys);

/// The keys of a player that it has, each with its value in TOML.
pub(super) fn given(player: &PlayerKeys) -> impl Iterator<Item = (&'static Key<PlayerKeys>, String)> {
    let nobody = PlayerKeys::default();
    PLAYER_KEYS.iter().filter_map(move |key| {
        let value = key.write(player)?;
        let is_set = key.need != Need::None || key.write(&nobody).as_ref() != Some(&value);
        is_set.then_some((key, value))
    })
}
