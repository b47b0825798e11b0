//! Children, and what they use up.
#![expect(clippy::disallowed_methods, reason = "it starts processes")]

use std::env;
use std::io;
use std::process::{Child, Command, Stdio};

use super::means::Means;
use super::outcome::{Failed, Tried};
use crate::fault::relatives;

/// A child of a child in a session of its own, that lives on.
pub(super) fn outlive(means: &Means, _: &str) -> Tried {
    relatives::orphan_in_own_session(&means.mark)?;
    Ok("an orphan in a session of its own".to_owned())
}

/// So many children at once, ended again.
pub(super) fn multiply(means: &Means, number: &str) -> Tried {
    let number: usize = number.parse().map_err(|_| Failed::untried("no number of children"))?;
    let mut children: Vec<Child> = Vec::new();
    let mut refused: Option<io::Error> = None;
    while children.len() < number && refused.is_none() {
        let mut command = Command::new(env::current_exe()?);
        command.args(relatives::linger_arguments(&means.mark));
        match command.stdin(Stdio::null()).stdout(Stdio::null()).spawn() {
            Ok(child) => children.push(child),
            Err(error) => refused = Some(error),
        }
    }
    for child in &mut children {
        child.kill()?;
        child.wait()?;
    }
    match refused {
        Some(error) => Err(error.into()),
        None => Ok(format!("{number} children at once")),
    }
}

/// So many MiB, in a child, since whoever takes too many is killed.
pub(super) fn swell(_: &Means, mib: &str) -> Tried {
    let mut command = Command::new(env::current_exe()?);
    let ran = command.args(["--hold", mib]).stdin(Stdio::null()).output()?;
    match ran.status.success() {
        true => Ok(String::from_utf8_lossy(&ran.stdout).trim().to_owned()),
        false => Err(Failed::Refused(ran.status.to_string())),
    }
}
