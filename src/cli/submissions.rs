//! `swissmatch submissions`

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use swissmatch_report::submissions::{WAITS, json, one_json, page};
use swissmatch_run::submissions::Store;
use swissmatch_run::{EventFile, RunError, open_run};

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::output::print;
use super::submit::told;

/// What has been handed in to an event, and what plays
///
/// Each submission with who handed it in, when, and what came of it: it waits, is refused and why, was
/// accepted, or plays. --log shows what its author may read of one.
///
///   swissmatch submissions season.toml
///   swissmatch submissions season.toml --log 7
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SubmissionsArgs {
    /// The event
    #[arg(value_name = "EVENT.toml")]
    event: PathBuf,
    /// Directory of the run (default: results/NAME beside the event file)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show one submission by its number, with its log
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["markdown", "csv"])]
    log: Option<u64>,
    #[command(flatten)]
    form: FormFlags,
}

impl SubmissionsArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let event = EventFile::read(&self.event)?;
        let setup = &event.loaded.setup;
        let run = self
            .out
            .clone()
            .unwrap_or_else(|| open_run::usual_place(&self.event, &setup.event.name));
        let all = Store::of_run(&run).read().map_err(RunError::from)?;
        let lock = setup.submissions.lock;
        let Some(number) = self.log else {
            return Ok(print(
                &self
                    .form
                    .text(|| page(&all, lock, &setup.schedule.time_zone), || json(&all, lock)),
            ));
        };
        let one = all.all().iter().find(|one| one.received.number == number);
        let Some(one) = one else {
            let message = format!("there is no submission {number}; there are {}", all.all().len());
            return Err(Failure::usage(anyhow!(message)));
        };
        let text = match &one.judged {
            None => format!("It was not tried yet. {WAITS}\n"),
            Some((judged, _)) => told(judged),
        };
        Ok(print(&match self.form.json {
            true => one_json(one),
            false => text,
        }))
    }
}
