//! The limits of a game: by the keys, or by the play-off that the game belongs to.
//!
//! May not: know how games are played.

use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::record::{Attempts, GameId, GameLimits};
use swissmatch_game::time_control::{Bounds, TimeControl};

use super::setup::{BothFailed, GameKeys, IllegalAttempts, MoveSource, PlayerKeys, PliesFrom, Setup};
use super::state::State;
use crate::log::AgentIntroduction;

/// The time controls of a game between these two players, White first. The play-off's comes first, then each player's
/// own, then the stage's, then the event's.
pub fn time_controls_of(state: &State, id: GameId, players: [PairingNumber; 2]) -> [&TimeControl; 2] {
    match state.playoff_board(id) {
        Some(board) => board.limits.each_ref(),
        None => {
            let of_stage = state.control_of_stage(id.round);
            let usual = of_stage.unwrap_or(&state.setup().game.time_control);
            players.map(|number| state.player(number).time_control.as_ref().unwrap_or(usual))
        }
    }
}

/// The number of plies after which a game is drawn.
pub fn most_plies(setup: &Setup) -> Option<u32> {
    let game = &setup.game;
    let by_moves = game.max_moves.map(|moves| moves.saturating_mul(2));
    by_moves.into_iter().chain(game.max_plies).min()
}

/// Every limit of a game between these two players, White first.
pub fn limits_of(state: &State, id: GameId, players: [PairingNumber; 2]) -> GameLimits {
    let Setup { game, engine, .. } = state.setup();
    GameLimits {
        time_controls: time_controls_of(state, id, players).map(TimeControl::clone),
        margins: players.map(|number| state.player(number).margin.unwrap_or(game.margin)),
        move_overhead: game.move_overhead,
        attempts: attempts(game),
        attempts_share: game.attempts_share,
        max_plies: most_plies(state.setup()),
        plies_from: game.plies_from,
        claims: game.claims,
        ready_limit: engine.ready_limit,
        step_limit: engine.step_limit,
        threads: players.map(|number| threads(state, number)),
        restart_limits: players.map(|number| restart_limit(state, number)),
        stop_grace: engine.stop_grace,
        start_attempts: engine.start_attempts,
        ponder: ponder(state, id, players),
        freeze: state.setup().freezes(players.map(|number| state.player(number))),
        resigns: players.map(|number| resigns(state.setup(), state.player(number))),
        flag_fall: game.flag_fall,
        both_failed: state.setup().faults.both_failed,
    }
}

/// Every limit of a game with this time control that is not part of the event, as when a player's agent is tried. They
/// follow the keys, except that the game's length has no cap and an agent is started once.
pub fn limits_of_trial(setup: &Setup, player: &PlayerKeys, control: &TimeControl) -> GameLimits {
    let Setup { game, engine, .. } = setup;
    GameLimits {
        time_controls: [control.clone(), control.clone()],
        margins: [player.margin.unwrap_or(game.margin); 2],
        move_overhead: game.move_overhead,
        attempts: attempts(game),
        attempts_share: game.attempts_share,
        max_plies: None,
        plies_from: PliesFrom::Opening,
        claims: game.claims,
        ready_limit: engine.ready_limit,
        step_limit: engine.step_limit,
        threads: [1; 2],
        restart_limits: [engine.start_limit; 2],
        stop_grace: engine.stop_grace,
        start_attempts: 1,
        ponder: [false; 2],
        freeze: setup.freezes([player]),
        resigns: [resigns(setup, player); 2],
        flag_fall: game.flag_fall,
        both_failed: BothFailed::default(),
    }
}

/// The number of attempts at one move that may fail.
const fn attempts(game: &GameKeys) -> Attempts {
    match game.illegal_attempts {
        IllegalAttempts::Shared => Attempts::Shared(game.attempts),
        IllegalAttempts::Apart(illegal) => Attempts::Apart {
            overruns: game.attempts,
            illegal,
        },
    }
}

/// True if a player may resign with `resign` in place of a move: players that are not engines, and models if their keys
/// say so.
fn resigns(setup: &Setup, player: &PlayerKeys) -> bool {
    match player.asks() {
        None => false,
        Some(MoveSource::Model(..)) => setup.model(player).resign,
        Some(MoveSource::Command(_) | MoveSource::Url(_)) => true,
    }
}

/// What a player's agent said about itself before the event.
pub fn introduction(state: &State, player: PairingNumber) -> Option<&AgentIntroduction> {
    state.agent(player).introduction.as_ref()
}

fn threads(state: &State, player: PairingNumber) -> u32 {
    introduction(state, player).map_or(1, |said| said.threads)
}

/// "As long as that agent's slowest start before the event plus `engine.step_limit`."
fn restart_limit(state: &State, player: PairingNumber) -> Duration {
    let start = introduction(state, player).and_then(|said| said.start_us);
    let engine = &state.setup().engine;
    start
        .map_or(engine.start_limit, Duration::from_micros)
        .saturating_add(engine.step_limit)
}

/// Who ponders, White first. Nobody does under search bounds, because a bound would end the search while the opponent
/// thinks.
fn ponder(state: &State, id: GameId, players: [PairingNumber; 2]) -> [bool; 2] {
    let [white, black] = bounds_of(state, id, players).map(|bounds| bounds == Bounds::default());
    let [by_white, by_black] = players.map(|player| state.setup().ponders(state.player(player)));
    [by_white && white, by_black && black]
}

/// The search bounds of a game between these two players, White first: see [`Setup::bounds`]. In a play-off its time
/// controls replace those of the event and of the players.
pub fn bounds_of(state: &State, id: GameId, players: [PairingNumber; 2]) -> [Bounds; 2] {
    let setup = state.setup();
    match state.playoff_board(id) {
        None => {
            let usual = state.control_of_stage(id.round).unwrap_or(&setup.game.time_control);
            players.map(|number| setup.bounds(state.player(number), usual))
        }
        Some(board) => {
            let [white, black] = players.map(|number| state.player(number));
            let [of_white, of_black] = board.limits.each_ref().map(|limits| limits.bounds);
            [setup.bounds_under(white, of_white), setup.bounds_under(black, of_black)]
        }
    }
}
