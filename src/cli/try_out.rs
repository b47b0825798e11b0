//! `swissmatch try`

use std::path::PathBuf;

use clap::Args;

use swissmatch_host::machine;
use swissmatch_run::EventFile;
use swissmatch_run::submissions::try_out;

use super::exit::{Exit, Failure};
use super::output::print;
use super::submit::{refusal, told};

/// Try an archive at home, as an event will try it
///
/// With the event file that the organizer published: the same looks, the same start and the same two
/// short games, isolated and with the event's clock. Nothing is handed in or kept.
///
///   swissmatch try mine.zip --event season.toml
///
/// Exit codes: 0 it would be accepted here; 1 it would be refused; 4 wrong usage; 5 this machine
/// could not try it.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Try {
    /// The archive
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The event
    #[arg(long, value_name = "EVENT.toml")]
    event: PathBuf,
}

impl Try {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        machine::on_stop_signals(|| std::process::exit(Exit::Interrupted.code().into())).map_err(Failure::machine)?;
        let event = EventFile::read(&self.event)?;
        let judged = try_out(&event, &self.file).map_err(refusal)?;
        let is_accepted = judged.refused.is_empty();
        let verdict = match is_accepted {
            true => "It would be accepted on a machine like this one.\n",
            false => "It would be refused.\n",
        };
        print(&(told(&judged) + verdict));
        Ok(match is_accepted {
            true => Exit::Done,
            false => Exit::CheckFailed,
        })
    }
}
