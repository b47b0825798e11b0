//! What is amiss with the keys of `[submissions]` together, and with others beside them.
//!
//! May not: look for what was handed in.

use super::{is_given, require_player};
use crate::{ConfigError, KEYS, Key, Loaded};
use swissmatch_game::isolation::Isolation;
use swissmatch_tournament::setup::{Contract, Setup};

/// Keys that say nothing without a contract.
const OF_A_CONTRACT: [&str; 8] = [
    "submissions.entry",
    "submissions.function",
    "submissions.python",
    "submissions.max_unpacked",
    "submissions.per_day",
    "submissions.lock",
    "submissions.slots",
    "submissions.out",
];

/// Refuses keys that do not go together, and strangers' programs that would not be isolated.
pub(super) fn check(loaded: &Loaded) -> Result<(), ConfigError> {
    let refused = |key: &str, message: &str, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at(key, message)
        })
    };
    let setup = &loaded.setup;
    let Some(contract) = setup.submissions.contract else {
        let usual = Setup::default();
        let is_usual = |key: &Key<Setup>| key.write(setup) == key.write(&usual);
        let is_set = |path: &&str| is_given(loaded, path) && KEYS.iter().any(|key| key.path == *path && !is_usual(key));
        let given = OF_A_CONTRACT.into_iter().find(is_set);
        return match given {
            Some(key) => refused(
                key,
                "nothing is handed in, because submissions.contract is \"none\"",
                "write contract = \"get-move\" or another one under [submissions], or leave this out",
            ),
            None => Ok(()),
        };
    };
    let of_python = ["submissions.function", "submissions.python"];
    if contract == Contract::Uci
        && let Some(key) = of_python.into_iter().find(|key| is_given(loaded, key))
    {
        return refused(key, "a UCI engine is started by itself", "leave it out");
    }
    for name in &setup.submissions.out {
        require_player(loaded, "submissions.out", name)?;
    }
    if setup.eligibility.required {
        return refused(
            "eligibility.required",
            "every submission is tried when it is handed in",
            "leave it out",
        );
    }
    let handed_in = setup
        .players
        .iter()
        .enumerate()
        .filter(|(_, player)| player.awaits_submission());
    for (index, player) in handed_in {
        if setup.isolation(player) != Isolation::Off {
            continue;
        }
        let message = "what is handed in is never started without isolation";
        let error = match player.isolation {
            Some(_) => loaded.error_at_player(index, "player.isolation", message),
            None => loaded.error_at("engine.isolation", message),
        };
        let help = Some("write \"sealed\" or \"guarded\"".to_owned());
        return Err(ConfigError { help, ..error });
    }
    Ok(())
}
