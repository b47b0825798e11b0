//! Inline tables, whose entries are declared like keys.

use serde_json::{Map, Value as Json, json};

use super::{Key, Need, ValueKind, in_words};
use crate::error::{InvalidValue, What};
use crate::value::{Value, quoted, shown};

/// How messages speak of an inline table.
#[derive(Clone, Copy)]
pub(crate) enum Tone {
    /// They do not name entries: if one is wrong, they say what the whole key expects.
    Bare,
    /// They name an entry.
    Named,
    /// They name an entry and its table, as "of a section"; `has` begins the list of its entries.
    Of {
        /// The name of the table.
        table: &'static str,
        /// As "a section has".
        has: &'static str,
        /// Whether messages say what was found, too.
        found: bool,
    },
}

/// An inline table with these entries. Missing ones have the value in `blank`. Entries with that value are not written, unless they need to
/// be.
pub(crate) fn table<T: 'static>(tone: Tone, blank: fn() -> T, entries: Vec<Key<T>>) -> ValueKind<T> {
    tagged(None, tone, blank, entries)
}

/// Like [`table`], but with one more entry, whose word tells which of several tables it is.
pub(crate) fn tagged<T: 'static>(
    tag: Option<(&'static str, &'static str)>,
    tone: Tone,
    blank: fn() -> T,
    entries: Vec<Key<T>>,
) -> ValueKind<T> {
    let schema = schema(tag, &entries);
    let entries = std::sync::Arc::new(entries);
    let entries_to_read = entries.clone();
    let read = move |value: Value<'_>| {
        let entries = &entries_to_read;
        let found = value.table()?;
        let tag = tag.map(|(name, _)| name);
        let names = || tag.into_iter().chain(entries.iter().map(Key::name));
        if let Some((name, _)) = found
            .iter()
            .find(|(name, _)| names().all(|known| known != name.get_ref()))
        {
            return Err(tone.unknown(name.get_ref(), names().collect()).at(Some(name.span())));
        }
        let mut read = blank();
        for entry in entries.iter() {
            if let Some(given) = found.get(entry.name()).map(Value::Toml) {
                let wrong = |problem| tone.wrong(entry, problem).at(given.span());
                entry.read(&mut read, given).map_err(wrong)?;
            } else if entry.is_required() {
                return Err(tone.missing(entry).at(value.span()));
            }
        }
        Ok(read)
    };
    let write = move |value: &T| {
        let blank = blank();
        let tag = tag.map(|(name, word)| format!("{name} = {}", quoted(word)));
        let entries = entries.iter().filter_map(|entry| {
            let written = entry.write(value)?;
            let is_usual = entry.need == Need::None && entry.write(&blank).as_ref() == Some(&written);
            (!is_usual).then(|| format!("{} = {written}", entry.name()))
        });
        format!(
            "{{ {} }}",
            tag.into_iter().chain(entries).collect::<Vec<_>>().join(", ")
        )
    };
    ValueKind::new("a table", schema, read, write)
}

/// One of several tables, told apart by the word of the entry `tag`; `of` is the name of the table.
pub(crate) fn one_of_tables<T: 'static>(
    of: &'static str,
    tag: &'static str,
    tables: Vec<(&'static str, ValueKind<T>)>,
) -> ValueKind<T> {
    let tables = std::sync::Arc::new(tables);
    let schemas: Vec<&Json> = tables.iter().map(|(_, table)| &table.schema).collect();
    let schema = json!({ "anyOf": schemas });
    let tables_to_write = tables.clone();
    let read = move |value: Value<'_>| {
        let missing = || InvalidValue::said(format!("{of} needs an entry `{tag}`")).at(value.span());
        let given = value.table()?.get(tag).map(Value::Toml).ok_or_else(missing)?;
        let word = given.string()?;
        if let Some((_, table)) = tables.iter().find(|(name, _)| *name == word) {
            return table.read(value);
        }
        let words = tables.iter().map(|(name, _)| quoted(name)).collect();
        let message = format!(
            "{} is no {tag} of {}; expected {}",
            shown(word),
            of.trim_start_matches("a "),
            in_words(words, "or")
        );
        Err(InvalidValue::said(message).at(given.span()))
    };
    let write = move |value: &T| {
        let mut written = tables_to_write.iter().filter_map(|(_, table)| table.write(value));
        written.next().unwrap_or_default()
    };
    ValueKind::new("a table", schema, read, write)
}

impl Tone {
    fn unknown(self, name: &str, known: Vec<&str>) -> InvalidValue {
        let known = in_words(known.into_iter().map(str::to_owned).collect(), "and");
        let name = shown(name);
        match self {
            Self::Bare | Self::Named => InvalidValue::said(format!("unknown entry {name}; expected {known}")),
            Self::Of { table, has, .. } => {
                InvalidValue::said(format!("unknown entry {name} of {table}")).help(format!("{has} {known}"))
            }
        }
    }

    fn wrong<T>(self, entry: &Key<T>, problem: InvalidValue) -> InvalidValue {
        let (name, expected) = (entry.name(), &entry.expected);
        let what = match (self, problem.what) {
            (Self::Bare, what) => what,
            (Self::Named, _) => What::Said(format!("{name}: expected {expected}")),
            (Self::Of { table, found: true, .. }, What::Found(found)) => {
                What::Said(format!("{name} of {table}: expected {expected}, found {found}"))
            }
            (Self::Of { table, found: true, .. }, What::Said(said)) => What::Said(format!("{name} of {table}: {said}")),
            (
                Self::Of {
                    table, found: false, ..
                },
                What::Found(_),
            ) => What::Said(format!("{name} of {table}: expected {expected}")),
            (Self::Of { found: false, .. }, said @ What::Said(_)) => said,
        };
        InvalidValue { what, ..problem }
    }

    fn missing<T>(self, entry: &Key<T>) -> InvalidValue {
        match (entry.need, self) {
            (Need::Saying(message, help), _) => InvalidValue::said(message.to_owned()).help(help.to_owned()),
            (_, Self::Of { table, .. }) => {
                InvalidValue::said(format!("{} of {table}: expected {}", entry.name(), entry.expected))
            }
            _ => InvalidValue::said(format!("`{}` is missing", entry.name())),
        }
    }
}

/// The JSON Schema of a table of these entries, with the word that tells it from others.
pub(crate) fn schema<T>(tag: Option<(&'static str, &'static str)>, entries: &[Key<T>]) -> Json {
    let of_tag = tag.map(|(name, word)| (name.to_owned(), json!({ "const": word })));
    let properties: Map<String, Json> = of_tag
        .into_iter()
        .chain(entries.iter().map(|entry| (entry.name().to_owned(), entry.schema())))
        .collect();
    let needed = entries.iter().filter(|entry| entry.is_required());
    let required: Vec<&str> = tag.iter().map(|(name, _)| *name).chain(needed.map(Key::name)).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
