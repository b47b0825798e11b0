//! Checks of requested byes, also where nobody can be late.
//!
//! May not: change a value.

use swiss_system::count;
use swiss_system::pairing::rounds::TournamentFormat;

use crate::{ConfigError, LoadedEvent};
use swissmatch_tournament::setup::RegistrationUntil;
use swissmatch_tournament::stage::Stage;

pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    worth(loaded)?;
    let setup = &loaded.setup;
    let plan = setup.plan();
    // For the event, or one of its sections: the number of rounds, and whether it is a Swiss.
    let of_section = |stage: &Stage| {
        (
            stage.rounds,
            stage.format.plan(stage.players).format == TournamentFormat::Swiss,
        )
    };
    let tables: Vec<(u32, bool)> = match plan.format {
        TournamentFormat::Sections => setup.stages().iter().map(of_section).collect(),
        format => vec![(plan.rounds, format == TournamentFormat::Swiss)],
    };
    if setup.registration.until != RegistrationUntil::Closed && !tables.iter().any(|(_, is_swiss)| *is_swiss) {
        return Err(ConfigError {
            help: Some("write \"closed\", or play a Swiss".to_owned()),
            ..loaded.error_at(
                "registration.until",
                "late entries can be paired only in a Swiss".to_owned(),
            )
        });
    }
    for (index, player) in setup
        .players
        .iter()
        .enumerate()
        .filter(|(_, player)| !player.byes.is_empty())
    {
        let refused = |message: String, help: &str| {
            Err(ConfigError {
                help: Some(help.to_owned()),
                ..loaded.error_at_player(index, "player.byes", message)
            })
        };
        let section = match plan.format {
            TournamentFormat::Sections => setup.section_of(player).ok(),
            _ => None,
        };
        let (rounds, is_swiss) = tables[section.unwrap_or(0)];
        let table = section.map_or("event", |_| "section");
        let limit = setup.bye.requests_in(rounds);
        if !is_swiss {
            return refused("a bye can be asked for only in a Swiss".to_owned(), "leave byes out");
        }
        if let Some(round) = player.byes.iter().find(|round| **round > rounds) {
            return refused(
                format!("there is no round {round}: the {table} has {rounds}"),
                "name rounds of the event",
            );
        }
        let mut named = player.byes.clone();
        named.sort_unstable();
        named.dedup();
        if named.len() < player.byes.len() {
            return refused("a round is named twice".to_owned(), "name each round once");
        }
        if named.len() > limit as usize {
            return refused(
                format!(
                    "{} asked for, but in {} bye.requests allows {limit}",
                    count::of(named.len(), "bye is", "byes are"),
                    count::of(rounds, "round", "rounds")
                ),
                "ask for fewer, or change bye.requests",
            );
        }
    }
    Ok(())
}

/// Refuses `"auto"` for game points where it gives no exact number.
fn worth(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let worth = setup.bye_points();
    let Some(stage) = (setup.stages().into_iter()).find(|stage| !worth.is_exact(stage.most_games())) else {
        return Ok(());
    };
    let message = format!(
        "\"auto\" is bye.match_points ({}) divided by those of a win ({}), times {} game points a round, which is not an \
         exact number",
        worth.match_points,
        worth.match_won,
        setup.scoring.game.times(stage.most_games()).win
    );
    Err(ConfigError {
        help: Some("write, for example, game_points = 1".to_owned()),
        ..loaded.error_at("bye.game_points", message)
    })
}
