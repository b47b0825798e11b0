//! Acts in the arbiter's name, by the organizer's own terminal.
#![expect(clippy::disallowed_methods, reason = "it looks into the environment")]

use std::env;

use super::means::Means;
use super::outcome::{Failed, Tried, succeeds};

/// Types a command into the organizer's tmux, whose place the environment tells. The command makes a file, so that it is seen
/// that it was run.
pub(super) fn type_in_tmux(_: &Means, path: &str) -> Tried {
    let place = env::var("TMUX").map_err(|_| Failed::refused("the environment has no TMUX"))?;
    let socket = place.split(',').next().unwrap_or_default();
    succeeds("tmux", &["-S", socket, "run-shell", &format!("touch '{path}'")])?;
    Ok(format!("ran a command by {socket}"))
}
