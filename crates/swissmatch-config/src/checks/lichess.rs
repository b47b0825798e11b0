//! Checks that the rounds of a broadcast have room for the games of the event.
//!
//! May not: change a value; look for a token.

use swiss_system::count;
use swiss_system::pairing::rounds::TournamentFormat;

use crate::{ConfigError, LoadedEvent};
use swissmatch_tournament::setup::GAMES_A_BROADCAST;

const KEY: &str = "lichess.rounds";

/// Refuses rounds that are named twice, and fewer than the games of all rounds need. Games of play-offs and of late entries are unknown
/// before they are paired, and do not count.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let named = &setup.lichess.rounds;
    if named.is_empty() {
        return Ok(());
    }
    let twice = named
        .iter()
        .enumerate()
        .find(|(index, name)| named[..*index].contains(*name));
    if let Some((_, name)) = twice {
        return Err(loaded.error_at(KEY, format!("{name} is named twice")));
    }
    let plan = setup.plan();
    let (rounds, boards) = (plan.rounds as usize, setup.players.len() / 2);
    let games = setup.most_games() as usize;
    let in_round = boards.saturating_mul(games);
    let all = match plan.format {
        // A loser meets nobody else, except that a place may be played for.
        TournamentFormat::Knockout => setup.players.len().saturating_mul(games),
        _ => in_round.saturating_mul(rounds),
    };
    let (needed, counted) = match setup.lichess.by_round {
        true => (
            rounds.saturating_mul(in_round.div_ceil(GAMES_A_BROADCAST).max(1)),
            format!(
                "each of {rounds} rounds has up to {}",
                count::of(in_round, "game", "games")
            ),
        ),
        false => (
            all.div_ceil(GAMES_A_BROADCAST),
            format!("the event has up to {}", count::of(all, "game", "games")),
        ),
    };
    if needed <= named.len() {
        return Ok(());
    }
    let message = format!(
        "{} cannot show this event: {counted}, and a round of a broadcast takes {GAMES_A_BROADCAST}",
        count::of(named.len(), "round", "rounds")
    );
    Err(ConfigError {
        help: Some(format!(
            "make a broadcast with {needed} rounds, and name them all in their order"
        )),
        ..loaded.error_at(KEY, message)
    })
}
