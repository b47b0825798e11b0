//! `swissmatch standings`

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use swissmatch_report::{file_standings, parts};
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::resampled::in_event;

use super::confidence::ConfidenceArgs;
use super::exit::{Exit, Failure};
use super::file_ranking;
use super::file_ranking::FileRankingArgs;
use super::form::FormFlags;
use super::output::print;
use super::which_run::{checked_round, chosen_part, is_tournament_file, open_event};

/// The standings of a run, or of a tournament file
///
///   swissmatch standings                                    the latest run in results/
///   swissmatch standings results/event --round 3
///   swissmatch standings open.trf --tiebreaks BH/C1,BH,SB,DE --edition 2026
///   swissmatch standings --list                             every tie-break and its meaning
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct StandingsArgs {
    /// Directory of the run (default: the one in results/ that was written to last), or a tournament file (TRF); - for
    /// standard input
    #[arg(value_name = "RUN|FILE.trf")]
    place: Option<PathBuf>,
    /// List every tie-break and its meaning
    #[arg(long, exclusive = true)]
    list: bool,
    /// As they stood after this round
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    /// Of an event of several parts (sections, stages), only this part, from 1; rounds are still those of the event
    #[arg(long, value_name = "N")]
    part: Option<usize>,
    #[command(flatten)]
    form: FormFlags,
    #[command(flatten)]
    confidence: ConfidenceArgs,
    #[command(flatten)]
    ranking: FileRankingArgs,
}

impl StandingsArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        if self.list {
            return Ok(print(&file_ranking::list()));
        }
        if let Some(path) = self.place.as_deref().filter(|path| is_tournament_file(path)) {
            self.confidence.refuse_for_file()?;
            let ranked = self.ranking.rank(path, self.round)?;
            return Ok(print(&self.form.text(
                || file_standings::page(&ranked.results, &ranked.standings, &ranked.about),
                || file_standings::json(&ranked.results, &ranked.standings, &ranked.about),
            )));
        }
        if let Some(path) = self.place.as_deref().filter(|path| !path.exists()) {
            return Err(Failure::usage(anyhow!(
                "there is no {}: no such file or directory",
                path.display()
            )));
        }
        let is_of_samples = |flag: &&str| *flag == "--rng-seed" && self.confidence.samples.is_some();
        if let Some(flag) = self.ranking.given().filter(|flag| !is_of_samples(flag)) {
            return Err(Failure::usage(anyhow!(
                "{flag} is for tournament files, and --rng-seed also for --confidence; `swissmatch rescore` ranks a run by \
                 other rules"
            )));
        }
        let run = open_event(self.place.as_deref())?;
        let round = checked_round(&run, self.round)?;
        if let Some(samples) = self.confidence.samples {
            let form = self.form.form();
            let part = self.part.and_then(|number| {
                let mut parts = parts_after(&run.state, round).into_iter();
                parts.nth(number.checked_sub(1)?).map(|(part, ..)| part)
            });
            let (state, round) = chosen_part(run.state.clone(), self.part, round)?;
            let named = |board| part.as_ref().map_or(board, |part| in_event(&run.state, part, board));
            return Ok(print(&self.confidence.standings(
                &state,
                round,
                samples,
                self.ranking.rng_seed,
                form,
                &named,
            )?));
        }
        let (state, round) = chosen_part(run.state, self.part, round)?;
        Ok(print(&self.form.text(
            || parts::standings(&state, round),
            || parts::standings_json(&state, round),
        )))
    }
}
