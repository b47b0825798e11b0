//! Checks of the house player.
//!
//! May not: change a value.

use std::collections::HashMap;

use swiss_system::pairing::rounds::TournamentFormat;

use crate::value::shown;
use crate::{ConfigError, LoadedEvent};

pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let mut first = HashMap::new();
    let stages = setup.stages();
    for (index, player) in setup.players.iter().enumerate().filter(|(_, player)| player.house) {
        let refused = |message: String, help: &str| {
            Err(ConfigError {
                help: Some(help.to_owned()),
                ..loaded.error_at_player(index, "player.house", message)
            })
        };
        if !setup.tour.runs.is_empty() {
            let message = "a tour pairs nobody, so there is no odd number to make even";
            return refused(message.to_owned(), "leave house out");
        }
        if !setup.event.stages.is_empty() {
            let message =
                "an event in stages has no house player: a player who is not ranked cannot go on to the next stage";
            return refused(message.to_owned(), "leave house out, or event.stages");
        }
        // Sections have been checked: everybody is in one.
        let section = setup
            .section_of(player)
            .ok()
            .filter(|_| !setup.event.sections.is_empty());
        if let Some(other) = first.insert(section, index) {
            let line = loaded.players[other].head.line;
            let of = section.map(|place| format!(" of section {}", shown(&setup.event.sections[place].name)));
            let message = format!(
                "{} is one too many: the house player{} is at line {line}",
                shown(&player.name),
                of.unwrap_or_default()
            );
            return refused(
                message,
                "one is enough to make an odd number even: leave out house, or the player",
            );
        }
        let own = stages.iter().find(|stage| stage.section == section);
        if let Some(stage) = own.filter(|stage| stage.format.plan(stage.players).format != TournamentFormat::Swiss) {
            let message = format!(
                "\"{}\" with {} players is not a Swiss, and only a Swiss can have a house player",
                stage.format, stage.players
            );
            return refused(
                message,
                "write a number of rounds, such as \"5-SS\", or leave house out",
            );
        }
    }
    Ok(())
}
