//! `swissmatch try`

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use jiff::Timestamp;
use serde::Deserialize;

use swissmatch_host::file_hash::hash_file;
use swissmatch_host::machine;
use swissmatch_run::EventFile;
use swissmatch_run::submissions::try_out;
use swissmatch_tournament::submission::TrialTimes;

use super::exit::{Exit, Failure};
use super::output::print;
use super::submit::{refusal, told};

/// Try an archive at home, as an event will try it
///
/// With the event file that the organizer published: the same looks, the same start and the same two
/// short games, isolated and with the event's clock. Nothing is handed in or kept.
///
///   swissmatch try mine.zip --event season.toml
///   swissmatch try mine.zip --event season.toml --compare there.json
///
/// With --compare it also says how many times as long the same archive took where the organizer tried
/// it.
///
/// Exit codes: 0 it would be accepted here; 1 it would be refused; 4 wrong usage; 5 this machine
/// could not try it.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct TryArgs {
    /// The archive
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The event
    #[arg(long, value_name = "EVENT.toml")]
    event: PathBuf,
    /// What `submit --json`, or `submissions --log NUMBER --json`, printed of this archive elsewhere
    #[arg(long, value_name = "FILE.json")]
    compare: Option<PathBuf>,
}

/// What is read of a submission that was tried elsewhere.
#[derive(Deserialize)]
struct Elsewhere {
    archive: String,
    times: Option<TrialTimes>,
}

/// How long the archive took elsewhere, as this file has it.
fn read(file: &Path, archive: &Path) -> Result<TrialTimes, Failure> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| Failure::usage(anyhow!("{shown}: {error}")))?;
    let read: Elsewhere = serde_json::from_str(&text).map_err(|error| {
        Failure::usage(anyhow!(
            "{shown} is not what `swissmatch submissions --log NUMBER --json` prints: {error}"
        ))
    })?;
    let own = hash_file(archive).map_err(|error| Failure::usage(anyhow!("{}: {error}", archive.display())))?;
    if read.archive != own.sha256 {
        return Err(Failure::usage(anyhow!(
            "{shown} is of another archive, so its times say nothing of this one: try the file that was handed in"
        )));
    }
    read.times.ok_or_else(|| {
        Failure::usage(anyhow!(
            "{shown} has no times: the archive was not accepted there, or by an older swissmatch"
        ))
    })
}

/// How many times as long something took there as here.
fn compared(what: &str, [there, here]: [u64; 2]) -> String {
    let seconds = |time| Duration::from_micros(time).as_secs_f64();
    let times = seconds(there) / seconds(here.max(1));
    format!(
        "{what}: {times:.1} times as long there ({:.2} s) as here ({:.2} s).\n",
        seconds(there),
        seconds(here)
    )
}

impl TryArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        machine::on_stop_signals(|| std::process::exit(Exit::Interrupted.code().into())).map_err(Failure::machine)?;
        let event = EventFile::read(&self.event)?;
        let there = self.compare.as_ref().map(|file| read(file, &self.file)).transpose()?;
        let judged = try_out(&event, &self.file).map_err(refusal)?;
        let is_accepted = judged.refused.is_empty();
        let lock = event.loaded.setup.submissions.lock;
        let is_locked = lock.is_some_and(|lock| lock <= Timestamp::now());
        let verdict = match is_accepted {
            true if is_locked => {
                "It passes on a machine like this one, but it comes too late to be handed in (submissions.lock).\n"
            }
            true => "It would be accepted on a machine like this one.\n",
            false => "It would be refused.\n",
        };
        let times = there.zip(judged.times).map_or_else(String::new, |(there, here)| {
            compared("To start", [there.start_us, here.start_us])
                + &compared("Its moves", [there.moves_us, here.moves_us])
        });
        print(&(told(&judged) + &times + verdict));
        Ok(match is_accepted {
            true => Exit::Done,
            false => Exit::CheckFailed,
        })
    }
}
