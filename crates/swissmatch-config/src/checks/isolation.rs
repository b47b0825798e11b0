//! What isolated agents may reach.
//!
//! May not: change a value.

use crate::{ConfigError, ISOLATION, Loaded, Origin};
use swissmatch_game::isolation::Isolation;

pub(super) fn check(loaded: &Loaded) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let is_by_flag = matches!(loaded.origin("engine.isolation"), Some(Origin::Flag(flag)) if flag == ISOLATION);
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
    let free = setup
        .players
        .iter()
        .find(|player| setup.isolation(player) == Isolation::Off);
    if let Some(player) = free.filter(|_| !setup.engine.isolation_require.is_empty()) {
        let message = format!("{} is not isolated, and so is kept from nothing", player.name);
        return Err(ConfigError {
            help: Some(match is_by_flag {
                true => "write isolation = \"guarded\" for it, or give --isolation guarded".to_owned(),
                false => "write isolation = \"guarded\" for it, or engine.isolation = \"guarded\" for all".to_owned(),
            }),
            ..loaded.error_at("engine.isolation_require", message)
        });
    }
    Ok(())
}
