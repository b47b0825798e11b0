//! Checks of time controls and the keys around them.
//!
//! May not: change a value.

use super::is_given;
use crate::value::shown;
use crate::{ConfigError, LoadedEvent};
use swissmatch_game::time_control::{Bounds, Limit, TimeControl, write_duration};
use swissmatch_tournament::setup::{IllegalAttempts, Setup};

/// Refuses bounds that are given twice, and an hourglass for one side only.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    bounds_once(loaded)?;
    hourglass_of_both(loaded)?;
    ponder(loaded)
}

/// Refuses bounds for a player that ponders, as they would end its search in the opponent's time, and an option of its own that says
/// otherwise.
fn ponder(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    for (index, player) in setup.players.iter().enumerate() {
        if !setup.ponders(player) {
            continue;
        }
        let key = if player.ponder.is_some() {
            "player.ponder"
        } else {
            "game.ponder"
        };
        let error = |message: String, help: String| {
            let error = match player.ponder {
                Some(_) => loaded.error_at_player(index, key, message),
                None => loaded.error_at(key, message),
            };
            Err(ConfigError {
                help: Some(help),
                ..error
            })
        };
        if setup.bounds(player, &setup.game.time_control) != Bounds::default() {
            let message = format!(
                "{} is set to ponder, but has a bound of nodes or depth, which would end its search before its turn",
                shown(&player.name)
            );
            return error(message, format!("leave {key} or the bound out"));
        }
        let is_off = |(name, value): (&String, &String)| name.eq_ignore_ascii_case("ponder") && value == "false";
        let options = setup.options(player);
        for (options, whose, key) in [
            (&options.own, "its options", "player.options"),
            (&options.for_all, "the options for all", "engine.options"),
        ] {
            if options.iter().any(is_off) {
                let message = format!(
                    "{} is set to ponder, but {whose} say Ponder = false",
                    shown(&player.name)
                );
                let help = format!("leave Ponder out of {key}; it is set for every agent that has it");
                return error(message, help);
            }
        }
    }
    Ok(())
}

/// Refuses a bound both in the time control and at its own key.
fn bounds_once(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let twice = |control: &TimeControl, nodes: bool, depth: bool| {
        let nodes = (nodes && control.bounds.nodes.is_some()).then_some("nodes");
        nodes.or((depth && control.bounds.depth.is_some()).then_some("depth"))
    };
    let game = &setup.game;
    if let Some(bound) = twice(&game.time_control, game.nodes.is_some(), game.depth.is_some()) {
        let message = format!("{bound}= is given in game.time_control too");
        return Err(give_once(
            loaded.error_at(&format!("game.{bound}"), message),
            &format!("game.{bound}"),
        ));
    }
    for (index, player) in setup.players.iter().enumerate() {
        let control = player.time_control.as_ref();
        if let Some(bound) = control.and_then(|control| twice(control, player.nodes.is_some(), player.depth.is_some()))
        {
            let key = format!("player.{bound}");
            let message = format!("{bound}= is given in player.time_control too");
            return Err(give_once(loaded.error_at_player(index, &key, message), &key));
        }
    }
    Ok(())
}

fn give_once(error: ConfigError, key: &str) -> ConfigError {
    let help = Some(format!("leave {key} out, or take it out of the time control"));
    ConfigError { help, ..error }
}

/// Refuses an hourglass for one side only: what one side uses the other gets.
fn hourglass_of_both(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let is_hourglass = |control: &TimeControl| matches!(control.limit, Limit::Hourglass(_));
    let of_stages = setup
        .event
        .stages
        .iter()
        .filter_map(|stage| stage.time_control.as_ref());
    let has_own = setup.players.iter().position(|player| player.time_control.is_some());
    if let (Some(hourglass), Some(player)) = (of_stages.clone().find(|control| is_hourglass(control)), has_own) {
        let message =
            format!("a stage has `{hourglass}`, which both sides need, but this player has a time control of its own");
        return Err(ConfigError {
            help: Some("leave player.time_control out, or give the stage another time control".to_owned()),
            ..loaded.error_at_player(player, "player.time_control", message)
        });
    }
    let Some(hourglass) = setup.time_controls().find(|control| is_hourglass(control)) else {
        return Ok(());
    };
    let Some(other) = setup
        .time_controls()
        .position(|control| control.limit != hourglass.limit)
    else {
        return Ok(());
    };
    let of_players = setup.players.iter().position(|player| player.time_control.is_some());
    let message = format!(
        "an hourglass needs the same time control for both sides, but there are `{hourglass}` and `{}`",
        setup.time_control(&setup.players[other])
    );
    let error = match of_players {
        Some(index) => loaded.error_at_player(index, "player.time_control", message),
        None => loaded.error_at("game.time_control", message),
    };
    Err(ConfigError {
        help: Some("leave player.time_control out, or give every player the same".to_owned()),
        ..error
    })
}

/// Warns of attempts that were asked for where an overrun ends the game.
pub(super) fn attempts_under_a_clock(loaded: &LoadedEvent) -> Option<String> {
    let all_clocks = loaded.setup.time_controls().all(TimeControl::runs_through);
    (all_clocks && loaded.setup.game.attempts > 1 && is_given(loaded, "game.attempts")).then(|| {
        "game.attempts: under a clock, running out of time loses at once; attempts then count only for illegal moves, and \
         only with game.illegal_attempts = \"shared\""
            .to_owned()
    })
}

/// Warns of a shared limit if there is none to share, or nobody to share it with.
pub(super) fn attempts_with_nothing_to_share(loaded: &LoadedEvent) -> Option<String> {
    let (setup, game) = (&loaded.setup, &loaded.setup.game);
    let is_one = match game.illegal_attempts {
        IllegalAttempts::Shared => game.attempts == 1,
        IllegalAttempts::Apart(illegal) => illegal == 1,
    };
    let why = match setup.time_controls().all(TimeControl::runs_through) {
        true => "under a clock the attempts at a move share it in any case",
        false if is_one => {
            "an illegal move loses at once, and so does a late one then; for further attempts set game.illegal_attempts to 2 or more"
        }
        false => return None,
    };
    (game.attempts_share && is_given(loaded, "game.attempts_share")).then(|| format!("game.attempts_share: {why}"))
}

/// Warns of an overhead that is cut to a tenth of the shortest time per move.
pub(super) fn capped_overhead(loaded: &LoadedEvent) -> Option<String> {
    let (overhead, most) = (loaded.setup.game.move_overhead, shortest_move_time(&loaded.setup)? / 10);
    (overhead > most && is_given(loaded, "game.move_overhead")).then(|| {
        format!(
            "game.move_overhead: {} is more than a tenth of the time per move, so {} counts",
            write_duration(overhead),
            write_duration(most)
        )
    })
}

fn shortest_move_time(setup: &Setup) -> Option<std::time::Duration> {
    let limits = setup.time_controls().filter_map(|control| match control.limit {
        Limit::MoveTime(limit) => Some(limit),
        _ => None,
    });
    limits.min()
}
