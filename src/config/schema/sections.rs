//! The list of sections, `event.sections`.
//!
//! May not: know layers or files; see whether sections fit each other or their players.

use super::{Key, prizes, read_rounds, write_rounds};
use crate::config::error::Problem;
use crate::config::value::{Value, array, quoted, shown};
use crate::tournament::setup::SectionKeys;
use crate::tournament::setup::Setup;

pub(super) const KEY: Key<Setup> = Key::new(
    "event.sections",
    "a list of sections, as [{ name = \"Open\", from = 2000 }, { name = \"Under 2000\", to = 1999, format = \"5-SS\" }]",
    "Sections by rating or player.section, as [{ name = \"Open\", from = 2000 }, { name = \"Rest\", to = 1999 }]: docs/sections.md.",
    |s, v| read(v).map(|sections| s.event.sections = sections),
    |s| Some(write(&s.event.sections)),
);

const KEYS: [&str; 5] = ["name", "from", "to", "format", "prizes"];

fn read(value: Value<'_>) -> Result<Vec<SectionKeys>, Problem> {
    value.list()?.into_iter().map(read_one).collect()
}

fn read_one(value: Value<'_>) -> Result<SectionKeys, Problem> {
    let table = value.table()?;
    let is_known = |key: &str| KEYS.contains(&key);
    if let Some((key, _)) = table.iter().find(|(key, _)| !is_known(key.get_ref())) {
        let message = format!("unknown entry {} of a section", shown(key.get_ref()));
        let help = "a section has name, from, to, format and prizes".to_owned();
        return Err(Problem::said(message).at(Some(key.span())).help(help));
    }
    let entry = |name: &str| table.get(name).map(Value::Toml);
    let said = |name: &str, expected: &str, value: Value<'_>| {
        Problem::said(format!("{name} of a section: expected {expected}")).at(value.span())
    };
    let name = entry("name").ok_or_else(|| {
        Problem::said("a section has no name".to_owned())
            .at(value.span())
            .help("write how it is called, such as name = \"Open\"".to_owned())
    })?;
    let rating = |name: &str| {
        let read = |value: Value<'_>| {
            let rating = value.whole::<i32>(-10_000..=10_000);
            rating.map_err(|_| said(name, "a rating, a whole number from -10000 to 10000", value))
        };
        entry(name).map(read).transpose()
    };
    let format = entry("format").map(|value| {
        let rounds = read_rounds(value);
        rounds.map_err(|_| said("format", "a format as in swiss.rounds", value))
    });
    Ok(SectionKeys {
        name: name.name().map_err(|_| {
            let expected = "a name of 1 to 100 characters without control characters or blanks at its ends";
            said("name", expected, name)
        })?,
        from: rating("from")?,
        to: rating("to")?,
        format: format.transpose()?,
        prizes: entry("prizes").map(prizes::read).transpose()?,
    })
}

fn write(sections: &[SectionKeys]) -> String {
    array(sections.iter().map(|section| {
        let entries = [
            Some(format!("name = {}", quoted(&section.name))),
            section.from.map(|from| format!("from = {from}")),
            section.to.map(|to| format!("to = {to}")),
            section
                .format
                .map(|format| format!("format = {}", write_rounds(format))),
            section
                .prizes
                .as_ref()
                .map(|prizes| format!("prizes = {}", prizes::write(prizes))),
        ];
        format!("{{ {} }}", entries.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }))
}
