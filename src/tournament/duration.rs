//! How long an event takes.
//!
//! May not: measure anything.

use std::time::Duration;

use crate::game::time_control::Limit;
use crate::game::time_control::TimeControl;

use super::setup::{IllegalAttempts, Setup};

/// What games are taken to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumptions {
    /// Moves of each side in a game that no cap ends.
    pub moves: u32,
    /// How much of its time a side uses, in percent.
    pub time_used: u32,
}

/// How long a game is likely to take: the mean, where players have time controls of their own.
pub fn likely_game(setup: &Setup, assumptions: Assumptions) -> Duration {
    let moves = most_moves(setup).map_or(assumptions.moves, |most| most.min(assumptions.moves));
    let of_side = setup
        .time_controls()
        .map(|control| thinking(control, moves))
        .fold(Duration::ZERO, Duration::saturating_add);
    let players = u32::try_from(setup.players.len()).unwrap_or(u32::MAX).max(1);
    (of_side / players).saturating_mul(2) / 100 * assumptions.time_used
}

/// The longest that a game can take, starting engines anew left out; `None`: nothing bounds it.
///
/// Under a time per move, and where bounds stand alone, each move may fail at every attempt but the last; an engine that
/// failed has `engine.stop_grace` to stop and `engine.step_limit` to get in step. Under a clock the clocks bound the game,
/// with a last overrun of the longest margin, where there is neither an increment nor a delay nor a further stage that comes again,
/// or where the moves are capped. Of two sides with different controls both are as the slower one.
pub fn longest_game(setup: &Setup) -> Option<Duration> {
    let of_each: Option<Vec<Duration>> = setup
        .time_controls()
        .map(|control| longest_with(setup, control))
        .collect();
    of_each?.into_iter().max()
}

/// The longest that a game can take whose sides both have this control.
fn longest_with(setup: &Setup, control: &TimeControl) -> Option<Duration> {
    let (game, engine) = (&setup.game, &setup.engine);
    let of_players = setup.players.iter().filter_map(|player| player.margin);
    let margin = of_players.fold(game.margin, Duration::max);
    match &control.limit {
        Limit::MoveTime(_) | Limit::Guard => {
            let limit = control.longest_of_side(1);
            let attempts = match game.illegal_attempts {
                IllegalAttempts::Shared => game.attempts,
                IllegalAttempts::Apart(illegal) => (game.attempts + illegal).saturating_sub(1),
            };
            let failed = margin + engine.stop_grace + engine.step_limit;
            let of_move = (limit + margin).saturating_add((limit + failed).saturating_mul(attempts.saturating_sub(1)));
            Some(of_move.saturating_mul(most_moves(setup)?.saturating_mul(2)))
        }
        Limit::Clock(clock) => {
            let moves = if clock.is_bounded() {
                u32::MAX
            } else {
                most_moves(setup)?
            };
            let of_side = control.longest_of_side(moves).saturating_add(margin);
            Some(of_side.saturating_mul(2))
        }
        Limit::Hourglass(_) => {
            let margins = margin.saturating_mul(2);
            Some(control.longest(most_moves(setup)?).saturating_add(margins))
        }
    }
}

/// Moves of a side, where they are capped.
fn most_moves(setup: &Setup) -> Option<u32> {
    let by_plies = setup.game.max_plies.map(|plies| plies.div_ceil(2));
    setup.game.max_moves.into_iter().chain(by_plies).min()
}

/// What a side has for so many moves. In an hourglass nobody has more than it began with for long.
fn thinking(control: &TimeControl, of_moves: u32) -> Duration {
    match control.limit {
        Limit::Hourglass(base) => base,
        _ => control.longest_of_side(of_moves),
    }
}

/// Games that are played at once: `cores` where the setup does not say.
pub fn at_once(setup: &Setup, cores: u32, pairs: u32, games: u32) -> u32 {
    let of_pair = setup.run.max_games_per_player.map_or(games, |most| most.min(games));
    setup
        .run
        .concurrency
        .unwrap_or(cores)
        .min(pairs.saturating_mul(of_pair))
        .max(1)
}

/// How long an event takes whose games take so long each: a round begins when the one before is over.
pub fn event(game: Duration, rounds: u32, games_of_round: u32, at_once: u32) -> Duration {
    game.saturating_mul(games_of_round.div_ceil(at_once))
        .saturating_mul(rounds)
}
