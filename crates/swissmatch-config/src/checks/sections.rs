//! Checks of sections together, and with their players.
//!
//! May not: change a value.

use super::is_given;
use crate::value::shown;
use crate::{ConfigError, LoadedEvent};
use swissmatch_tournament::names::{DIFFERENCE, TakenNames};
use swissmatch_tournament::setup::{Rounds, SectionError, SectionKeys};

pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let sections = &setup.event.sections;
    if sections.is_empty() {
        let names_one = setup.players.iter().position(|player| player.section.is_some());
        return names_one.map_or(Ok(()), |player| {
            let error = loaded.error_at_player(player, "player.section", "the event has no sections");
            let help = "write event.sections = [{ name = \"Open\" }, …], or leave section out";
            Err(helped(error, help))
        });
    }
    bounds(loaded)?;
    formats(loaded)?;
    together(loaded)?;
    players(loaded)
}

fn helped(error: ConfigError, help: impl Into<String>) -> ConfigError {
    ConfigError {
        help: Some(help.into()),
        ..error
    }
}

fn refused(loaded: &LoadedEvent, message: impl Into<String>, help: &str) -> ConfigError {
    helped(loaded.error_at("event.sections", message), help)
}

/// Refuses names or bounds that do not fit.
fn bounds(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let mut names = TakenNames::new();
    for section in &loaded.setup.event.sections {
        let name = shown(&section.name);
        if names.take(&section.name, ()).is_err() {
            return Err(refused(
                loaded,
                format!("two sections are called {name}, or have names that read alike"),
                DIFFERENCE,
            ));
        }
        if let (Some(from), Some(to)) = (section.from, section.to)
            && from > to
        {
            let message = format!("section {name} takes ratings from {from} to {to}, which is an empty range");
            return Err(refused(loaded, message, "write the lower rating as from"));
        }
    }
    Ok(())
}

/// Refuses formats that a section cannot have.
fn formats(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let inherits = |section: &SectionKeys| section.format.is_none();
    let of_event = setup.swiss.rounds;
    if is_impossible(of_event) && setup.event.sections.iter().any(inherits) {
        let message = format!("\"{of_event}\" cannot be played in a section");
        let help = "write a number of rounds, \"auto\", \"RR\" or \"gauntlet-2\", or a format for each section";
        return Err(helped(loaded.error_at("swiss.rounds", message), help));
    }
    for section in &setup.event.sections {
        let Some(format) = section.format else { continue };
        let name = shown(&section.name);
        if is_impossible(format) {
            let message = format!("section {name}: \"{format}\" cannot be played in a section");
            let help = "write a number of rounds, \"auto\", \"RR\" or \"gauntlet-2\"";
            return Err(refused(loaded, message, help));
        }
        if let Some(games) = format.games()
            && games != setup.mini_match.games
        {
            let message = format!(
                "section {name}: format = \"{format}\" has {games} games a round, but mini_match.games, which counts in all \
                 sections, is {}",
                setup.mini_match.games
            );
            let help = "write mini_match.games = 2, or the format without \"double-\"";
            return Err(refused(loaded, message, help));
        }
    }
    Ok(())
}

/// Whether a format would need tables within tables, or rounds that wait for play-offs.
const fn is_impossible(format: Rounds) -> bool {
    matches!(format, Rounds::Quads | Rounds::Knockout)
}

/// Refuses other keys that do not go with sections.
fn together(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    if !setup.event.stages.is_empty() {
        let message = "event.stages is given too, but an event has either stages or sections";
        let help =
            "leave one of them out; to let the winners of sections play on, make each section an event of its own";
        return Err(refused(loaded, message, help));
    }
    if !setup.tour.runs.is_empty() {
        let help = "leave event.sections out: a tour has the players of its runs";
        return Err(refused(loaded, "a tour has no sections", help));
    }
    if is_given(loaded, "swiss.rounds") && !setup.reads_rounds() {
        let message = "every section has a format of its own, so this has no effect";
        return Err(helped(
            loaded.error_at("swiss.rounds", message),
            "leave it out, or leave out the format of a section",
        ));
    }
    Ok(())
}

/// Refuses players who do not belong to exactly one section, and sections without opponents.
fn players(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let sections = &setup.event.sections;
    let names: Vec<String> = sections.iter().map(|section| shown(&section.name)).collect();
    let mut counts = vec![0_usize; sections.len()];
    for (index, player) in setup.players.iter().enumerate() {
        let why = match setup.section_of(player) {
            Ok(section) => {
                counts[section] += usize::from(!player.house);
                continue;
            }
            Err(why) => why,
        };
        let key = match why {
            SectionError::Unknown(_) => "player.section",
            SectionError::Unrated => "player.name",
            SectionError::None(_) | SectionError::Several { .. } => "player.rating",
        };
        let message = format!("{} does not belong to exactly one section: {why}", shown(&player.name));
        let help = format!("write section = … for this player: one of {}", names.join(", "));
        return Err(helped(loaded.error_at_player(index, key, message), help));
    }
    let small = names.iter().zip(counts).find(|(_, count)| *count < 2);
    small.map_or(Ok(()), |(name, count)| {
        let message = format!("section {name} needs at least 2 players, but has {count}");
        let help = "change its bounds, name it in more players (section = …), or leave it out";
        Err(refused(loaded, message, help))
    })
}
