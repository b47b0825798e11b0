//! A key of a table: its path, its values, its meaning, and whether a resumed run may change it.

use serde_json::{Value as Json, json};

use super::ValueKind;
use crate::error::InvalidValue;
use crate::value::Value;

/// The effect of changing a key on a run that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It may change results or how they appear to have come about: refused on resume.
    Results,
    /// It concerns output, or how the run is carried out: free to change.
    Output,
    /// It concerns only whether the run begins: a resumed run may have any value, without effect.
    Beginning,
    /// It is the organizer's alone: free to change, in no log and nothing that is published.
    Private,
}

/// Whether a table may lack an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It may.
    None,
    /// It may, but the entry is always written.
    Shown,
    /// It may not.
    Required,
    /// It may not, and the error has its own words: a message, and the remedy.
    Saying(&'static str, &'static str),
}

type ReadKey<T> = Box<dyn Fn(&mut T, Value<'_>) -> Result<(), InvalidValue> + Send + Sync>;
type WriteKey<T> = Box<dyn Fn(&T) -> Option<String> + Send + Sync>;

/// One key of `T`: a `Setup`, one of its players or endpoints, or an inline table.
pub struct Key<T: 'static> {
    /// `table.key`, as messages name it; for an entry of an inline table, only its name.
    pub path: &'static str,
    /// Its values: the rest of a sentence that begins with "expected".
    pub expected: String,
    /// Its meaning, in one line.
    pub doc: &'static str,
    /// Whether a resumed run may change it.
    pub class: Class,
    /// The keys that it sets if it is a shorthand; otherwise empty.
    pub stands_for: &'static [&'static str],
    /// A value for documentation, for a key without a default.
    pub example: Option<&'static str>,
    pub(crate) need: Need,
    schema: Json,
    read: ReadKey<T>,
    write: WriteKey<T>,
}

impl<T> Key<T> {
    /// Its table, and its name there.
    pub fn table_and_name(&self) -> (&'static str, &'static str) {
        self.path.split_once('.').unwrap_or(("", self.path))
    }

    pub(crate) fn name(&self) -> &'static str {
        self.table_and_name().1
    }

    /// Whether its table is refused without it.
    pub const fn is_required(&self) -> bool {
        matches!(self.need, Need::Required | Need::Saying(..))
    }

    pub(crate) fn read(&self, of: &mut T, value: Value<'_>) -> Result<(), InvalidValue> {
        (self.read)(of, value)
    }

    /// The value in TOML; `None` if it is not set, and for shorthands.
    pub(crate) fn write(&self, of: &T) -> Option<String> {
        (self.write)(of)
    }

    /// Its JSON Schema.
    pub(crate) fn schema(&self) -> Json {
        let mut schema = self.schema.clone();
        schema["description"] = json!(self.doc);
        schema
    }

    /// A key with a getter and a setter.
    pub(crate) fn new<V: 'static>(
        path: &'static str,
        kind: ValueKind<V>,
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
    pub(crate) fn shorthand<V: 'static>(
        path: &'static str,
        kind: ValueKind<V>,
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

    pub(crate) fn output(self) -> Self {
        Self {
            class: Class::Output,
            ..self
        }
    }

    pub(crate) fn of_the_beginning(self) -> Self {
        Self {
            class: Class::Beginning,
            ..self
        }
    }

    pub(crate) fn private(self) -> Self {
        Self {
            class: Class::Private,
            ..self
        }
    }

    /// Sets a value for documentation, in TOML.
    pub(crate) fn such_as(self, example: &'static str) -> Self {
        Self {
            example: Some(example),
            ..self
        }
    }

    /// Has the key written even if it has its default.
    pub(crate) fn shown(self) -> Self {
        Self {
            need: Need::Shown,
            ..self
        }
    }

    /// Requires the key in its table.
    pub(crate) fn required(self) -> Self {
        Self {
            need: Need::Required,
            ..self
        }
    }

    /// Like [`Self::required`], but with an error in its own words.
    pub(crate) fn required_saying(self, message: &'static str, help: &'static str) -> Self {
        Self {
            need: Need::Saying(message, help),
            ..self
        }
    }

    /// Leaves the value out where it has no effect.
    pub(crate) fn written_if(self, counts: fn(&T) -> bool) -> Self {
        let write = self.write;
        Self {
            write: Box::new(move |of| write(of).filter(|_| counts(of))),
            ..self
        }
    }

    /// The same key, of a type that contains a `T`.
    pub(crate) fn within<U>(self, get: fn(&U) -> &T, get_mut: fn(&mut U) -> &mut T) -> Key<U> {
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

impl<T: Default> Key<T> {
    /// Its default in TOML, for a key of an event in the preset `none`; `None` for shorthands, for keys that must be given, and for those
    /// without a default.
    pub fn default_value(&self) -> Option<String> {
        self.write(&T::default()).filter(|_| !self.is_required())
    }
}
