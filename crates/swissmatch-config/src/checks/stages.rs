//! Checks of stages together.
//!
//! May not: change a value.

use super::is_given;
use crate::{ConfigError, LoadedEvent};
use swiss_system::count;
use swissmatch_tournament::setup::Rounds;
use swissmatch_tournament::ties;

pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let stages = &loaded.setup.event.stages;
    if stages.is_empty() {
        return Ok(());
    }
    let refused = |message: String, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at("event.stages", message)
        })
    };
    if is_given(loaded, "swiss.rounds") {
        let message = "swiss.rounds is given too, and both say what is played".to_owned();
        return refused(message, "give only one of them");
    }
    if stages[0].top.is_some() {
        let message = "stage 1 has top, but there is no stage before it".to_owned();
        return refused(message, "leave top out: everybody plays stage 1");
    }
    let mut players = loaded.setup.players.len();
    for (number, stage) in (1..).zip(stages) {
        if let (Some(of_format), Some(games)) = (stage.format.games(), stage.games)
            && games != of_format
        {
            let message = format!(
                "stage {number}: {} with format = \"{}\", which has {} a round",
                count::of(games, "game", "games"),
                stage.format,
                count::of(of_format, "game", "games")
            );
            return refused(message, "leave games out, or write the format without \"double-\"");
        }
        if !stage.games_by_round.is_empty() {
            if stage.format != Rounds::Knockout {
                let message = format!(
                    "stage {number}: games_by_round with format = \"{}\"; it is for a knockout",
                    stage.format
                );
                return refused(message, "write games, which counts in every round");
            }
            if stage.games.is_some() {
                let message =
                    format!("stage {number} has games and games_by_round, and both say how many games there are");
                return refused(message, "leave one of them out");
            }
        }
        if number == 1 {
            continue;
        }
        let Some(top) = stage.top else {
            let message = format!("stage {number} does not say who plays it");
            return refused(message, "write top = 8 for the first eight of the stage before");
        };
        if top < 2 || top as usize > players {
            let message = format!("stage {number} takes the top {top} of {players} players");
            return refused(message, "write a number from 2 up to the players of the stage before");
        }
        if stages[number - 2].format == Rounds::Quads {
            let message = format!("stage {number} takes the top {top} of \"quads\", which has several tables of four");
            return refused(message, "put \"quads\" last, or write another format");
        }
        players = top as usize;
    }
    Ok(())
}

/// Warns of play-offs for places that will not be played.
pub(super) fn warning(loaded: &LoadedEvent) -> Option<String> {
    let setup = &loaded.setup;
    let ends_in_knockout = setup
        .stages()
        .last()
        .is_some_and(|stage| stage.format == Rounds::Knockout);
    (ends_in_knockout && !ties::places(setup).is_empty() && is_given(loaded, "playoff.places")).then(|| {
        "playoff.places: the places of a knockout come from its rounds and are not played off; only level mini-matches are"
            .to_owned()
    })
}
