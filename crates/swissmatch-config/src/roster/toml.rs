//! Entrants as the `[[player]]` tables of a TOML text, which has nothing else.
//!
//! May not: pass over a key that is no player's.

use ::toml::de::{DeTable, DeValue};

use super::{Cell, ConfigError, Entrant, Entries, RosterText, WrittenValue};
use crate::layer;
use crate::value::{key, shown};

const EXPECTED: &str = "a list of entrants has only [[player]] tables";

pub(super) fn read(source: RosterText<'_>) -> Result<Vec<Entrant>, Vec<ConfigError>> {
    let parsed = layer::SourceText {
        label: source.label,
        text: source.text,
        places: source.places,
    }
    .parse();
    let root = parsed.map_err(|error| vec![error])?;
    let strangers = root.get_ref().iter().filter(|(name, _)| name.get_ref() != "player");
    let errors: Vec<ConfigError> = strangers
        .map(|(name, _)| {
            source.error(
                source.place(name.span().start),
                &key(name.get_ref()),
                EXPECTED.to_owned(),
            )
        })
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut entries = Entries::new(source);
    let players = root
        .get_ref()
        .get("player")
        .map(|players| (players.span(), players.get_ref()));
    match players {
        None => {}
        Some((_, DeValue::Array(players))) => {
            for player in players.iter() {
                let head = source.place(player.span().start);
                match player.get_ref() {
                    DeValue::Table(keys) => entries.add(head, &cells(source, keys)),
                    _ => entries.refuse(head, EXPECTED.to_owned()),
                }
            }
        }
        Some((span, _)) => {
            let found = shown(source.text.get(span.clone()).unwrap_or_default());
            let place = source.place(span.start);
            return Err(vec![source.error(
                place,
                "player",
                format!("{EXPECTED}, found {found}"),
            )]);
        }
    }
    entries.finish()
}

fn cells<'a>(source: RosterText<'_>, keys: &'a DeTable<'a>) -> Vec<Cell<'a>> {
    let mut entries: Vec<_> = keys.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    let cell = |(name, value): (&'a ::toml::Spanned<_>, &'a ::toml::Spanned<DeValue<'a>>)| {
        let name: &::toml::Spanned<std::borrow::Cow<'a, str>> = name;
        Cell {
            key: name.get_ref().clone().into_owned(),
            place: source.place(name.span().start),
            written: WrittenValue::Toml(value),
        }
    };
    entries.into_iter().map(cell).collect()
}
