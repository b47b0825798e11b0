//! `swissmatch submit`

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use swiss_system::text::{escaped, harmless};
use swissmatch_host::machine;
use swissmatch_report::submissions::one_json;
use swissmatch_run::ladder::Ladder;
use swissmatch_run::submissions::{Came, Store, SubmissionStep, submit};
use swissmatch_run::{EventFile, RunError, open_run};
use swissmatch_tournament::submission::JudgedSubmission;

use super::exit::{Exit, Failure};
use super::output::print;
use super::screen;

/// Hand in what a player plays by
///
/// Takes a zip archive for a player of an event with [submissions], looks at it, and tries it: what
/// it imports, that it starts, and two games of 20 plies, isolated and with the event's clock. The
/// newest accepted one plays; a refused one leaves the one before it playing.
///
///   swissmatch submit mine.zip --as Miskeen --event season.toml
///   swissmatch submissions season.toml          what has come, and what plays
///
/// What it prints may be shown to whoever handed it in (docs/submissions.md).
///
/// Exit codes: 0 accepted; 1 refused; 4 wrong usage; 5 this machine could not try it.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SubmitArgs {
    /// The archive
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Whose it is: the name of a player of the event
    #[arg(long = "as", value_name = "NAME")]
    player: String,
    /// The event
    #[arg(long, value_name = "EVENT.toml")]
    event: PathBuf,
    /// Directory of the run (default: results/NAME beside the event file)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// An archive that is not taken at all is refused, too.
pub(super) fn refusal(error: RunError) -> Failure {
    match error {
        RunError::Submissions(error) if error.is_refusal() => Failure {
            exit: Exit::CheckFailed,
            error: error.into(),
        },
        error => error.into(),
    }
}

/// What the author of a submission may read of how it was tried.
pub(super) fn told(judged: &JudgedSubmission) -> String {
    let log = judged.log.iter().map(|line| format!("{}\n", escaped(line)));
    let refused = judged.refused.iter().map(|why| format!("Refused: {}\n", escaped(why)));
    log.chain(refused).collect()
}

impl SubmitArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        machine::on_stop_signals(|| std::process::exit(Exit::Interrupted.code().into())).map_err(Failure::machine)?;
        let event = EventFile::read(&self.event)?;
        let run = self
            .out
            .clone()
            .unwrap_or_else(|| open_run::usual_place(&self.event, &event.loaded.setup.event.name));
        let whose = harmless(&self.player);
        let mut tell = |step: SubmissionStep| match step {
            SubmissionStep::Received(number) => screen::say(&format!("received as submission {number}, for {whose}")),
            SubmissionStep::Waits(before) => screen::say(&format!("waiting: {before} before it")),
            SubmissionStep::Tried => screen::say("trying it …"),
        };
        let came = submit(&event, &run, (&self.player, &self.file), &mut tell);
        let came = came.map_err(refusal)?;
        let ladder = Ladder::of(&event, &run)?;
        if let Some(ladder) = &ladder {
            ladder.list_submissions()?;
        }
        let lock = event.loaded.setup.submissions.lock;
        let plays = match ladder.is_some() && lock.is_none_or(|lock| Timestamp::now() < lock) {
            true => "plays from the next round on",
            false => "plays in the event, unless a newer one is accepted",
        };
        let (submission, is_new) = match came {
            Came::Plays(submission) => (submission, false),
            Came::Judged(submission) => (submission, true),
        };
        let all = Store::of_run(&run).read().map_err(RunError::from)?;
        let judged = submission.judged.iter().map(|(judged, _)| judged);
        if self.json {
            print(&one_json(&submission));
        } else {
            let mut text: String = judged.filter(|_| is_new).map(told).collect();
            let number = submission.received.number;
            text += &match (is_new, submission.is_accepted()) {
                (false, _) => format!("This archive is submission {number}, which plays already.\n"),
                (true, true) => format!("Accepted: submission {number} {plays}.\n"),
                (true, false) => match all.plays(&self.player, lock) {
                    Some(plays) => format!(
                        "Submission {number} is refused. Submission {} still plays.\n",
                        plays.received.number
                    ),
                    None => format!("Submission {number} is refused.\n"),
                },
            };
            print(&text);
        }
        Ok(match submission.is_accepted() {
            true => Exit::Done,
            false => Exit::CheckFailed,
        })
    }
}
