//! `swissmatch crosstable`

use anyhow::anyhow;
use clap::Args;

use swissmatch_report::{crosstable, parts};

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::output::print;
use super::which_run::{WhichRunArgs, checked_round, chosen_part};

/// Who met whom, and with what result
#[derive(Debug, Args)]
pub(super) struct CrosstableArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    /// As it stood after this round
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    /// Of an event of several parts (sections, stages), only this part, from 1; rounds are still those of the event
    #[arg(long, value_name = "N")]
    part: Option<usize>,
    /// One column per opponent instead of one per round; JSON always has everything
    #[arg(long, conflicts_with = "json")]
    by_opponent: bool,
    #[command(flatten)]
    form: FormFlags,
}

impl CrosstableArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.run.open_event()?;
        let round = checked_round(&run, self.round)?;
        let (state, round) = chosen_part(run.state, self.part, round)?;
        let pages = match self.by_opponent {
            false => parts::crosstables(&state, round),
            true if state.is_divided() => {
                return Err(Failure::usage(anyhow!("--by-opponent shows one part: give --part N")));
            }
            true => crosstable::by_opponent(&state, round)
                .ok_or_else(|| Failure::usage(anyhow!("too many players for a column each; leave --by-opponent out")))?
                .into(),
        };
        let json = || parts::crosstables_json(&state, round);
        Ok(print(&self.form.text(|| pages, json)))
    }
}
