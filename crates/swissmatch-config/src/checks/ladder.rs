//! Checks of the keys of `[ladder]` together, and with other keys.
//!
//! May not: look into openings.

use super::{is_given, require_player};
use crate::value::shown;
use crate::{ConfigError, KEYS, Key, LoadedEvent};
use swissmatch_tournament::setup::{Openings, Seeding, Setup};

/// Keys without effect if there is no schedule.
const OF_A_SCHEDULE: [&str; 4] = ["ladder.fixed", "ladder.games", "ladder.openings", "publish.submissions"];

/// Refuses a ladder that would never end or that reveals the future, and keys without effect.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let refused = |key: &str, message: String, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at(key, message)
        })
    };
    let setup = &loaded.setup;
    let ladder = &setup.ladder;
    if ladder.schedule.is_none() {
        if setup.swiss.seeding == Seeding::Ladder {
            return refused(
                "swiss.seeding",
                "there is no ladder".to_owned(),
                "write schedule = \"hourly\" or another one under [ladder], or take another seeding",
            );
        }
        let usual = Setup::default();
        let is_usual = |key: &Key<Setup>| key.write(setup) == key.write(&usual);
        let is_set = |path: &&str| is_given(loaded, path) && KEYS.iter().any(|key| key.path == *path && !is_usual(key));
        return match OF_A_SCHEDULE.into_iter().find(is_set) {
            Some(key) => refused(
                key,
                "there is no ladder, because ladder.schedule is not given".to_owned(),
                "write schedule = \"hourly\" or another one under [ladder], or leave this out",
            ),
            None => Ok(()),
        };
    }
    if setup.submissions.lock.is_none() {
        return refused(
            "ladder.schedule",
            "a ladder goes on until submissions.lock, which is not given".to_owned(),
            "write contract and lock under [submissions]",
        );
    }
    for name in ladder.fixed.keys() {
        require_player(loaded, "ladder.fixed", name)?;
        let mut awaiting = setup.players.iter().filter(|player| player.awaits_submission());
        if awaiting.any(|player| player.name == *name) {
            return refused(
                "ladder.fixed",
                format!(
                    "what plays for {} is handed in, and may be another one tomorrow",
                    shown(name)
                ),
                "fix the ratings of players with a program of yours alone",
            );
        }
    }
    if ladder.openings != Openings::None && ladder.openings == setup.mini_match.openings {
        return refused(
            "ladder.openings",
            "whoever plays in the ladder would see openings of the event itself (mini_match.openings)".to_owned(),
            "name other openings, or \"none\"",
        );
    }
    Ok(())
}
