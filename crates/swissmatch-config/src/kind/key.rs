//! A key of a table: its path, what it takes, what it means, whether a resumed run may change it.

use serde_json::{Value as Json, json};

use super::ValueKind;
use crate::error::InvalidValue;
use crate::value::Value;

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
pub(crate) enum Need {
    /// It may.
    None,
    /// It may, and it is written all the same.
    Shown,
    /// It may not.
    Required,
    /// It may not, which is told in words of its own: a message, and the remedy.
    Saying(&'static str, &'static str),
}

type ReadKey<T> = Box<dyn Fn(&mut T, Value<'_>) -> Result<(), InvalidValue> + Send + Sync>;
type WriteKey<T> = Box<dyn Fn(&T) -> Option<String> + Send + Sync>;

/// One key of `T`: a `Setup`, one player or endpoint of it, or an inline table.
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
    pub(crate) need: Need,
    schema: Json,
    read: ReadKey<T>,
    write: WriteKey<T>,
}

impl<T> Key<T> {
    /// The table it stands in, and its name there.
    pub fn table_and_name(&self) -> (&'static str, &'static str) {
        self.path.split_once('.').unwrap_or(("", self.path))
    }

    /// Its name in its table.
    pub(crate) fn name(&self) -> &'static str {
        self.table_and_name().1
    }

    /// Whether its table is refused without it.
    pub const fn is_required(&self) -> bool {
        matches!(self.need, Need::Required | Need::Saying(..))
    }

    /// Sets it to a value.
    pub(crate) fn read(&self, of: &mut T, value: Value<'_>) -> Result<(), InvalidValue> {
        (self.read)(of, value)
    }

    /// The value in TOML; `None` for what is not set and for shorthands.
    pub(crate) fn write(&self, of: &T) -> Option<String> {
        (self.write)(of)
    }

    /// What a JSON Schema says of it.
    pub(crate) fn schema(&self) -> Json {
        let mut schema = self.schema.clone();
        schema["description"] = json!(self.doc);
        schema
    }

    /// A key whose value `get` gives and `set` sets.
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

    /// A value to show, as TOML.
    pub(crate) fn such_as(self, example: &'static str) -> Self {
        Self {
            example: Some(example),
            ..self
        }
    }

    /// Written also where it is as it would be without.
    pub(crate) fn shown(self) -> Self {
        Self {
            need: Need::Shown,
            ..self
        }
    }

    /// Its table may not be without it.
    pub(crate) fn required(self) -> Self {
        Self {
            need: Need::Required,
            ..self
        }
    }

    /// The same in words of its own.
    pub(crate) fn required_saying(self, message: &'static str, help: &'static str) -> Self {
        Self {
            need: Need::Saying(message, help),
            ..self
        }
    }

    /// The same, without a value where it counts for nothing.
    pub(crate) fn written_if(self, counts: fn(&T) -> bool) -> Self {
        let write = self.write;
        Self {
            write: Box::new(move |of| write(of).filter(|_| counts(of))),
            ..self
        }
    }

    /// The same key of what has a `T`.
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
    /// Its value where nobody gives one, in TOML, of a key of an event in the preset `none`; `None` for shorthands, for what must be
    /// given, and for what has none.
    pub fn default_value(&self) -> Option<String> {
        self.write(&T::default()).filter(|_| !self.is_required())
    }
}
