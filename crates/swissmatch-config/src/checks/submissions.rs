//! Checks of the keys of `[submissions]` together, and with other keys.
//!
//! May not: look for what was handed in.

use super::{is_given, require_player};
use crate::layer::endpoints::which;
use crate::schema::PLAYER_KEYS;
use crate::start::{StartProblem, wrong};
use crate::value::shown;
use crate::{ConfigError, KEYS, Key, LoadedEvent};
use swissmatch_game::isolation::Isolation;
use swissmatch_tournament::setup::{Contract, PlayerKeys, Setup};

/// Keys without effect if there is no contract.
const OF_A_CONTRACT: [&str; 9] = [
    "submissions.entry",
    "submissions.model",
    "submissions.function",
    "submissions.python",
    "submissions.max_unpacked",
    "submissions.per_day",
    "submissions.lock",
    "submissions.slots",
    "submissions.out",
];

/// Refuses keys that do not go together, and strangers' programs that would not be isolated.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
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
    let not_of_python = match contract {
        Contract::Uci => Some("a UCI engine is started by itself"),
        Contract::Prompt => Some("a prompt is not Python"),
        Contract::GetMove | Contract::Kaggle => None,
    };
    if let Some(message) = not_of_python
        && let Some(key) = of_python.into_iter().find(|key| is_given(loaded, key))
    {
        return refused(key, message, "leave it out");
    }
    match (&setup.submissions.model, contract) {
        (None, Contract::Prompt) => {
            return refused(
                "submissions.model",
                "missing; a language model plays by the prompts",
                "write model = \"ENDPOINT:MODEL\" under [submissions], and that endpoint as [endpoint.ENDPOINT]",
            );
        }
        (Some(model), Contract::Prompt) => {
            let endpoint = model.split_once(':').map_or("", |(endpoint, _)| endpoint);
            if setup.endpoint(endpoint).is_none() {
                let names: Vec<String> = setup.endpoints.iter().map(|endpoint| endpoint.name.clone()).collect();
                return refused(
                    "submissions.model",
                    &format!("no endpoint is named {}", shown(endpoint)),
                    &which(endpoint, &names),
                );
            }
        }
        (Some(_), _) => {
            return refused(
                "submissions.model",
                "no model plays by what is handed in",
                "leave it out, or write contract = \"prompt\"",
            );
        }
        (None, _) => {}
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
        if contract == Contract::Prompt {
            of_a_model(loaded, index, player)?;
            continue;
        }
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

/// Refuses keys that are of no use to a player whose submission is a prompt.
fn of_a_model(loaded: &LoadedEvent, index: usize, player: &PlayerKeys) -> Result<(), ConfigError> {
    let usual = PlayerKeys::default();
    let has = |path: &str| {
        let mut keys = PLAYER_KEYS.iter().filter(|key| key.path == path);
        path == "player.model" || keys.any(|key| key.write(player) != key.write(&usual))
    };
    let prompt = player.model_keys.prompt.as_ref().map(|_| StartProblem {
        key: "player.prompt",
        message: "this player hands in its prompt",
        help: "leave it out, or write model to have this player play by a prompt of yours",
    });
    match prompt.or_else(|| wrong(player, false, has)) {
        Some(StartProblem { key, message, help }) => Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at_player(index, key, message)
        }),
        None => Ok(()),
    }
}
