//! Checks of what isolated agents may reach.
//!
//! May not: change a value.

use crate::{ConfigError, ISOLATION, LoadedEvent, Origin};
use swissmatch_game::isolation::Isolation;
use swissmatch_tournament::setup::{Exec, PlayerKeys};

pub(super) fn is_by_flag(loaded: &LoadedEvent) -> bool {
    matches!(loaded.origin("engine.isolation"), Some(Origin::Flag(flag)) if flag == ISOLATION)
}

pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let is_by_flag = is_by_flag(loaded);
    for (index, player) in setup.players.iter().enumerate() {
        if !player.connect.is_empty() && setup.isolation(player) == Isolation::Sealed {
            let message = "a sealed agent has no network".to_owned();
            return Err(ConfigError {
                help: Some(match is_by_flag && setup.engine.isolation == Isolation::Sealed {
                    true => "leave connect out, or give --isolation guarded".to_owned(),
                    false => "leave connect out, or write isolation = \"guarded\" for this player".to_owned(),
                }),
                ..loaded.error_at_player(index, "player.connect", message)
            });
        }
    }
    let is_bound = |player: &PlayerKeys| matches!(player.exec, Some(Exec::Own(_)));
    let mut each = setup.players.iter().enumerate();
    if let Some((index, player)) =
        each.find(|(_, player)| is_bound(player) && setup.isolation(player) == Isolation::Off)
    {
        let message = format!("{} is not isolated, and so runs any program", player.name);
        return Err(ConfigError {
            help: Some("leave exec out, or write isolation = \"guarded\" for it".to_owned()),
            ..loaded.error_at_player(index, "player.exec", message)
        });
    }
    let free = setup
        .players
        .iter()
        .find(|player| setup.isolation(player) == Isolation::Off);
    let wanted = [
        ("engine.isolation_require", !setup.engine.isolation_require.is_empty()),
        ("engine.exec", matches!(setup.engine.exec, Some(Exec::Own(_)))),
    ];
    let wanted = wanted.into_iter().find_map(|(key, is_wanted)| is_wanted.then_some(key));
    if let Some((player, key)) = free.zip(wanted) {
        let message = format!("{} is not isolated, and so is kept from nothing", player.name);
        return Err(ConfigError {
            help: Some(match is_by_flag {
                true => "write isolation = \"guarded\" for it, or give --isolation guarded".to_owned(),
                false => "write isolation = \"guarded\" for it, or engine.isolation = \"guarded\" for all".to_owned(),
            }),
            ..loaded.error_at(key, message)
        });
    }
    Ok(())
}
