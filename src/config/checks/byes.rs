//! Byes that are asked for, and where nobody can be late.
//!
//! May not: change a value.

use crate::config::{ConfigError, Loaded};
use crate::tournament::event::Format;
use crate::tournament::setup::RegistrationUntil;

pub(super) fn check(loaded: &Loaded) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let plan = setup.plan();
    let is_swiss = plan.format == Format::Swiss;
    if setup.registration.until != RegistrationUntil::Closed && !is_swiss {
        return Err(ConfigError {
            help: Some("write \"closed\", or play a Swiss".to_owned()),
            ..loaded.error_at(
                "registration.until",
                "late entries can be paired in a Swiss alone".to_owned(),
            )
        });
    }
    let limit = setup.bye.requests_in(plan.rounds);
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
        if !is_swiss {
            return refused("a bye can be asked for in a Swiss alone".to_owned(), "leave byes out");
        }
        if let Some(round) = player.byes.iter().find(|round| **round > plan.rounds) {
            return refused(
                format!("there is no round {round}: the event has {}", plan.rounds),
                "name rounds of the event",
            );
        }
        let mut rounds = player.byes.clone();
        rounds.sort_unstable();
        rounds.dedup();
        if rounds.len() < player.byes.len() {
            return refused("a round is named twice".to_owned(), "name each round once");
        }
        if rounds.len() > limit as usize {
            return refused(
                format!(
                    "{} byes are asked for; in {} rounds bye.requests allows {limit}",
                    rounds.len(),
                    plan.rounds
                ),
                "ask for fewer, or change bye.requests",
            );
        }
    }
    Ok(())
}
