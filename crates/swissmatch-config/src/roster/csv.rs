//! Entrants as comma-separated values (RFC 4180): the first row names the keys, each further row is an entrant, and an empty
//! cell is a key that is not given.
//!
//! May not: take a cell for anything but text: a formula of a spreadsheet is a text here.

use std::collections::BTreeSet;

use super::{Cell, ConfigError, Entrant, Entries, InvalidValue, RosterText, TextPlace, WrittenValue, document_of_list};
use crate::layer::unknown_key_help;
use crate::schema::PLAYER_KEYS;
use crate::value::{key, quoted, shown};

/// Most unknown headers that get a suggestion: nobody reads more.
const MOST_HINTS: usize = 100;

pub(super) fn read(source: RosterText<'_>) -> Result<Vec<Entrant>, Vec<ConfigError>> {
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(source.text.as_bytes());
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| {
            let byte = error.position().map_or(0, ::csv::Position::byte);
            vec![source.error(place_of(source, byte), "", format!("not valid CSV: {error}"))]
        })?;
        rows.push(row);
    }
    let mut rows = rows.iter();
    let Some(header) = rows.next() else {
        return Ok(Vec::new());
    };
    let keys = header_keys(source, header)?;
    let mut entries = Entries::new(source);
    for row in rows {
        let starts = starts(source, row);
        let head = starts.first().copied().unwrap_or(TextPlace { line: 1, column: 1 });
        if let Some(place) = unclosed(source, row) {
            entries.refuse(place, "a quote that is never closed".to_owned());
        } else if row.len() != keys.len() {
            let message = format!("{} cells, but the header has {}", row.len(), keys.len());
            entries.refuse(head, message);
        } else if !row.iter().all(str::is_empty) {
            let cells = keys
                .iter()
                .zip(row)
                .zip(starts)
                .filter(|((_, text), _)| !text.is_empty());
            let cells: Vec<Cell<'_>> = cells
                .map(|((key, text), place)| Cell {
                    key: key.clone(),
                    place,
                    written: written(key, text),
                })
                .collect();
            entries.add(head, &cells);
        }
    }
    entries.finish()
}

/// The keys that the header names, all of which must exist, none of them twice.
fn header_keys(source: RosterText<'_>, header: &::csv::StringRecord) -> Result<Vec<String>, Vec<ConfigError>> {
    let (mut keys, mut taken): (Vec<String>, _) = (Vec::new(), BTreeSet::new());
    let mut errors = Vec::new();
    for (cell, place) in header.iter().zip(starts(source, header)) {
        let name = cell.strip_prefix("player.").unwrap_or(cell);
        let path = format!("player.{}", key(name));
        let is_new = taken.insert(name);
        let refused = if PLAYER_KEYS.iter().all(|known| known.path != path) {
            let help = match [';', '\t'].into_iter().find(|mark| name.contains(*mark)) {
                Some(';') => Some("columns are separated by commas, not by semicolons".to_owned()),
                Some(_) => Some("columns are separated by commas, not by tabs".to_owned()),
                None => (errors.len() < MOST_HINTS).then(|| unknown_key_help(&path, &PLAYER_KEYS)),
            };
            Some(("is not a key of a player", help))
        } else if !is_new {
            Some(("is given twice", None))
        } else {
            None
        };
        if let Some((what, help)) = refused {
            let error = source.error(place, "", format!("the header {} {what}", shown(cell)));
            errors.push(ConfigError { help, ..error });
        }
        keys.push(name.to_owned());
    }
    if errors.is_empty() { Ok(keys) } else { Err(errors) }
}

/// The value of a cell: lists of arguments as a shell would split them, tables as `Hash=16;Skill Level=3`, tables for calls as in TOML,
/// everything else as it stands.
fn written<'a>(key: &str, text: &'a str) -> WrittenValue<'a> {
    match key {
        _ if super::refuse_unprintable(text).is_err() => WrittenValue::Text(text),
        "args" | "write" => words(text),
        "options" | "env" => table(text),
        "response_format" if text.starts_with('{') => WrittenValue::Document(format!("value = {text}")),
        _ => WrittenValue::Text(text),
    }
}

fn words(text: &str) -> WrittenValue<'static> {
    let wrong =
        |message: &str, help: &str| WrittenValue::Wrong(InvalidValue::said(message.to_owned()).help(help.to_owned()));
    let Some(words) = shlex::split(text) else {
        return wrong(
            "a quote that is never closed, or a backslash at the end",
            "arguments are split as a shell does: write --name \"two words\"",
        );
    };
    let marks = |text: &str| text.matches('#').count();
    if words.iter().map(|word| marks(word)).sum::<usize>() != marks(text) {
        return wrong(
            "a word that begins with # would begin a comment in a shell",
            "put it in quotes",
        );
    }
    document_of_list(&words)
}

fn table(text: &str) -> WrittenValue<'static> {
    let mut entries = Vec::new();
    for entry in text.split(';').filter(|entry| !entry.trim().is_empty()) {
        let Some((name, value)) = entry.split_once('=') else {
            let problem = InvalidValue::said(format!("{} has no =", shown(entry.trim())));
            return WrittenValue::Wrong(
                problem.help("write NAME=VALUE;NAME=VALUE, such as Hash=16;Skill Level=3".to_owned()),
            );
        };
        entries.push((name.trim(), value.trim()));
    }
    let mut taken = BTreeSet::new();
    if let Some((again, _)) = entries.iter().find(|(name, _)| !taken.insert(*name)) {
        return WrittenValue::Wrong(InvalidValue::said(format!("{} is given twice", shown(again))));
    }
    let entries: Vec<String> = entries
        .iter()
        .map(|(name, value)| format!("{} = {}", quoted(name), quoted(value)))
        .collect();
    WrittenValue::Document(format!("value = {{ {} }}", entries.join(", ")))
}

fn place_of(source: RosterText<'_>, byte: u64) -> TextPlace {
    source.place(usize::try_from(byte).unwrap_or(usize::MAX))
}

/// Bytes at which the cells of a row begin, and whether its last quote is closed.
fn scan(source: RosterText<'_>, row: &::csv::StringRecord) -> (Vec<usize>, bool) {
    let start = row.position().map_or(0, ::csv::Position::byte);
    let start = usize::try_from(start).unwrap_or(usize::MAX).min(source.text.len());
    let bytes = source.text.as_bytes();
    // The reader counts the line ends of empty lines to the next row.
    let start = start
        + bytes[start..]
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
    let mut starts = vec![start];
    let (mut at, mut quoted) = (start, bytes.get(start) == Some(&b'"'));
    if quoted {
        at += 1;
    }
    while at < bytes.len() {
        match (bytes[at], quoted) {
            (b'"', true) if bytes.get(at + 1) == Some(&b'"') => at += 1,
            (b'"', true) => quoted = false,
            (b',', false) => {
                starts.push(at + 1);
                if bytes.get(at + 1) == Some(&b'"') {
                    (at, quoted) = (at + 1, true);
                }
            }
            (b'\r' | b'\n', false) => break,
            _ => {}
        }
        at += 1;
    }
    (starts, !quoted)
}

fn starts(source: RosterText<'_>, row: &::csv::StringRecord) -> Vec<TextPlace> {
    let (starts, _) = scan(source, row);
    starts.into_iter().map(|byte| source.place(byte)).collect()
}

/// The place of a quote that is never closed.
fn unclosed(source: RosterText<'_>, row: &::csv::StringRecord) -> Option<TextPlace> {
    let (starts, is_closed) = scan(source, row);
    let last = starts.last().filter(|_| !is_closed)?;
    Some(source.place(*last))
}
