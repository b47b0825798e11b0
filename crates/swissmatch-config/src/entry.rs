//! The file of a late entry: `[[player]]` tables alone, read like those of an event file.
//!
//! May not: change any key of the event that it is for.

use std::collections::BTreeMap;
use std::path::Path;

use super::LoadedEvent;
use super::checks;
use super::error::{ConfigError, TextPlace};
use super::layer::{Layer, PlayerPlaces, SourceText};
use super::places::TextPlaces;
use super::value::{shown, shown_beside};
use swissmatch_tournament::names::{DIFFERENCE, are_alike};
use swissmatch_tournament::setup::Setup;

/// Reads the file of a late entry, and gives the event with that player as its last one. `path` names the file in messages, `text` is its
/// content, and `setup` the event as it is. `name` selects the player if the file has several.
///
/// # Errors
/// The first problem of the file, or of the player in this event.
pub fn load_entry(path: &Path, text: &str, setup: &Setup, name: Option<&str>) -> Result<LoadedEvent, ConfigError> {
    let file = path.display().to_string();
    let places = TextPlaces::of(text);
    let source = SourceText {
        label: &file,
        text,
        places: &places,
    };
    let root = source.parse()?;
    let layer = Layer::new(source, root.get_ref())?;
    layer.has_players_alone()?;
    let found = layer.players(false)?;
    let names: Vec<String> = found.iter().map(|(player, _)| shown(&player.name)).collect();
    let error = |message: String, help: String| ConfigError {
        file: file.clone(),
        place: None,
        key: "player".to_owned(),
        message,
        help: Some(help),
    };
    let mut meant = found
        .into_iter()
        .filter(|(player, _)| name.is_none_or(|name| player.name == name));
    let (player, places) = match (meant.next(), meant.next()) {
        (Some(one), None) => one,
        (None, _) if names.is_empty() => {
            let help = "write [[player]], and below it name and command, as in an event file".to_owned();
            return Err(error("it has no player".to_owned(), help));
        }
        _ => {
            let help = format!("say which one enters: --player NAME, one of {}", names.join(", "));
            return Err(error(format!("it has {} players", names.len()), help));
        }
    };
    let alike = setup.players.iter().find(|other| are_alike(&other.name, &player.name));
    let mut loaded = LoadedEvent {
        setup: setup.clone(),
        warnings: Vec::new(),
        file,
        origins: BTreeMap::new(),
        // Those of the event are in another file.
        players: vec![PlayerPlaces::nowhere(); setup.players.len()],
        rules: Vec::new(),
        version: 1,
        dialect: None,
    };
    loaded.setup.players.push(player);
    loaded.players.push(places);
    if let Some(other) = alike {
        let name = &loaded.setup.players[setup.players.len()].name;
        let (name, other) = (shown_beside(name, &other.name), shown_beside(&other.name, name));
        let message = format!("{name} reads like {other}, who is already in the event");
        return Err(ConfigError {
            help: Some(DIFFERENCE.to_owned()),
            ..loaded.error_at_player(setup.players.len(), "player.name", message)
        });
    }
    loaded.warnings = checks::check(&loaded)?;
    Ok(loaded)
}

impl PlayerPlaces {
    /// The places of a player that is not in the text.
    const fn nowhere() -> Self {
        Self {
            head: TextPlace { line: 0, column: 0 },
            keys: BTreeMap::new(),
        }
    }
}
