//! `swissmatch prizes [RUN]`
//!
//! May not: share anything out; touch what is stored.

use anyhow::anyhow;
use clap::Args;
use swiss_system::count;

use swissmatch_report::prizes::{json, pages};

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::output::print;
use super::which_run::WhichRunArgs;

/// Who gets what of the prizes and tour points
///
/// The event file says what there is, for example:
///
///   [prizes]
///   currency = "USD"
///   by_place = [40000, 30000, { money = 500, indivisible = true, trophy = "Cup" }]
///   winner_fixed = 10000         part of the first prize, for the winner of a tie for first
///   points = [12, 10, 8]         tour points, for `swissmatch tour`
///
/// Level players share their prizes; spare cents are given out by place, so that the sum is the
/// pot. What a play-off or a decision has yet to settle is shown as pending. See docs/prizes.md
/// for the rules.
///
///   swissmatch prizes                          the latest run in results/
///   swissmatch prizes results/event --json     the same for programs
///   swissmatch prizes results/event --csv > prizes.csv
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct PrizesArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    #[command(flatten)]
    form: FormFlags,
}

impl PrizesArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.run.open_event()?;
        let state = &run.state;
        if !state.setup().has_prizes() {
            return Err(Failure::usage(anyhow!(
                "{} has no prizes: its event file sets neither prizes.by_place nor prizes.points",
                run.dir.display()
            )));
        }
        if !state.rounds_are_over() {
            return Err(Failure::usage(anyhow!(
                "{} is not over: {} of {} over; prizes are given at the end",
                run.dir.display(),
                state.rounds_over(),
                count::of(state.created().rounds, "round is", "rounds are")
            )));
        }
        Ok(print(&self.form.text(|| pages(state), || json(state))))
    }
}
