//! `swissmatch standings RUN --confidence`: how sure the places are.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use swiss_system::pairing::rounds::TournamentFormat;

use crate::cli::progress::Progress;
use swissmatch_host::machine;
use swissmatch_report::confidence;
use swissmatch_report::sampled::SampledPlaces;
use swissmatch_run::collected::write_plots;
use swissmatch_stats::confidence::confidence;
use swissmatch_tournament::resampled::{FixedBoard, resampled};
use swissmatch_tournament::state::State;

use super::exit::Failure;
use super::form::Form;

#[derive(Debug, Args)]
pub(super) struct ConfidenceArgs {
    /// Add how sure the places are: how often each agent would come first and in the top three, and between which
    /// places, if the games had gone differently. Each sample draws the game pairs of every mini-match anew from those
    /// played; --rng-seed sets the seed of the draws (default: event.rng_seed of the run)
    #[arg(
        id = "confidence", long = "confidence", value_name = "SAMPLES", num_args = 0..=1, require_equals = true,
        default_missing_value = "1000", value_parser = clap::value_parser!(u32).range(100..=1_000_000)
    )]
    pub(super) samples: Option<u32>,
    /// Also draw how often each agent came in each place as rank-confidence.svg in this directory, which is made; such
    /// files in it are replaced
    #[arg(long, value_name = "DIR", requires = "confidence")]
    plot: Option<PathBuf>,
}

impl ConfidenceArgs {
    /// A tournament file has no games to draw from.
    pub(super) fn refuse_for_file(&self) -> Result<(), Failure> {
        match self.samples {
            None => Ok(()),
            Some(_) => Err(Failure::usage(anyhow!(
                "--confidence draws from the games of mini-matches, which a tournament file does not hold: give the \
                 directory of a run"
            ))),
        }
    }

    /// The standings after `round` rounds, with what was asked for. `named` gives the name of a board in the event.
    pub(super) fn standings(
        &self,
        state: &State,
        round: usize,
        samples: u32,
        rng_seed: Option<u64>,
        form: Form,
        named: &dyn Fn(FixedBoard) -> FixedBoard,
    ) -> Result<String, Failure> {
        if state.is_divided() {
            return Err(Failure::usage(anyhow!(
                "--confidence needs one table, and this event has one for each part: give --part N"
            )));
        }
        if state.house_players().next().is_some() {
            return Err(Failure::usage(anyhow!(
                "--confidence draws the games of the ranked players, and this event has a house player, who is not ranked"
            )));
        }
        if state.created().format == TournamentFormat::Knockout {
            return Err(Failure::usage(anyhow!(
                "--confidence draws games of the pairs that met, and in a knockout other results would have led to other \
                pairs"
            )));
        }
        let (event, fixed) = resampled(state, round).map_err(|why| Failure::usage(why.named(named)))?;
        let fixed: Vec<FixedBoard> = fixed.into_iter().map(named).collect();
        let rng_seed = rng_seed.unwrap_or(state.setup().event.rng_seed);
        let progress = Progress::new(samples.into(), "samples");
        let places = confidence(&event, rng_seed, samples, || progress.step());
        drop(progress);
        let shown = SampledPlaces {
            places: &places,
            samples,
            rng_seed,
            fixed: &fixed,
        };
        if let Some(directory) = &self.plot {
            let plot = confidence::drawn(state, round, &shown);
            write_plots(directory, &[plot]).map_err(Failure::machine)?;
        }
        Ok(match form {
            Form::Json => confidence::json(state, round, &shown),
            Form::Markdown => confidence::page(state, round, &shown).markdown(),
            Form::Csv => confidence::page(state, round, &shown).table.csv(),
            Form::Text => confidence::page(state, round, &shown).text(machine::columns()),
        })
    }
}
