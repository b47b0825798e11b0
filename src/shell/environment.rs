//! The environment of an engine: what `player.env` means when a run begins, and how it gets past the engine's keeper.
//!
//! The keeper is a process of the same program: a variable such as LD_PRELOAD is for the engine, not for it. So variables
//! travel under a prefix, and the keeper takes it off.
//!
//! May not: put a value where others can read it, such as a command line.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::process::Command;

/// Before the name of a variable that is for the engine. No shell can set such a name.
const PREFIX: &str = "swissmatch-engine:";

/// A variable of the runner's environment that is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} = \"${of_runner}\", and swissmatch runs without a variable {of_runner}: export it before the start")]
pub struct Missing {
    /// The engine's variable.
    pub name: String,
    /// The runner's.
    pub of_runner: String,
}

/// The values of `player.env`: `$NAME` is `of_runner(NAME)`, and `$$` at the beginning one `$`.
///
/// # Errors
/// The first variable whose value the runner does not have.
pub fn resolve(
    written: &BTreeMap<String, String>,
    of_runner: impl Fn(&str) -> Option<OsString>,
) -> Result<BTreeMap<String, OsString>, Missing> {
    let value = |(name, text): (&String, &String)| {
        let value = match text.strip_prefix('$') {
            None => text.into(),
            Some(rest) if rest.starts_with('$') => rest.into(),
            Some(of_whom) => of_runner(of_whom).ok_or_else(|| Missing {
                name: name.clone(),
                of_runner: of_whom.to_owned(),
            })?,
        };
        Ok((name.clone(), value))
    };
    written.iter().map(value).collect()
}

/// Gives a keeper that is about to be started the variables of its engine.
pub fn hand_over(keeper: &mut Command, variables: &BTreeMap<String, OsString>) {
    keeper.envs(variables.iter().map(|(name, value)| (format!("{PREFIX}{name}"), value)));
}

/// In the keeper: gives the engine that is about to be started its variables, over those of the runner.
pub fn take_over(engine: &mut Command) {
    for (handed, value) in std::env::vars_os() {
        if let Some(name) = handed.as_bytes().strip_prefix(PREFIX.as_bytes()) {
            engine.env(OsString::from_vec(name.to_vec()), value).env_remove(&handed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(text: &str) -> Result<OsString, Missing> {
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
            "KEY = \"$OTHER\", and swissmatch runs without a variable OTHER: export it before the start"
        );
    }
}
