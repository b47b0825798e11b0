//! `swissmatch init ENGINE…`

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use crate::config::{self, InitPlayer};
use crate::shell::files;

use super::exit::{Exit, Failure};

/// Write an event file to start from
///
/// Writes a commented event file: the players named, and every key of the default preset with what it means.
///
/// Engines are commands as in an event file: a name to be looked up, or a path; with arguments in quotation marks,
/// "greedy --x 5". Without any, agents that ship with swissmatch are
/// entered.
#[derive(Debug, Args)]
pub(super) struct Init {
    /// Engines to enter: names such as stockfish, or paths
    #[arg(value_name = "ENGINE")]
    engines: Vec<String>,
    /// Write to this file instead of standard output; an existing file is not overwritten
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Init {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let players: Vec<InitPlayer> = self.engines.iter().map(|command| player(command)).collect();
        let text = config::init_template(&players);
        let Some(path) = &self.output else {
            std::io::stdout().write_all(text.as_bytes()).map_err(Failure::machine)?;
            return Ok(Exit::Done);
        };
        files::write_new(path, &text).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => Failure::usage(anyhow!("{} is there already", path.display())),
            _ => Failure::machine(anyhow!("{}: {error}", path.display())),
        })?;
        eprintln!("wrote {0}; play it with: swissmatch run {0}", path.display());
        Ok(Exit::Done)
    }
}

/// One engine, with its arguments where the name of no file was given but a line as for a shell.
fn player(line: &str) -> InitPlayer {
    let words = match Path::new(line).exists() {
        true => None,
        false => shlex::split(line),
    };
    let mut words = words.unwrap_or_else(|| vec![line.to_owned()]).into_iter();
    let command = words.next().unwrap_or_else(|| line.to_owned());
    let stem = Path::new(&command).file_stem();
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
    InitPlayer {
        name: stem.unwrap_or_else(|| command.clone()),
        command,
        args: words.collect(),
    }
}
