//! Entrants put into the text of an event file, of which everything else stays as it is: comments, order, blank lines.
//!
//! May not: give a text that does not load.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::{ConfigError, Entrant, player_tables};
use crate::layer::{Layer, SourceText};
use crate::places::TextPlaces;
use crate::preset::{self, PRESETS};
use crate::value::shown_beside;
use crate::{LoadedEvent, load};
use swissmatch_tournament::names::TakenNames;
use swissmatch_tournament::setup::PlayerKeys;

/// The fate of the players that an event file already has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    /// They stay, and the entrants come after them.
    Stay,
    /// They go, with the comments inside their tables.
    Go,
}

/// Whether players of an event file may hand in what plays; `false` for a text that is no event file.
pub fn hands_in(path: &Path, text: &str) -> bool {
    let label = path.display().to_string();
    let places = TextPlaces::of(text);
    let source = SourceText {
        label: &label,
        text,
        places: &places,
    };
    let contract = || {
        let root = source.parse()?;
        let layer = Layer::new(source, root.get_ref())?;
        let (default, _) = PRESETS[0];
        let preset = layer.preset()?.map_or(default, |(name, _)| name);
        let mut setup = preset::setup(preset).unwrap_or_default();
        layer.apply(&mut setup)?;
        Ok::<_, ConfigError>(setup.submissions.contract)
    };
    contract().is_ok_and(|contract| contract.is_some())
}

/// The text of an event file with these entrants as players, and the event loaded from it. `path` names the event file in messages,
/// `roster` the list.
///
/// # Errors
/// When the event file is wrong, has one of the names, or would be wrong with the entrants.
pub fn with_players(
    (path, text): (&Path, &str),
    (roster, entrants): (&str, &[Entrant]),
    present: Players,
) -> Result<(String, LoadedEvent), Vec<ConfigError>> {
    let label = path.display().to_string();
    let places = TextPlaces::of(text);
    let source = SourceText {
        label: &label,
        text,
        places: &places,
    };
    let root = source.parse().map_err(|error| vec![error])?;
    let there = Layer::new(source, root.get_ref()).and_then(|layer| layer.players(true));
    let there = there.map_err(|error| vec![error])?;
    let kept = match present {
        Players::Go => without_players(source, root.get_ref())?,
        Players::Stay => {
            let mut names = TakenNames::new();
            for (at, (player, _)) in there.iter().enumerate() {
                // Names that read alike are reported when the event is read.
                let _ = names.take(&player.name, at);
            }
            let taken = entrants.iter().filter_map(|entrant| {
                let name = &entrant.player.name;
                let (taken, places) = &there[names.like(name)?];
                Some(ConfigError {
                    file: roster.to_owned(),
                    place: Some(entrant.places["player.name"]),
                    key: "player.name".to_owned(),
                    message: format!(
                        "{} reads like {}, who is already a player in {label}, at its line {}",
                        shown_beside(name, &taken.name),
                        shown_beside(&taken.name, name),
                        places.head.line
                    ),
                    help: Some("take it out of the list, or replace all players with --replace".to_owned()),
                })
            });
            let taken: Vec<ConfigError> = taken.collect();
            if !taken.is_empty() {
                return Err(taken);
            }
            if let Some((name, _)) = players_of(root.get_ref()).filter(|(_, tables)| are_inline(text, tables)) {
                let message = "its players are written as one list, to which no [[player]] can be added".to_owned();
                return Err(vec![ConfigError {
                    file: label.clone(),
                    place: Some(places.of_byte(name.span().start)),
                    key: "player".to_owned(),
                    message,
                    help: Some("write them as [[player]] tables, or replace all with --replace".to_owned()),
                }]);
            }
            text.to_owned()
        }
    };
    let players: Vec<&PlayerKeys> = entrants.iter().map(|entrant| &entrant.player).collect();
    let mut new = kept;
    if !new.is_empty() && !new.ends_with('\n') {
        new.push('\n');
    }
    let lines_before = new.lines().count();
    new += &player_tables(&players);
    let loaded = load(path, &new, &[])
        .map_err(|error| vec![in_roster(error, lines_before, (&label, text), (roster, entrants), &new)])?;
    Ok((new, loaded))
}

/// Moves an error in the added lines to its place in the list, as nobody can see these lines.
fn in_roster(
    error: ConfigError,
    lines_before: usize,
    (event, text): (&str, &str),
    (roster, entrants): (&str, &[Entrant]),
    new: &str,
) -> ConfigError {
    let with = format!("{event} would be wrong with these players");
    let line = error.place.map_or(0, |place| place.line);
    if line <= lines_before {
        // Errors in lines of the event file keep their place if these are unchanged.
        let is_same = new.lines().take(line).eq(text.lines().take(line));
        return ConfigError {
            place: error.place.filter(|_| is_same),
            message: format!("{with}: {}", error.message),
            ..error
        };
    }
    let added = new.lines().take(line).skip(lines_before);
    let number = added.filter(|line| *line == "[[player]]").count();
    let entrant = number.checked_sub(1).and_then(|index| entrants.get(index));
    ConfigError {
        file: roster.to_owned(),
        place: entrant.map(|entrant| *entrant.places.get(error.key.as_str()).unwrap_or(&entrant.head)),
        message: format!("{with}: {}", error.message),
        ..error
    }
}

fn without_players(source: SourceText<'_>, root: &DeTable<'_>) -> Result<String, Vec<ConfigError>> {
    let text = source.text;
    let Some((name, players)) = players_of(root) else {
        return Ok(text.to_owned());
    };
    let tables = players.get_ref().as_array().into_iter().flatten();
    let ranges: Vec<Range<usize>> = match are_inline(text, players) {
        true => Vec::from([Range {
            start: name.span().start,
            end: players.span().end,
        }]),
        false => tables.map(|table| table.span().start..end(table)).collect(),
    };
    let mut kept = String::new();
    let mut from = 0;
    for range in ranges {
        let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
        kept += &text[from..start];
        from = text[range.end..]
            .find('\n')
            .map_or(text.len(), |newline| range.end + newline + 1);
    }
    kept += &text[from..];
    let others = |text: &str| -> Option<::toml::Table> {
        let mut table: ::toml::Table = text.parse().ok()?;
        table.remove("player");
        Some(table)
    };
    match (others(&kept), others(text)) {
        (Some(now), Some(before)) if now == before => Ok(kept),
        _ => Err(vec![ConfigError {
            file: source.label.to_owned(),
            place: None,
            key: "player".to_owned(),
            message: "other tables stand between the keys of a player".to_owned(),
            help: Some("put the keys of each player together, or take the players out by hand".to_owned()),
        }]),
    }
}

/// The key `player` and its value.
fn players_of<'a, 'b>(root: &'a DeTable<'b>) -> Option<(&'a Spanned<Cow<'b, str>>, &'a Spanned<DeValue<'b>>)> {
    root.iter().find(|(name, _)| name.get_ref() == "player")
}

/// Whether players are written as `player = [{ … }]`.
fn are_inline(text: &str, players: &Spanned<DeValue<'_>>) -> bool {
    let is_table = |table: &Spanned<DeValue<'_>>| text.as_bytes().get(table.span().start) == Some(&b'[');
    let tables = players.get_ref().as_array();
    tables.is_none_or(|tables| tables.is_empty() || !tables.iter().all(is_table))
}

/// The end of a value with everything in it.
fn end(value: &Spanned<DeValue<'_>>) -> usize {
    let inner = match value.get_ref() {
        DeValue::Table(keys) => keys.iter().map(|(name, value)| name.span().end.max(end(value))).max(),
        DeValue::Array(values) => values.iter().map(end).max(),
        _ => None,
    };
    inner.unwrap_or(0).max(value.span().end)
}
