//! The environment of an engine: the values of `player.env` when a run begins, and variables that no engine gets.
//!
//! May not: read the environment.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use swissmatch_tournament::setup::Setup;

/// Variables that hold secrets of the runner.
static KEPT_BACK: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// From here on, nothing that is started for others gets a variable with one of the event's tokens or keys, whatever is
/// done with the event.
pub fn keep_back_secrets(setup: &Setup) {
    let token = (!setup.lichess.rounds.is_empty()).then_some(&setup.lichess.token_env);
    let keys = setup.endpoints.iter().filter_map(|endpoint| endpoint.key_env.as_ref());
    let mut kept_back = KEPT_BACK.lock().unwrap_or_else(PoisonError::into_inner);
    kept_back.extend(token.into_iter().chain(keys).cloned());
}

/// Takes the runner's secrets out of the environment of a command.
pub(super) fn without_secrets(command: &mut Command) -> &mut Command {
    for variable in &*KEPT_BACK.lock().unwrap_or_else(PoisonError::into_inner) {
        command.env_remove(variable);
    }
    command
}

/// A variable that the runner's environment lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{name} = \"${of_runner}\", but swissmatch has no environment variable {of_runner}: export it before you start"
)]
pub struct MissingVariableError {
    /// The engine's variable.
    pub name: String,
    /// The runner's variable.
    pub of_runner: String,
}

/// The values of `player.env`: `$NAME` is `of_runner(NAME)`, and `$$` at the beginning stands for a single `$`.
///
/// # Errors
/// The first variable whose value the runner does not have.
pub(crate) fn resolve(
    written: &BTreeMap<String, String>,
    of_runner: impl Fn(&str) -> Option<OsString>,
) -> Result<BTreeMap<String, OsString>, MissingVariableError> {
    let value = |(name, text): (&String, &String)| {
        let value = match text.strip_prefix('$') {
            None => text.into(),
            Some(rest) if rest.starts_with('$') => rest.into(),
            Some(of_whom) => of_runner(of_whom).ok_or_else(|| MissingVariableError {
                name: name.clone(),
                of_runner: of_whom.to_owned(),
            })?,
        };
        Ok((name.clone(), value))
    };
    written.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(text: &str) -> Result<OsString, MissingVariableError> {
        let written = BTreeMap::from([("KEY".to_owned(), text.to_owned())]);
        let found = resolve(&written, |name| (name == "OF_RUNNER").then(|| "secret".into()))?;
        Ok(found["KEY"].clone())
    }

    #[test]
    fn a_dollar_names_a_variable_of_the_runner_and_two_are_one() {
        assert_eq!(resolved("plain $x"), Ok("plain $x".into()));
        assert_eq!(resolved(""), Ok("".into()));
        assert_eq!(resolved("$OF_RUNNER"), Ok("secret".into()));
        assert_eq!(resolved("$$OF_RUNNER"), Ok("$OF_RUNNER".into()));
        let missing = resolved("$OTHER").expect_err("it is not there").to_string();
        assert_eq!(
            missing,
            "KEY = \"$OTHER\", but swissmatch has no environment variable OTHER: export it before you start"
        );
    }
}
