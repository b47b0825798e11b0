//! `swissmatch arbiter announce`: a line for everybody who follows the event.
//!
//! May not: say where it is shown.

use clap::Args;

use swissmatch_tournament::log::Act;

use super::order::{ArbiterNameArgs, SignatureArgs};
use crate::cli::exit::{Exit, Failure};
use crate::cli::which_run::WhichRunArgs;

/// Tell everybody who follows the event something
///
/// It goes into the log and changes nothing else. The page of the event shows
/// it at once with its moment, also while an embargo lasts, and so do the
/// console of the run, `run --json` and the minutes. One line of at most 1000
/// characters; you need not give a reason.
///
///   swissmatch arbiter announce "Round 4 begins at 18:00 UTC" --by "C. Arbiter"
///   swissmatch arbiter announce "Game 3.2.1 is under appeal" results/spring --by "C. Arbiter"
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct AnnounceArgs {
    /// What to announce, one line
    #[arg(value_name = "TEXT")]
    text: String,
    #[command(flatten)]
    run: WhichRunArgs,
    #[command(flatten)]
    who: ArbiterNameArgs,
    /// Why; this is kept in the log
    #[arg(long, value_name = "TEXT", default_value = "for everybody who follows the event")]
    reason: String,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

impl AnnounceArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let signature = SignatureArgs {
            who: self.who.clone(),
            reason: self.reason.clone(),
            json: self.json,
        };
        let text = self.text.trim();
        signature.submit_at(&self.run.to_act()?, false, |_| {
            let text = text.to_owned();
            Ok(Act::Announce { text })
        })
    }
}
