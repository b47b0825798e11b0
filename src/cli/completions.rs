//! `swissmatch completions SHELL`

use clap::{Args, Command};

use super::exit::{Exit, Failure};
use super::output::print;

/// A completion script for a shell
///
/// For example: swissmatch completions bash > ~/.local/share/bash-completion/completions/swissmatch
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// bash, zsh, fish, elvish or powershell
    shell: clap_complete::Shell,
}

impl CompletionsArgs {
    pub(super) fn main(&self, command: &mut Command) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, command, "swissmatch", &mut script);
        Ok(print(&String::from_utf8_lossy(&script)))
    }
}
