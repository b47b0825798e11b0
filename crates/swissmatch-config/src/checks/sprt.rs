//! Checks of the test of two players.
//!
//! May not: change a value.

use swiss_system::pairing::rounds::TournamentFormat;

use crate::{ConfigError, LoadedEvent};
use swissmatch_stats::sprt::{SprtModel, Units};
use swissmatch_tournament::setup::SprtKeys;

/// Refuses a test that cannot be made.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let keys = &setup.sprt;
    let refuse = |key: &str, message: &str, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at(key, message.to_owned())
        })
    };
    let (elo0, elo1) = match (keys.elo0, keys.elo1) {
        (Some(elo0), Some(elo1)) => (elo0, elo1),
        (Some(_), None) => {
            return refuse("sprt.elo0", "H1 is missing", "write sprt.elo1 too, such as elo1 = 5");
        }
        (None, Some(_)) => {
            return refuse("sprt.elo1", "H0 is missing", "write sprt.elo0 too, such as elo0 = 0");
        }
        (None, None) => return Ok(()),
    };
    if elo0 >= elo1 {
        return refuse(
            "sprt.elo1",
            "H1 must say more than H0",
            "make sprt.elo1 greater than sprt.elo0",
        );
    }
    if keys.model == SprtModel::Bayesian && keys.counts == Units::Pentanomial {
        let help = "write counts = \"trinomial\" under [sprt], or another model";
        return refuse("sprt.model", "BayesElo's model knows games, and no pairs", help);
    }
    let plan = setup.plan();
    let is_match = setup.players.len() == 2 && plan.rounds == 1 && plan.format == TournamentFormat::AllPlayAll;
    if !is_match || !setup.event.stages.is_empty() || !setup.event.sections.is_empty() {
        let help = "write rounds = \"RR\" under [swiss] and two players, and the games in mini_match.games";
        return refuse("sprt.elo0", "a test is for a match of two players in one round", help);
    }
    if setup.mini_match.games < 2 {
        let help = "write an even number under mini_match.games";
        return refuse("sprt.elo0", "a test is for more games than one", help);
    }
    Ok(())
}

/// Warns of keys of a test that is not made.
pub(super) fn warning(loaded: &LoadedEvent) -> Option<String> {
    let keys = &loaded.setup.sprt;
    let is_idle = keys.test().is_none() && *keys != SprtKeys::default();
    is_idle.then(|| "sprt: there is no test without sprt.elo0 and sprt.elo1, so its other keys do nothing".to_owned())
}
